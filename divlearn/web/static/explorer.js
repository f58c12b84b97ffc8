// Walking the front: chart, limits, the chosen design, comparison, favourites, table.

import { button, card, cut, h, put, putOnce, said, select } from "./dom.js";
import { axisName, num } from "./words.js";
import { Front, within } from "./front.js";
import { Scatter } from "./scatter.js";
import { Parallel } from "./parallel.js";
import { Limits } from "./limits.js";
import { Replay } from "./replay.js";
import { FrontTable } from "./table.js";
import { compareTable, saveChoice } from "./compare.js";
import { designPicture, designTable, favouriteList, neighbourList, Note, summaryOf, valuesTable } from "./inspector.js";

export class Explorer {
  // about: objectives, kinds, file; source: design(number) -> promise of {x, sketch}, and
  // replay() -> promise of how the front grew, where that is known;
  // keeper: favourites, see Note.
  constructor(about, source, keeper) {
    this.about = about;
    this.source = source;
    this.keeper = keeper;
    this.front = new Front(about.objectives);
    this.mask = new Uint8Array(0);
    this.inside = [];
    this.selected = null;
    this.compared = [];
    this.others = null;
    this.known = new Map();
    const m = about.objectives.length;
    this.axes = [0, Math.min(1, m - 1), m > 2 ? 2 : -1];
    this.mode = m > 3 ? "parallel" : "scatter";
    this.build();
  }

  build() {
    const handlers = {
      pick: (row, together) => this.pick(row, together),
      move: (by) => this.move(by),
      key: (name) => this.key(name),
    };
    this.scatter = new Scatter(handlers, "Walk the front: arrow keys go from solution to solution, C compares, F makes a favourite");
    this.parallel = new Parallel(handlers);
    this.limits = new Limits(() => this.soon());
    this.replay = new Replay(this.source.replay, () => this.drawChart());
    this.replay.front = this.front;
    this.table = new FrontTable((row) => this.pick(row));
    this.note = new Note(this.keeper);
    this.chosen = h("div", { class: "chosen-body" });
    this.design = h("div");
    this.near = h("div");
    this.compare = h("div");
    this.stars = h("div");
    this.legend = h("div", { class: "legend" });
    this.controls = h("div", { class: "bar wrap" });
    this.live = h("p", { class: "visually-hidden", role: "status" });
    this.plots = h("div", null, this.scatter.element, this.parallel.element);
    this.inspector = card("Chosen solution", this.chosen, this.note.element, this.design, h("h3", null, "Neighbours, and what a step costs"), this.near);
    this.element = h("div", { class: "explorer" },
      card("Front", this.controls, this.plots, this.legend, this.source.replay ? this.replay.element : "", this.live),
      h("div", { class: "side" }, this.inspector, card("Favourites", this.stars)),
      card("Limits", this.limits.element), card("Comparison", this.compare));
    this.list = card("Solutions", this.table.element);
    this.list.classList.add("full");
    this.buildControls();
  }

  buildControls() {
    const { objectives } = this.about;
    const names = objectives.map((o, j) => [String(j), axisName(o)]);
    const axis = (label, k, list) => select(label, list, String(this.axes[k]), (value) => {
      this.axes[k] = Number(value);
      this.scatter.zoom = null;
      this.refresh();
    });
    const many = objectives.length > 2;
    put(this.controls,
      many ? select("View", [["scatter", "two axes"], ["parallel", "all objectives"]], this.mode, (value) => {
        this.mode = value;
        this.refresh();
      }) : "",
      many ? h("span", { class: "axes-fields" }, axis("Across", 0, names), axis("Up", 1, names),
        axis("Colour", 2, [["-1", "none"], ...names])) : "",
      h("span", { class: "group" }, button("Knee", () => this.pick(this.front.knee())),
        objectives.map((o, j) => h("button", { type: "button", onclick: () => this.pickBest(j) }, "Best ", cut(o.name)))),
      button("Whole front", () => this.scatter.reset(), { class: "quiet" }));
  }

  // --- data

  take(data, others) {
    this.front.take(data);
    if (others) this.others = others;
    if (this.selected === null && this.front.size) this.selected = this.front.numbers[this.front.knee()];
    this.limits.show(this.front);
    this.refresh();
  }

  // Points beside the front have come in.
  behind(others) {
    this.others = others;
    this.drawChart();
  }

  async designOf(number) {
    if (!this.known.has(number)) this.known.set(number, await this.source.design(number));
    return this.known.get(number);
  }

  // --- choosing

