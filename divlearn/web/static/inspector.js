// The chosen solution: its values, its design, its neighbours, a note.

import { button, h, said } from "./dom.js";
import { axisName, designRows, num, plural, valueText, wanted } from "./words.js";
import { drawing } from "./drawing.js";

export function valuesTable(front, row) {
  const lines = front.columns().filter((c) => c.group !== "knob").map((column) => {
    const j = front.objectives.findIndex((o) => column.key === `f:${o.name}`);
    const note = j < 0 ? column.group : wanted(front.objectives[j]);
    const value = column.values[row];
    return h("tr", null,
      h("th", { scope: "row" }, said(axisName(column))),
      typeof value === "string" ? h("td", null, said(value)) : h("td", { class: "num" }, num(value, 6)),
      h("td", { class: "gauge" }, j < 0 ? h("span", { class: "muted" }, note) : gauge(front.loss[j][row], note)));
  });
  return h("table", { class: "facts" }, h("tbody", null, lines));
}

// Where the value lies between the worst and the best of the front.
function gauge(loss, note) {
  return h("meter", { min: 0, max: 1, value: String(1 - loss), "aria-label": `${note}; share of the range that is reached` },
    `${Math.round(100 * (1 - loss))} %`);
}

export function designTable(x, kinds, units) {
  const unit = (name) => units[name] || units[`${name} 0`];
  return h("table", { class: "facts design" }, h("tbody", null, designRows(x, kinds).map((row) =>
    h("tr", null, h("th", { scope: "row" }, said(axisName({ name: row.name, unit: unit(row.name) }))),
      h("td", null, h("div", { class: "long" }, said(valueText(row))))))));
}

export function designPicture(picture) {
  return picture ? h("figure", { class: "drawing" }, drawing(picture),
    picture.title ? h("figcaption", null, said(picture.title)) : null) : null;
}

export function neighbourList(front, row, pick) {
  const near = front.objectives.length === 2
    ? [row - 1, row + 1].filter((i) => i >= 0 && i < front.size)
    : front.nearest(row, 4);
  if (!near.length) return h("p", { class: "muted" }, "It is the only solution of the front.");
  return h("ul", { class: "steps" }, near.map((other) => {
    const step = front.step(row, other);
    return h("li", null, button(`solution ${other}`, () => pick(other)), " ", stepWords(step));
  }));
}

// What one pays per unit gained.
function stepWords(step) {
  const words = ({ objective, by }) => [said(objective.name), ` by ${num(by, 4)} ${objective.unit}`.trimEnd()];
  const list = (parts) => parts.flatMap((p, i) => (i ? [", ", ...words(p)] : words(p)));
  if (!step.gains.length) return [" worse: ", ...list(step.losses)];
  const price = step.losses.length && step.gains.length === 1 && step.losses.length === 1
    ? [h("br"), h("span", { class: "muted" }, `${num(step.losses[0].by / step.gains[0].by, 3)} `,
      priced(step.losses[0].objective, ""), " per ", priced(step.gains[0].objective, "unit"))]
    : [];
  return ["better: ", ...list(step.gains), h("br"), "worse: ",
    ...(step.losses.length ? list(step.losses) : ["nothing"]), ...price];
}

// "EUR of cost"; without a unit the word for one, if there is a word.
function priced({ name, unit }, otherwise) {
  const of = unit || otherwise;
  return of ? [said(of), " of ", said(name)] : said(name);
}

export class Note {
  // keep(number, note) and drop(number) return promises; both may be missing.
  constructor(keeper) {
    this.keeper = keeper;
    this.element = h("div", { class: "note" });
    this.shown = null;
  }

  show(number) {
    const { keeper } = this;
    const kept = keeper.list.get(number);
    const key = `${number}:${kept ? kept.note : "-"}:${keeper.canWrite}`;
    if (this.shown === key || (this.number === number && this.element.contains(document.activeElement) && kept)) return;
    this.shown = key;
    this.number = number;
    if (!kept && !keeper.canWrite) {
      this.element.replaceChildren(keeper.why ? h("p", { class: "muted" }, keeper.why) : "");
      return;
    }
    const text = h("textarea", { rows: 2, maxlength: 20000, dir: "auto", "aria-label": "Note on this favourite",
      placeholder: "A note, kept with the favourite" });
    text.value = kept ? kept.note : "";
    const message = h("span", { role: "status", class: "muted" });
    const act = async (work, done) => {
      try {
        await work();
        message.textContent = done;
      } catch (error) {
        message.textContent = error.message;
      }
    };
    const star = button(kept ? "★ Favourite" : "☆ Make it a favourite", () =>
      act(() => (kept ? keeper.drop(number) : keeper.keep(number, text.value)), ""),
    { class: "star", "aria-pressed": String(Boolean(kept)), disabled: !keeper.canWrite });
    const save = button("Keep note", () => act(() => keeper.keep(number, text.value), "kept"));
    this.element.replaceChildren(h("div", { class: "bar" }, star, kept && keeper.canWrite ? save : "", message),
      kept ? (keeper.canWrite ? text : h("p", { class: "long" }, said(kept.note))) : "");
  }
}

export function favouriteList(keeper, front, pick) {
  const rows = [...keeper.list.values()];
  if (!rows.length) return h("p", { class: "muted" }, keeper.canWrite ? "None yet. Choose a solution and mark it with the star, or press F." : "None were marked.");
  return h("ul", { class: "steps" }, rows.map((one) => {
    const row = front.rows.get(one.number);
    const name = row === undefined ? `trial ${one.number}` : `solution ${row}`;
    return h("li", null, button(`★ ${name}`, () => pick(row), { disabled: row === undefined }), " ",
      h("div", { class: "long" }, said(one.note)),
      row === undefined ? h("span", { class: "muted" }, "no longer on the front") : null);
  }));
}

export function summaryOf(front, row) {
  return `solution ${row} of ${plural(front.size, "solution")}: ` +
    front.objectives.map((o, j) => `${axisName(o)} ${num(front.F[j][row])}`).join(", ");
}
