// The tables: only the rows of one page are ever asked for and shown, however many there are.

import { element, setAttribute, setChildren, setText } from "./element.js";
import { address, byteRate, bytes, count, duration, words } from "./format.js";

const PAGE = 25;

const number = { title: "Id", number: true };
const events = { title: "Events", hint: "Events that wait for their callback", number: true };
const callback = { title: "Callback", hint: "The thread that runs a callback of it now" };
const consumer = { title: "Bundle" };
const local = { title: "Local", show: address, code: true };
const peer = { title: "Peer", show: address, code: true };
const state = { title: "State", show: words, state: true };

/** The tables, each with its columns in their order. */
const TABLES = {
  connections: {
    title: "Connections",
    empty: "There are no connections.",
    columns: {
      number,
      state,
      role: { title: "Role" },
      device: { title: "Device" },
      local,
      peer,
      queuePair: { title: "Queue pair", show: words },
      bytesSent: { title: "Sent", number: true, rate: "out" },
      bytesReceived: { title: "Received", number: true, rate: "in" },
      establishedMillis: { title: "Since", number: true, show: (millis) => (millis < 0 ? "" : duration(millis)) },
      events,
      callback,
      consumer,
    },
  },
  listeners: {
    title: "Listeners",
    empty: "Nobody listens.",
    columns: {
      number,
      local,
      portSpace: { title: "Port space" },
      served: { title: "Listens on", show: (all) => all.map(address).join(", "), code: true },
      failures: { title: "Cannot listen on", show: (all) => all.join("; "), bad: true },
      waiting: { title: "Requests", hint: "Requests that wait", number: true },
      backlog: { title: "Backlog", hint: "How many requests may wait", number: true },
      events,
      callback,
      consumer,
    },
  },
  ids: {
    title: "Other ids",
    empty: "There are no ids that neither listen nor are connected.",
    columns: { number, state, portSpace: { title: "Port space" }, device: { title: "Device" }, local, peer, events, callback, consumer },
  },
  consumers: {
    title: "Bundles",
    empty: "No bundle uses Verbena.",
    columns: {
      number: { title: "Bundle id", number: true },
      consumer: { title: "Bundle" },
      sessions: { title: "Sessions", number: true },
      ids: { title: "Ids", number: true },
      objects: { title: "Verbs objects", number: true },
      waiting: { title: "Waiting", hint: "Callbacks that wait for a thread", number: true },
      blocked: { title: "Blocked in", show: (all) => all.join(", "), bad: true },
      forced: { title: "Forced", hint: "How often a removal took something from it by force", number: true },
      version: { title: "Version", hint: "The version of the cm package that its events are limited to" },
    },
  },
};

/** The tables; `changed()` is called when other rows are wanted. */
export class Tables {
  #changed;
  #table = "connections";
  #views = {};
  #tabs = new Map();
  #rows = new Map();
  #total = 0;
  #filter = document.getElementById("filter");
  #head = document.getElementById("head");
  #body = document.getElementById("body");
  #range = document.getElementById("range");
  #empty = document.getElementById("no-rows");

