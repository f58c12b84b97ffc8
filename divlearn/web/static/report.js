// A report: what Python wrote into the file, brought to life.

import { benchmarkPage } from "./benchmark.js";
import { card, h, put } from "./dom.js";
import { Explorer } from "./explorer.js";
import { Progress, mattersBody } from "./panels.js";

// A sketch is kept as what differs from that of the first design.
export function patched(base, change) {
  if (Array.isArray(change) && Array.isArray(base) && change.length === base.length &&
      change.every((part) => part !== null && typeof part === "object" && "~" in part)) {
    return change.map((part, i) => patched(base[i], part["~"]));
  }
  if (change === null || typeof change !== "object" || Array.isArray(change)) return change;
  const whole = { ...base };
  for (const [name, part] of Object.entries(change)) whole[name] = patched((base || {})[name], part);
  return whole;
}

function designsIn(data) {
  const rows = new Map(data.front.numbers.map((number, i) => [number, i]));
  return async (number) => {
    const i = rows.get(number);
    const x = i === undefined ? undefined : data.designs[i];
    if (x === undefined || x === null) {
      throw new Error(`The design of trial ${number} was left out to keep this file small; the study has it.`);
    }
    const change = data.sketches ? data.sketches[i] : null;
    return { x, sketch: change === null || change === undefined ? null : patched(data.sketch, change) };
  };
}

function keeperOf(data) {
  const list = new Map(data.favourites.map((one) => [one.number, one]));
  return { list, canWrite: false, why: "" };
}

function begin() {
  const data = JSON.parse(document.getElementById("data").textContent);
  const place = document.getElementById("live");
  document.documentElement.classList.add("with-script");
  if (data.kind === "benchmark") {
    put(place, benchmarkPage(data));
    return;
  }
  const about = { objectives: data.objectives, kinds: data.kinds, file: data.file };
  const explorer = new Explorer(about, { design: designsIn(data), replay: data.replay && (async () => data.replay) }, keeperOf(data));
  const progress = new Progress(data.objectives);
  const matters = data.matters ? card("What matters", mattersBody(data.matters)) : "";
  put(place, explorer.element, h("div", { class: "stack" }, progress.element, matters, explorer.list));
  explorer.take(data.front, data.others);
  progress.show(data);
}

if (document.getElementById("data")) begin();
