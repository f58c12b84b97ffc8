// Sliders that limit objectives, knobs and metrics.

import { button, h, said } from "./dom.js";
import { axisName, num } from "./words.js";

const STEPS = 1000;
const MOST_VALUES = 12;

export class Limits {
  constructor(changed) {
    this.changed = changed;
    this.limits = new Map();
    this.rows = h("div", { class: "limits" });
    this.count = h("output", { class: "muted" });
    this.element = h("div", null,
      h("div", { class: "bar" }, this.count, button("Clear limits", () => this.clear())),
      this.rows);
    this.known = "";
  }

  clear() {
    this.limits.clear();
    this.known = "";
    this.show(this.front);
    this.changed();
  }

  tell(front, mask) {
    let kept = 0;
    for (const one of mask) kept += one;
    const text = `${num(kept)} of ${num(front.size)} solutions keep all limits`;
    if (this.count.textContent !== text) this.count.textContent = text;
  }

  // Offer a control per column; those that are there already stay as they are.
  show(front) {
    this.front = front;
    const columns = front.columns().flatMap((column) => {
      const offer = offerOf(column);
      return offer ? [{ ...column, offer }] : [];
    });
    const key = JSON.stringify(columns.map((c) => [c.key, c.offer]));
    if (key === this.known || this.rows.contains(document.activeElement)) return;
    this.known = key;
    const many = columns.filter((c) => c.group !== "objective").length > 8;
    const groups = new Map();
    for (const column of columns) {
      const title = { objective: "Objectives", knob: "Knobs", metric: "Metrics",
        constraint: "Constraints" }[column.group];
      if (!groups.has(title)) groups.set(title, []);
      groups.get(title).push(column.offer.values ? this.choices(column) : this.range(column));
    }
    this.rows.replaceChildren(...[...groups].map(([title, rows]) =>
      h("details", { open: title === "Objectives" || !many },
        h("summary", null, title), h("div", { class: "limit-grid" }, rows))));
  }

  range(column) {
    const [low, high] = column.offer.range;
    const limit = this.limits.get(column.key) || [-Infinity, Infinity];
    const width = high - low || 1;
    const place = (v, open) => (Number.isFinite(v) ? Math.round(((v - low) / width) * STEPS) : open);
    const value = (p) => low + (p / STEPS) * width;
    const shown = h("output", { class: "num" });
    const slider = (name, start) => h("input", {
      type: "range", min: 0, max: STEPS, step: 1, "aria-label": `${name} ${column.name}`,
    }, null);
    const least = slider("least", 0);
    const most = slider("most", STEPS);
    least.value = place(limit[0], 0);
    most.value = place(limit[1], STEPS);
    const read = () => [Number(least.value) <= 0 ? -Infinity : value(Number(least.value)),
      Number(most.value) >= STEPS ? Infinity : value(Number(most.value))];
    const tell = () => {
      const [a, b] = read();
      shown.textContent = `${num(Number.isFinite(a) ? a : low, 4)} to ${num(Number.isFinite(b) ? b : high, 4)}`;
      for (const one of [least, most]) one.setAttribute("aria-valuetext", num(value(Number(one.value)), 4));
    };
    const act = (moved) => {
      if (Number(least.value) > Number(most.value)) {
        if (moved === least) most.value = least.value;
        else least.value = most.value;
      }
      const [a, b] = read();
      if (Number.isFinite(a) || Number.isFinite(b)) this.limits.set(column.key, [a, b]);
      else this.limits.delete(column.key);
      tell();
      this.changed();
    };
    least.addEventListener("input", () => act(least));
    most.addEventListener("input", () => act(most));
    tell();
    return h("div", { class: "limit" }, h("div", { class: "limit-name" }, said(axisName(column)), shown),
      h("div", { class: "pair" }, least, most));
  }

  choices(column) {
    const limit = this.limits.get(column.key);
    const boxes = column.offer.values.map((value) => {
      const box = h("input", { type: "checkbox", checked: !limit || limit.has(value) });
      box.addEventListener("change", () => {
        const on = new Set(boxes.filter((b) => b.box.checked).map((b) => b.value));
        if (on.size === boxes.length) this.limits.delete(column.key);
        else this.limits.set(column.key, on);
        this.changed();
      });
      return { box, value };
    });
    return h("fieldset", { class: "limit" }, h("legend", null, said(axisName(column))),
      boxes.map(({ box, value }) => h("label", { class: "tick" }, box, said(value))));
  }
}

// A range for numbers, values for texts, nothing where all are equal or too many.
function offerOf(column) {
  const given = column.values.filter((v) => v !== null && v !== undefined);
  if (!given.length) return null;
  if (given.every((v) => typeof v === "number")) {
    let [low, high] = [Infinity, -Infinity];
    for (const v of given) {
      if (v < low) low = v;
      if (v > high) high = v;
    }
    return high > low ? { range: [low, high] } : null;
  }
  const values = [...new Set(given.map(String))];
  return values.length > 1 && values.length <= MOST_VALUES ? { values: values.sort() } : null;
}