  get row() {
    const row = this.front.rows.get(this.selected);
    return row === undefined ? -1 : row;
  }

  pick(row, together) {
    if (row === undefined || row < 0 || row >= this.front.size) return;
    const number = this.front.numbers[row];
    if (together) {
      this.toggleCompared(number);
      return;
    }
    this.selected = number;
    this.showAll();
    this.live.textContent = summaryOf(this.front, row);
  }

  pickBest(j) {
    this.settle();
    const row = this.front.best(j, this.mask);
    if (row < 0) this.live.textContent = "no solution keeps all limits";
    this.pick(row);
  }

  move(by) {
    this.settle();
    const { inside } = this;
    if (!inside.length) return;
    const place = inside.findIndex((i) => i >= this.row);
    const here = place < 0 ? inside.length - 1 : place;
    this.pick(inside[Math.max(0, Math.min(inside.length - 1, here + by))]);
  }

  key(name) {
    if (name === "c" || name === "C" || name === "Enter") this.toggleCompared(this.selected);
    else if (name === "f" || name === "F") this.toggleFavourite();
    else if (name === "k" || name === "K") this.pick(this.front.knee());
    else return false;
    return true;
  }

  async toggleFavourite() {
    const { keeper, selected } = this;
    if (!keeper.canWrite || selected === null) return;
    try {
      if (keeper.list.has(selected)) await keeper.drop(selected);
      else await keeper.keep(selected, "");
    } catch (error) {
      this.live.textContent = error.message;
    }
  }

  toggleCompared(number) {
    if (number === null) return;
    this.compared = this.compared.includes(number)
      ? this.compared.filter((n) => n !== number) : [...this.compared, number].slice(-6);
    this.showAll();
  }

  // --- showing

  // Sliders move faster than pictures are painted: once for each of these is enough.
  soon() {
    if (!this.waiting) {
      this.waiting = requestAnimationFrame(() => this.refresh());
    }
  }

  // Who chooses at once chooses within the limits of now.
  settle() {
    if (!this.waiting) return;
    cancelAnimationFrame(this.waiting);
    this.refresh();
  }

  // Something else keeps the limits now.
  refresh() {
    this.waiting = null;
    this.mask = within(this.front, this.limits.limits);
    this.inside = [...this.front.all()].filter((i) => this.mask[i]);
    this.limits.tell(this.front, this.mask);
    this.showAll();
  }

  showAll() {
    const { front } = this;
    this.drawChart();
    this.table.show(front, this.inside, this.row, new Set(this.keeper.list.keys()));
    this.showChosen();
    this.showCompared();
    const kept = [...this.keeper.list.values()].map((f) => [f.number, f.note, front.rows.get(f.number)]);
    putOnce(this.stars, JSON.stringify([this.keeper.canWrite, kept]),
      () => favouriteList(this.keeper, front, (row) => this.pick(row)));
  }

  drawChart() {
    const { front, axes } = this;
    const column = (j) => (j < 0 ? null : { ...this.about.objectives[j], values: front.F[j] });
    const rows = (numbers) => [...numbers].flatMap((n) => (front.rows.has(n) ? [front.rows.get(n)] : []));
    const state = {
      front, mask: this.mask, x: column(axes[0]), y: column(axes[1]) || column(axes[0]), colour: column(axes[2]),
      selected: this.row, knee: front.knee(), compared: rows(this.compared), favourites: rows(this.keeper.list.keys()),
      replay: this.earlier(),
      others: this.others && { x: this.others.F[axes[0]], y: this.others.F[axes[1]], feasible: this.others.feasible },
    };
    const parallel = this.mode === "parallel";
    this.scatter.element.hidden = parallel;
    this.parallel.element.hidden = !parallel;
    const fields = this.controls.querySelector(".axes-fields");
    if (fields) fields.hidden = parallel;
    this.scatter.show(state);
    this.parallel.show(state);
    const shown = this.row >= 0 ? summaryOf(front, this.row) : "no solution yet";
    this.scatter.announce(this.row, shown);
    this.showLegend(parallel, state.colour);
  }

  // What a replay shows, on the axes that are chosen.
  earlier() {
    const { shown } = this.replay;
    if (!shown) return null;
    const [x, y] = this.axes;
    if (this.past && this.past.of === shown && this.past.axes === `${x},${y}`) return this.past;
    this.past = { of: shown, axes: `${x},${y}`, F: shown.F, x: shown.F[x], y: shown.F[y], everyX: shown.every[x], everyY: shown.every[y] };
    return this.past;
  }

