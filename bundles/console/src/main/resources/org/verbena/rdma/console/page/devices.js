// The cards of the devices.

import { drawing, element, setAttribute, setChildren, setText, setTexts } from "./element.js";
import { address, byteRate, bytes, count, counted, duration, REMOVAL_STEPS, step, words } from "./format.js";

const SPARK_WIDTH = 120;
const SPARK_HEIGHT = 28;
const SPARK_SAMPLES = 60;

/** One device. */
class Card {
  constructor(name, operate) {
    this.name = name;
    const id = "device-" + Card.#number++;
    this.title = element("h3", { id, text: name });
    this.condition = element("span", { class: "badge" });
    this.button = element("button", { type: "button", class: "quiet" });
    this.button.addEventListener("click", () => {
      if (this.button.getAttribute("aria-disabled") !== "true") {
        operate(this.verb, this.view);
      }
    });
    this.kind = element("p", { class: "kind" });
    this.detail = element("p", { class: "detail" });
    this.addresses = element("ul", { class: "chips", "aria-label": "Addresses" });
    this.use = element("p", { class: "use" });
    this.out = element("span", { class: "rate" });
    this.in = element("span", { class: "rate" });
    this.outLine = drawing("polyline", { class: "out" });
    this.inLine = drawing("polyline", { class: "in" });
    this.rates = element(
      "div",
      { class: "rates" },
      element("p", {}, element("span", { class: "direction out", text: "sent" }), this.out),
      element("p", {}, element("span", { class: "direction in", text: "received" }), this.in),
      drawing(
        "svg",
        { viewBox: `0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}`, class: "spark", "aria-hidden": "true", preserveAspectRatio: "none" },
        this.inLine,
        this.outLine,
      ),
    );
    this.links = element("ul", { class: "links", "aria-label": "Connected with" });
    this.steps = element("ol", { class: "steps", "aria-hidden": "true" }, ...REMOVAL_STEPS.map(() => element("li")));
    this.step = element("p", { class: "step" });
    this.waiting = element("ul", { class: "waiting" });
    this.removal = element("div", { class: "removal", hidden: "" }, this.steps, this.step, this.waiting);
    this.root = element(
      "li",
      { class: "card", "aria-labelledby": id, data: { device: name } },
      element("div", { class: "title" }, this.title, this.condition, this.button),
      this.kind,
      this.detail,
      this.removal,
      this.addresses,
      this.rates,
      this.links,
      this.use,
    );
  }

  static #number = 0;

  show(view, removal, sample) {
    const { device, traffic, links, linksLeftOut, users } = view;
    const present = device.condition === "PRESENT";
    const out = device.condition === "UNPLUGGED" || device.condition === "FAILED";
    this.view = view;
    this.verb = out ? "plug" : "unplug";
    setAttribute(this.root, "data-condition", device.condition.toLowerCase());
    setAttribute(this.root, "data-link", device.link);
    setText(this.condition, present ? "link " + device.link : words(device.condition));
    setText(this.button, out ? "Plug in" : "Unplug");
    setAttribute(this.button, "aria-disabled", present || out ? null : "true");
    setAttribute(this.button, "aria-label", (out ? "Plug in " : "Unplug ") + device.name);
    const guid = device.guid ? " \u00b7 " + device.guid.replace(/(.{4})(?=.)/g, "$1:") : "";
    const transport = device.transport === device.provider ? "" : " \u00b7 " + device.transport;
    setText(this.kind, device.provider + transport + guid);
    setText(this.detail, device.detail);
    this.detail.hidden = device.detail === "";
    this.#showRemoval(removal);
    setTexts(this.addresses, "li", [...device.addresses, ...device.shadowed].map(address));
    [...this.addresses.children].forEach((chip, index) => {
      const shadowed = index >= device.addresses.length;
      setAttribute(chip, "class", shadowed ? "shadowed" : null);
      setAttribute(chip, "title", shadowed ? "Another device serves this address" : null);
    });
    this.rates.hidden = !present || !traffic;
    if (traffic) {
      this.#showRates(traffic, sample);
    }
    this.#showLinks(links, linksLeftOut);
    this.links.hidden = links.length === 0;
    const objects = Object.values(device.verbsObjects).reduce((sum, number) => sum + number, 0);
    const bundles = Object.keys(users).length;
    setText(
      this.use,
      objects + device.ids === 0
        ? "Nobody uses it."
        : [
            counted(device.ids, "id"),
            counted(objects, "verbs object"),
            ...(bundles > 0 ? ["of " + counted(bundles, "bundle")] : []),
          ].join(" \u00b7 "),
    );
    setAttribute(
      this.use,
      "title",
      Object.entries(device.verbsObjects)
        .map(([kind, number]) => counted(number, kind))
        .join(", "),
    );
  }

