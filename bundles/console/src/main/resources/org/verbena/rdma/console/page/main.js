// Asks again and again what there is, and shows it.

import { confirmed } from "./confirmation.js";
import { Devices } from "./devices.js";
import { setAttribute, setText } from "./element.js";
import { byteRate, count, counted } from "./format.js";
import { Rates } from "./rates.js";
import { command, logIn, RequestFailed, state } from "./remote.js";
import { Tables } from "./tables.js";
import { Timeline } from "./timeline.js";

const CALM_MILLIS = 1000;
const BUSY_MILLIS = 250;
const BUSY_FOR_MILLIS = 3000;

const liveness = document.getElementById("liveness");
const notice = document.getElementById("notice");
const announcement = document.getElementById("announcement");
const logout = document.getElementById("logout");

let instance = null;
let session = null;
let timer = null;
let asking = false;
let hurried = false;
let busyUntil = 0;

const rates = new Rates();
const timeline = new Timeline(announce);
const devices = new Devices(operate);
const tables = new Tables(hurry);

function announce(text) {
  announcement.textContent = text;
}

function complain(text) {
  notice.hidden = text === "";
  setText(notice, text);
}

/** Lets the next question be asked at once. */
function hurry() {
  if (asking) {
    hurried = true;
  } else if (session) {
    clearTimeout(timer);
    timer = setTimeout(follow, 0);
  }
}

/** Asks once, and sees to it that it is asked again. */
async function follow() {
  if (document.hidden) {
    return;
  }
  asking = true;
  hurried = false;
  let pause = CALM_MILLIS;
  try {
    session ??= await begin();
    const answer = await state({ since: timeline.next, ...tables.query });
    show(answer);
    setLiveness("live", "Live");
    if (answer.now.removals.length > 0 || Date.now() < busyUntil) {
      pause = BUSY_MILLIS;
    }
  } catch (failure) {
    if (failure.status === 401) {
      location.reload();
      return;
    }
    session = null;
    setLiveness("lost", failure.status === 0 ? "Nothing answers; trying again" : "Not running; trying again");
    if (!(failure instanceof RequestFailed)) {
      complain("This page has failed: " + failure.message);
      console.error(failure);
    }
  } finally {
    asking = false;
  }
  clearTimeout(timer);
  timer = setTimeout(follow, hurried ? 0 : pause);
}

async function begin() {
  const begun = await logIn();
  logout.hidden = !begun.logout;
  return begun;
}

function show({ now, timeline: entries, instance: answering }) {
  if (instance !== answering) {
    instance = answering;
    timeline.forget();
    rates.forget();
    hurry();
    return;
  }
  rates.begin(now.millis);
  devices.show(now.devices, now.removals, rates);
  tables.show(now.page, now.totals, rates);
  timeline.add(entries);
  showFigures(now);
}

function showFigures(now) {
  const figure = (name, text) => setText(document.getElementById("figure-" + name), text);
  const present = now.devices.filter(({ device }) => device.condition === "PRESENT").length;
  figure("devices", present === now.devices.length ? count(present) : `${count(present)} of ${count(now.devices.length)}`);
  figure("connections", count(now.totals.CONNECTIONS));
  figure("listeners", count(now.totals.LISTENERS));
  const traffic = { bytesSent: 0, bytesReceived: 0 };
  for (const view of now.devices) {
    traffic.bytesSent += view.traffic?.bytesSent ?? 0;
    traffic.bytesReceived += view.traffic?.bytesReceived ?? 0;
  }
  const { rate } = rates.take("all", traffic);
  figure("out", rate ? byteRate(rate.out) : "\u2013");
  figure("in", rate ? byteRate(rate.in) : "\u2013");
}

function setLiveness(stateNow, text) {
  setAttribute(liveness, "data-state", stateNow);
  setText(liveness, text);
}

/** Takes a device out or puts it back, after a question. */
async function operate(verb, { device, users }) {
  const unplug = verb === "unplug";
  const agreed = await confirmed(
    unplug
      ? {
          question: `Unplug ${device.name}?`,
          consequence:
            device.ids === 0
              ? "It is taken away as if it was pulled. Nobody has an id on it."
              : `It is taken away as if it was pulled, from ${counted(device.ids, "id")}:`
                + " each is told, and what does not let go in time loses it by force.",
          concerned: Object.entries(users).map(([bundle, ids]) => `${bundle}: ${counted(ids, "id")}`),
          answer: `Unplug ${device.name}`,
          dangerous: true,
        }
      : {
          question: `Plug in ${device.name}?`,
          consequence: "It serves again, and those who listen on all addresses listen on it, too.",
          answer: `Plug in ${device.name}`,
          dangerous: false,
        },
  );
  if (!agreed) {
    return;
  }
  try {
    complain("");
    await command(verb, { device: device.name });
    busyUntil = Date.now() + BUSY_FOR_MILLIS;
  } catch (failure) {
    complain(`${unplug ? "Unplugging" : "Plugging in"} ${device.name} was refused: ${failure.message}`);
  }
  hurry();
}

logout.addEventListener("click", async () => {
  await command("logout").catch(() => {});
  location.reload();
});
document.addEventListener("visibilitychange", () => document.hidden || hurry());

follow();
