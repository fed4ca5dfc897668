// What has happened, newest first.

import { element, setAttribute, setText } from "./element.js";
import { address, counted, count, duration, step, time, words } from "./format.js";

const MOST = 150;
/** Events of one kind that come within this time after each other share a line. */
const TOGETHER_MILLIS = 3000;

/** A removal from its first step to its end. */
class Removal {
  constructor(entry) {
    this.title = element("h3", { text: "Removal of " + entry.removal.device });
    this.state = element("span", { class: "badge" });
    this.cause = element("p", { class: "note" });
    this.steps = element("ol", { class: "did" });
    this.outcome = element("p", { class: "outcome" });
    this.root = element(
      "li",
      { class: "removal", data: { kind: "removal", device: entry.removal.device } },
      element("time", { text: time(entry.millis) }),
      element("div", {}, element("div", { class: "title" }, this.title, this.state), this.cause, this.steps, this.outcome),
    );
    this.last = null;
  }

  add({ removal }) {
    const over = removal.step === "DONE";
    setText(this.cause, removal.cause);
    setText(this.state, over ? "over" : "running");
    setAttribute(this.root, "data-state", over ? (removal.forced.length > 0 ? "forced" : "over") : "running");
    if (over) {
      setText(
        this.outcome,
        `After ${duration(removal.elapsedMillis)}: ${counted(removal.idsTold, "id")} told, `
          + (removal.forced.length > 0 ? "forced: " + removal.forced.join(", ") : "nobody forced"),
      );
      return;
    }
    if (this.last?.name !== removal.step) {
      this.last = {
        name: removal.step,
        waiting: element("p", { class: "note" }),
      };
      this.steps.append(
        element(
          "li",
          { data: { step: removal.step } },
          element("span", { class: "after", text: "+" + duration(removal.elapsedMillis) }),
          element("div", {}, element("p", { text: step(removal.step) }), this.last.waiting),
        ),
      );
    }
    if (removal.waitingFor.length > 0) {
      setText(this.last.waiting, removal.waitingFor.join("; "));
    }
  }
}

/** Events of one type on one device. */
class Events {
  constructor(entry) {
    this.type = entry.text;
    this.device = entry.id.device;
    this.number = 0;
    this.title = element("h3", { text: words(entry.text) });
    this.times = element("span", { class: "badge" });
    this.note = element("p", { class: "note" });
    this.root = element(
      "li",
      { class: "event", data: { kind: "event", event: entry.text } },
      element("time", { text: time(entry.millis) }),
      element("div", {}, element("div", { class: "title" }, this.title, this.times), this.note),
    );
  }

  takes(entry) {
    return entry.text === this.type && entry.id.device === this.device && entry.millis - this.millis < TOGETHER_MILLIS;
  }

  add(entry) {
    const { id } = entry;
    this.number++;
    this.millis = entry.millis;
    setText(this.times, this.number > 1 ? "\u00d7 " + count(this.number) : "");
    this.times.hidden = this.number === 1;
    const where = id.device ? " on " + id.device : "";
    const peer = id.peer ? ", peer " + address(id.peer) : "";
    setText(this.note, (this.number > 1 ? "last: id " : "id ") + id.number + where + peer + " \u00b7 " + id.consumer);
  }
}

function simple(entry, kind, title, note = "") {
  return element(
    "li",
    { class: kind, data: { kind } },
    element("time", { text: time(entry.millis) }),
    element("div", {}, element("h3", { text: title }), element("p", { class: "note", text: note })),
  );
}

/** All of it; `announce(text)` says what matters to those who do not see it. */
export class Timeline {
  #list = document.getElementById("timeline");
  #empty = document.getElementById("no-happenings");
  #removals = new Map();
  #events = null;
  #announce;
  #next = 0;

  constructor(announce) {
    this.#announce = announce;
    const shown = document.getElementById("events-shown");
    const apply = () => this.#list.classList.toggle("without-events", !shown.checked);
    shown.addEventListener("change", apply);
    apply();
  }

  /** The sequence of the entry that is wanted next. */
  get next() {
    return this.#next;
  }

  forget() {
    this.#list.replaceChildren();
    this.#removals.clear();
    this.#events = null;
    this.#next = 0;
  }

  add(entries) {
    const quiet = this.#next === 0;
    for (const entry of entries) {
      if (entry.sequence >= this.#next) {
        this.#next = entry.sequence + 1;
        this.#addEntry(entry, quiet);
      }
    }
    while (this.#list.children.length > MOST) {
      this.#list.lastElementChild.remove();
    }
    this.#empty.hidden = this.#list.children.length > 0;
  }

  #addEntry(entry, quiet) {
    const announce = (text) => quiet || this.#announce(text);
    if (entry.kind === "EVENT") {
      if (!this.#events?.takes(entry)) {
        this.#events = new Events(entry);
        this.#list.prepend(this.#events.root);
      }
      this.#events.add(entry);
      return;
    }
    if (entry.kind === "REMOVAL_STEP") {
      const { removal } = entry;
      if (!this.#removals.has(entry.removalNumber)) {
        const made = new Removal(entry);
        this.#removals.set(entry.removalNumber, made);
        this.#put(made.root);
        announce("Removal of " + removal.device + " has begun");
      }
      this.#removals.get(entry.removalNumber).add(entry);
      if (removal.step === "DONE") {
        this.#removals.delete(entry.removalNumber);
        announce(removal.device + " is out after " + duration(removal.elapsedMillis));
      }
      return;
    }
    if (entry.kind === "DEVICE_UP") {
      announce(entry.device.name + " is up");
    }
    this.#put(this.#simple(entry));
  }

  /** What comes between two events ends their sharing a line. */
  #put(root) {
    this.#events = null;
    this.#list.prepend(root);
  }

  #simple(entry) {
    const { device, consumer, text } = entry;
    switch (entry.kind) {
      case "DEVICE_UP":
        return simple(entry, "up", device.name + " is up", device.provider + " \u00b7 " + device.addresses.map(address).join(", "));
      case "DEVICE_CHANGED":
        return simple(
          entry,
          "changed",
          device.name + " has changed",
          ["link " + device.link, ...device.addresses.map(address)].join(" \u00b7 "),
        );
      case "CALLBACK_BLOCKED":
        return simple(entry, "blocked", "A callback of " + consumer.bundle + " is blocked", "thread " + text);
      case "CALLBACK_RETURNED":
        return simple(entry, "returned", "A callback of " + consumer.bundle + " has returned", "thread " + text);
      case "ASKED":
        return simple(entry, "asked", "Asked: " + text);
      case "FAILED":
        return simple(entry, "failed", "Failed: " + text);
      case "MISSED":
        return simple(entry, "missed", counted(Number(text), "event") + " more, too many to record");
      default:
        return simple(entry, "other", words(entry.kind), text);
    }
  }
}