  showLegend(parallel, colour) {
    const item = (mark, text) => h("span", null, h("i", { class: `key ${mark}` }), text);
    const behind = this.others && this.others.feasible.length;
    putOnce(this.legend, JSON.stringify([parallel, colour && colour.name, behind > 0, this.others && this.others.feasible.includes(false)]), () => (parallel
      ? [h("span", { class: "muted" }, "one line per solution; the best value of each objective is at the top")]
      : [item("front", "front"), behind ? item("other", "evaluated, dominated") : "",
        behind && this.others.feasible.includes(false) ? item("violates", "violates a constraint") : "",
        item("knee", "knee"), item("mark", "chosen"),
        colour ? h("span", null, h("i", { class: "key ramp" }), "colour: ", said(axisName(colour)), " (low to high)") : "",
        h("span", { class: "muted" }, "drag to zoom, double click for all; shift and click compares")]));
  }

  showChosen() {
    const { front, row, selected } = this;
    if (selected === null) {
      put(this.chosen, h("p", { class: "muted" }, "There is no solution to choose yet."));
      put(this.near);
      this.note.element.replaceChildren();
      return;
    }
    this.note.show(selected);
    const key = `${selected}:${row}:${front.size}:${this.compared.includes(selected)}`;
    if (this.chosenKey === key) return;
    const moved = this.chosenNumber !== selected;
    this.chosenKey = key;
    this.chosenNumber = selected;
    if (row < 0) {
      put(this.chosen, h("p", null, `Trial ${num(selected)} was on the front; a better solution has been found since.`));
      put(this.near);
    } else {
      this.tellChosen(row);
    }
    if (moved) this.showDesign(selected);
  }

  tellChosen(row) {
    const { front } = this;
    const number = front.numbers[row];
    const source = front.sources && front.sources[row];
    put(this.chosen,
      h("div", { class: "bar" },
        button("‹", () => this.move(-1), { "aria-label": "Previous solution on the front" }),
        h("strong", null, `solution ${num(row)}`, h("span", { class: "muted" }, ` of ${num(front.size)}, trial ${num(number)}`)),
        button("›", () => this.move(1), { "aria-label": "Next solution on the front" })),
      source ? h("p", { class: "muted" }, "known from ", said(source)) : "",
      valuesTable(front, row),
      h("div", { class: "bar wrap" },
        button(this.compared.includes(number) ? "In the comparison" : "Compare", () => this.toggleCompared(number),
          { "aria-pressed": String(this.compared.includes(number)) }),
        button("Save as JSON", () => this.save([number], "json")),
        button("as CSV", () => this.save([number], "csv"))));
    put(this.near, neighbourList(front, row, (other) => this.pick(other)));
  }

  async showDesign(number) {
    try {
      const { x, sketch } = await this.designOf(number);
      if (this.selected !== number) return;
      put(this.design, h("h3", null, "Design"), sketch ? designPicture(sketch) : "", designTable(x, this.about.kinds, this.front.units));
    } catch (error) {
      if (this.selected === number) put(this.design, h("p", { class: "muted" }, said(error.message)));
    }
  }

  async showCompared() {
    const { compared, front } = this;
    const key = JSON.stringify([compared, front.version]);
    if (this.comparedKey === key) return;
    this.comparedKey = key;
    if (compared.length < 2) {
      put(this.compare, h("p", { class: "muted" }, compared.length
        ? "Add another solution: choose it and press Compare, or shift and click it."
        : "Choose a solution and press Compare, or press C; two or more show what differs and what it buys."));
      return;
    }
    try {
      const picked = await Promise.all(compared.map(async (number) => ({ number, ...(await this.designOf(number)) })));
      if (this.comparedKey !== key) return;
      put(this.compare, compareTable(front, picked, this.about.kinds, (number) => this.toggleCompared(number)),
        h("div", { class: "bar wrap" }, button("Save as JSON", () => this.save(compared, "json")),
          button("as CSV", () => this.save(compared, "csv")),
          button("Clear", () => { this.compared = []; this.showAll(); })));
    } catch (error) {
      put(this.compare, h("p", { class: "muted" }, said(error.message)));
    }
  }

  async save(numbers, kind) {
    const picked = await Promise.all(numbers.map(async (number) => ({ number, ...(await this.designOf(number)) })));
    const name = String(this.about.file).replace(/[^A-Za-z0-9._-]+/g, "-");
    saveChoice(this.front, picked, `${name}-${numbers.join("-")}`, kind);
  }
}