  #showRemoval(removal) {
    this.removal.hidden = !removal;
    if (!removal) {
      return;
    }
    const now = REMOVAL_STEPS.indexOf(removal.step);
    [...this.steps.children].forEach((segment, index) => {
      const state = now < 0 || index < now ? "done" : index === now ? "now" : "later";
      setAttribute(segment, "data-state", state);
    });
    const left = removal.idsLeft > 0 ? ", " + counted(removal.idsLeft, "id") + " left" : "";
    setText(this.step, step(removal.step) + left + " \u00b7 " + duration(removal.elapsedMillis));
    setTexts(this.waiting, "li", removal.waitingFor);
  }

  #showRates(traffic, { rate, history }) {
    setText(this.out, rate ? byteRate(rate.out) : "\u2013");
    setText(this.in, rate ? byteRate(rate.in) : "\u2013");
    setAttribute(
      this.rates,
      "title",
      `since it was plugged in: ${bytes(traffic.bytesSent)} sent in ${counted(traffic.messagesSent, "message")},`
        + ` ${bytes(traffic.bytesReceived)} received in ${counted(traffic.messagesReceived, "message")}`,
    );
    const most = Math.max(1, ...history.map((sample) => Math.max(sample.out, sample.in)));
    const line = (direction) =>
      history
        .map((sample, index) => {
          const x = ((SPARK_SAMPLES - history.length + index) / (SPARK_SAMPLES - 1)) * SPARK_WIDTH;
          const y = SPARK_HEIGHT - 2 - (sample[direction] / most) * (SPARK_HEIGHT - 4);
          return x.toFixed(1) + "," + y.toFixed(1);
        })
        .join(" ");
    setAttribute(this.outLine, "points", line("out"));
    setAttribute(this.inLine, "points", line("in"));
  }

  #showLinks(links, leftOut) {
    const texts = links.map((link) => `${address(link.to)} \u00d7 ${count(link.connections)}`);
    if (leftOut > 0) {
      texts.push("and " + counted(leftOut, "other peer"));
    }
    setTexts(this.links, "li", texts);
    [...this.links.children].forEach((item, index) => {
      setAttribute(item, "class", links[index]?.here ? "here" : null);
      setAttribute(item, "title", links[index]?.here ? "A device of this platform" : null);
    });
  }
}

/** All of them; `operate(verb, view)` is called when somebody wants a device out or in. */
export class Devices {
  #cards = new Map();
  #list = document.getElementById("devices");
  #empty = document.getElementById("no-devices");
  #operate;

  constructor(operate) {
    this.#operate = operate;
  }

  show(views, removals, rates) {
    const all = new Set(views.map(({ device: { number } }) => number));
    for (const number of this.#cards.keys()) {
      if (!all.has(number)) {
        this.#cards.delete(number);
      }
    }
    const roots = views.map((view) => {
      const { number, name } = view.device;
      if (!this.#cards.has(number)) {
        this.#cards.set(number, new Card(name, this.#operate));
      }
      const card = this.#cards.get(number);
      card.show(
        view,
        removals.find((removal) => removal.deviceNumber === number),
        view.traffic ? rates.take("device " + number, view.traffic) : null,
      );
      return card.root;
    });
    setChildren(this.#list, roots);
    this.#empty.hidden = views.length > 0;
  }
}
