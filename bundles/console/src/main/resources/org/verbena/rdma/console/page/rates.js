// Rates: what counters have grown by between two answers.

const HISTORY = 60;
/** Over a shorter time a rate would jump. */
const SHORTEST_MILLIS = 900;

export class Rates {
  #last = new Map();
  #now = 0;

  /** Begins to take the samples of one answer; of what is not in it the next rate is not known. */
  begin(millis) {
    this.#now = millis;
    for (const [key, sample] of this.#last) {
      if (!sample.taken) {
        this.#last.delete(key);
      }
      sample.taken = false;
    }
  }

  /** Takes a sample; returns bytes a second out and in, and the newest of them over time, or nulls while unknown. */
  take(key, traffic) {
    const before = this.#last.get(key);
    const sample = { ...traffic, millis: this.#now, taken: true, rate: null, history: before?.history ?? [] };
    if (before && this.#now - before.millis >= SHORTEST_MILLIS) {
      const seconds = (this.#now - before.millis) / 1000;
      // A device that was away counts from nothing again.
      const out = Math.max(0, traffic.bytesSent - before.bytesSent) / seconds;
      const into = Math.max(0, traffic.bytesReceived - before.bytesReceived) / seconds;
      sample.rate = { out, in: into };
      sample.history.push(sample.rate);
      if (sample.history.length > HISTORY) {
        sample.history.shift();
      }
    } else if (before) {
      sample.rate = before.rate;
      sample.millis = before.millis;
      sample.bytesSent = before.bytesSent;
      sample.bytesReceived = before.bytesReceived;
    }
    this.#last.set(key, sample);
    return { rate: sample.rate, history: sample.history };
  }

  forget() {
    this.#last.clear();
  }
}
