// Numbers and words for people.

const COUNT = new Intl.NumberFormat("en");
const TIME = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
const PREFIXES = ["", "k", "M", "G", "T", "P"];

export function count(number) {
  return COUNT.format(number);
}

export function counted(number, one, many = one + "s") {
  return count(number) + " " + (number === 1 ? one : many);
}

function scaled(number, unit) {
  let prefix = 0;
  while (number >= 999.5 && prefix < PREFIXES.length - 1) {
    number /= 1000;
    prefix++;
  }
  const digits = prefix === 0 || number >= 99.5 ? 0 : number >= 9.95 ? 1 : 2;
  return number.toFixed(digits) + " " + PREFIXES[prefix] + unit;
}

export function bytes(number) {
  return scaled(number, "B");
}

export function byteRate(perSecond) {
  return scaled(perSecond, "B/s");
}

export function duration(millis) {
  if (millis < 1000) {
    return millis + " ms";
  }
  const seconds = millis / 1000;
  if (seconds < 10) {
    return seconds.toFixed(1) + " s";
  }
  if (seconds < 60) {
    return Math.floor(seconds) + " s";
  }
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) {
    return minutes + " min " + Math.floor(seconds % 60) + " s";
  }
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? hours + " h " + (minutes % 60) + " min" : Math.floor(hours / 24) + " days";
}

export function time(millis) {
  return TIME.format(millis);
}

/** A constant of Java in lower case words. */
export function words(constant) {
  return constant.toLowerCase().replaceAll("_", " ").replace(/^addr /, "address ");
}

export function address(text) {
  return text.replace(/^0:0:0:0:0:0:0:(?=[0-9a-f]+$)/, "::").replace(/\[0:0:0:0:0:0:0:([0-9a-f]+)\]/, "[::$1]");
}

const STEPS = {
  MARKED: "Marked: nothing new on it",
  UNREGISTERING_SERVICE: "Unregistering its service",
  CANCELLING_QUERIES: "Cancelling path queries",
  TELLING_IDS: "Telling its ids",
  WAITING_FOR_CONSUMERS: "Waiting for consumers to let go",
  REVOKING: "Revoking what is left",
  WAITING_FOR_PROVIDER: "Waiting for the provider's threads",
  CLOSING: "Closing the provider's objects",
  DONE: "Done",
};

/** The steps of a removal that come before its end, in their order. */
export const REMOVAL_STEPS = Object.keys(STEPS).filter((step) => step !== "DONE");

export function step(name) {
  return STEPS[name] ?? words(name);
}
