// Two or more designs beside each other: what differs, and what it buys.

import { button, download, h, said } from "./dom.js";
import { axisName, designRows, num, percent, valueText } from "./words.js";

export function compareTable(front, picked, kinds, remove) {
  const rows = picked.map(({ number }) => front.rows.get(number));
  const designs = picked.map(({ x }) => new Map(designRows(x, kinds).map((r) => [r.name, valueText(r)])));
  const names = [...new Set(designs.flatMap((d) => [...d.keys()]))];
  const differing = names.filter((n) => new Set(designs.map((d) => d.get(n))).size > 1);
  const head = h("tr", null, h("th", { scope: "col" }, "solution"),
    picked.map(({ number }, k) => h("th", { scope: "col" }, rows[k] === undefined ? `trial ${number}` : `${rows[k]}`,
      " ", button("×", () => remove(number), { class: "quiet", "aria-label": `Take ${number} out of the comparison` }))));
  const outcome = front.objectives.map((objective, j) => {
    const values = rows.map((i) => (i === undefined ? null : front.F[j][i]));
    const best = Math.min(...values.filter((v) => v !== null).map((v) => v * front.sign[j]));
    return h("tr", null, h("th", { scope: "row" }, said(axisName(objective))),
      values.map((v, k) => h("td", { class: v !== null && v * front.sign[j] === best ? "num best" : "num" },
        num(v), k > 0 ? change(front, j, rows[0], rows[k]) : null)));
  });
  const body = differing.map((name) => h("tr", null, h("th", { scope: "row" }, said(axisName({ name, unit: front.units[name] }))),
    designs.map((d) => h("td", null, d.has(name) ? said(d.get(name)) : h("span", { class: "muted" }, "does not exist")))));
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Compared solutions" },
    h("table", { class: "compare" }, h("thead", null, head), h("tbody", null, outcome,
      h("tr", { class: "rule" }, h("th", { scope: "rowgroup", colspan: picked.length + 1 },
        differing.length ? "What differs in the designs" : "The designs do not differ")), body)));
}

// Change against the first, as a share of the front's range.
function change(front, j, first, row) {
  if (first === undefined || row === undefined) return null;
  const share = front.loss[j][row] - front.loss[j][first];
  if (!share) return null;
  const word = share < 0 ? "better" : "worse";
  return h("small", { class: share < 0 ? "good" : "poor" }, ` ${percent(Math.abs(share))} of the range ${word}`);
}

export function exportRows(front, picked) {
  return picked.map(({ number, x }) => {
    const i = front.rows.get(number);
    const values = i === undefined ? {} : Object.fromEntries(front.columns()
      .filter((c) => c.group !== "knob").map((c) => [c.name, c.values[i]]));
    return { number, ...values, x };
  });
}

export function saveChoice(front, picked, name, kind) {
  const rows = exportRows(front, picked);
  if (kind === "json") {
    download(`${name}.json`, "application/json", `${JSON.stringify(rows, null, 1)}\n`);
    return;
  }
  const flat = rows.map(({ x, ...rest }) => ({
    ...rest,
    ...Object.fromEntries(designRows(x).map((r) => [r.name, Array.isArray(r.value) ? JSON.stringify(r.value) : r.value])),
  }));
  const titles = [...new Set(flat.flatMap((r) => Object.keys(r)))];
  const lines = [titles, ...flat.map((r) => titles.map((t) => r[t]))];
  download(`${name}.csv`, "text/csv", `${lines.map((l) => l.map(csvCell).join(",")).join("\n")}\n`);
}

// A cell that no spreadsheet takes for a formula.
export function csvCell(value) {
  if (value === null || value === undefined) return "";
  let text = String(value);
  if (typeof value === "string" && /^[=+\-@\t\r]/.test(text)) text = `'${text}`;
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