  constructor(changed) {
    this.#changed = changed;
    for (const name of Object.keys(TABLES)) {
      this.#views[name] = { offset: 0, sort: "number", descending: false, filter: "" };
    }
    this.#makeTabs();
    this.#makePager();
    this.#filter.addEventListener("input", () => {
      Object.assign(this.#view, { filter: this.#filter.value, offset: 0 });
      this.#changed();
    });
    document.addEventListener("keydown", (event) => {
      const typing = event.target.closest?.("input, textarea, select, dialog");
      if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        this.#filter.focus();
      }
    });
    this.#choose("connections");
  }

  get #view() {
    return this.#views[this.#table];
  }

  /** The rows that are wanted, as parameters of a request. */
  get query() {
    const { offset, sort, descending, filter } = this.#view;
    return { table: this.#table, offset, limit: PAGE, sort, descending, filter };
  }

  show(page, totals, rates) {
    for (const [name, { count: label }] of this.#tabs) {
      setText(label, count(totals[name.toUpperCase()]));
    }
    if (page.table.toLowerCase() !== this.#table) {
      return;
    }
    if (page.rows.length === 0 && page.matched > 0) {
      this.#go(Math.floor((page.matched - 1) / PAGE) * PAGE);
      return;
    }
    const columns = Object.entries(TABLES[this.#table].columns);
    const kept = new Map();
    const roots = page.rows.map((row) => {
      const key = this.#table + " " + row.number + " " + row.consumer;
      const root = this.#rows.get(key) ?? element("tr", {}, ...columns.map(([, column]) => this.#cell(column)));
      kept.set(key, root);
      const counted = row.bytesSent >= 0;
      const sample = counted ? rates.take("id " + row.number, { bytesSent: row.bytesSent, bytesReceived: row.bytesReceived }) : null;
      columns.forEach(([name, column], index) => this.#fill(root.children[index], column, row[name], sample));
      return root;
    });
    this.#rows = kept;
    setChildren(this.#body, roots);
    this.#showRange(page);
  }

  #cell(column) {
    const kind = [column.number && "number", column.code && "code", column.bad && "bad"].filter(Boolean).join(" ");
    return element("td", { class: kind || null });
  }

  #fill(cell, column, value, sample) {
    if (column.rate) {
      const rate = sample?.rate;
      setText(cell, rate ? byteRate(rate[column.rate]) : "\u2013");
      setAttribute(cell, "title", value >= 0 ? bytes(value) + " in all" : "Its provider does not count");
      return;
    }
    const shown = column.show ? column.show(value) : typeof value === "number" ? count(value) : value;
    setText(cell, shown);
    if (column.state) {
      setAttribute(cell, "data-state", String(value).split(",")[0].toLowerCase());
    }
  }

  #showRange(page) {
    const { offset } = page;
    this.#total = page.matched;
    const all = page.matched === page.total ? "" : ` that match, of ${count(page.total)}`;
    setText(
      this.#range,
      page.matched === 0 ? "" : `${count(offset + 1)} to ${count(offset + page.rows.length)} of ${count(page.matched)}${all}`,
    );
    this.#empty.hidden = page.matched > 0;
    setText(this.#empty, page.total === 0 ? TABLES[this.#table].empty : "No row has \u201c" + this.#view.filter + "\u201d in it.");
    const atStart = offset === 0;
    const atEnd = offset + page.rows.length >= page.matched;
    for (const [id, off] of [["first", atStart], ["previous", atStart], ["next", atEnd], ["last", atEnd]]) {
      setAttribute(document.getElementById(id), "aria-disabled", off ? "true" : null);
    }
    document.querySelector(".pager").hidden = page.matched === 0;
  }

  #go(offset) {
    this.#view.offset = Math.max(0, offset);
    this.#changed();
  }

  #makePager() {
    const last = () => Math.max(0, Math.floor((this.#total - 1) / PAGE) * PAGE);
    const targets = {
      first: () => 0,
      previous: () => this.#view.offset - PAGE,
      next: () => Math.min(last(), this.#view.offset + PAGE),
      last,
    };
    for (const [id, target] of Object.entries(targets)) {
      const button = document.getElementById(id);
      button.addEventListener("click", () => {
        if (button.getAttribute("aria-disabled") !== "true") {
          this.#go(target());
        }
      });
    }
  }

  #makeTabs() {
    const list = document.getElementById("tabs");
    const names = Object.keys(TABLES);
    for (const name of names) {
      const label = element("span", { class: "count", text: "\u2013" });
      const tab = element(
        "button",
        { type: "button", role: "tab", id: "tab-" + name, "aria-controls": "rows" },
        TABLES[name].title,
        " ",
        label,
      );
      tab.addEventListener("click", () => this.#choose(name));
      this.#tabs.set(name, { tab, count: label });
      list.append(tab);
    }
    list.addEventListener("keydown", (event) => {
      const steps = { ArrowRight: 1, ArrowLeft: -1, Home: -names.indexOf(this.#table), End: -1 - names.indexOf(this.#table) };
      const by = steps[event.key];
      if (by === undefined) {
        return;
      }
      event.preventDefault();
      const name = names[(names.indexOf(this.#table) + by + names.length) % names.length];
      this.#choose(name);
      this.#tabs.get(name).tab.focus();
    });
  }

  #choose(name) {
    this.#table = name;
    for (const [other, { tab }] of this.#tabs) {
      tab.setAttribute("aria-selected", other === name);
      tab.tabIndex = other === name ? 0 : -1;
    }
    document.getElementById("rows").setAttribute("aria-labelledby", "tab-" + name);
    setText(document.getElementById("caption"), TABLES[name].title);
    this.#filter.value = this.#view.filter;
    this.#body.replaceChildren();
    this.#rows = new Map();
    this.#makeHead();
    this.#changed();
  }

  #makeHead() {
    const heads = Object.entries(TABLES[this.#table].columns).map(([name, column]) => {
      const sort = element("button", { type: "button", text: column.title, title: column.hint });
      const head = element("th", { scope: "col", class: column.number ? "number" : null }, sort);
      sort.addEventListener("click", () => {
        const view = this.#view;
        Object.assign(view, { descending: view.sort === name && !view.descending, sort: name, offset: 0 });
        this.#markSorted();
        this.#changed();
      });
      head.dataset.column = name;
      return head;
    });
    this.#head.replaceChildren(...heads);
    this.#markSorted();
  }

  #markSorted() {
    const { sort, descending } = this.#view;
    for (const head of this.#head.children) {
      const sorted = head.dataset.column === sort;
      setAttribute(head, "aria-sort", sorted ? (descending ? "descending" : "ascending") : null);
    }
  }
}
