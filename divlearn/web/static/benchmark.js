// A benchmark: means by problem and method, and fronts of the first instances.

import { card, h, put, said, select } from "./dom.js";
import { num } from "./words.js";
import { Overlay } from "./overlay.js";

export function benchmarkPage(body) {
  const tables = body.tables.map((table) => {
    const best = table.rows.map((row) => Math.max(...row.map((cell) => (cell ? cell.mean : -Infinity))));
    const box = card(table.title, h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Table: ${table.title}` },
      h("table", { class: "rows" },
        h("thead", null, h("tr", null, h("th", { scope: "col" }, "problem"), table.columns.map((name) => h("th", { scope: "col" }, said(name))))),
        h("tbody", null, table.rows.map((row, i) => h("tr", null, h("th", { scope: "row" }, said(table.names[i])),
          row.map((cell) => meanCell(cell, best[i]))))))));
    box.classList.add("full");
    return box;
  });
  return h("div", { class: "stack" }, tables, body.fronts.length ? frontsCard(body.fronts) : "", reasonsCard(body.reasons));
}

function meanCell(cell, best) {
  if (!cell) return h("td", null, "–");
  const known = typeof cell.low === "number";
  return h("td", { class: "num" }, cell.mean === best ? h("b", null, num(cell.mean, 4)) : num(cell.mean, 4),
    known ? h("small", { class: "muted" }, ` ${num(cell.low, 4)} to ${num(cell.high, 4)}`) : null);
}

function frontsCard(fronts) {
  const overlay = new Overlay("Fronts of all methods on one instance");
  const place = h("div", { class: "bar" });
  const show = (i) => overlay.show({ series: fronts[i].series, xName: fronts[i].axes[0], yName: fronts[i].axes.at(-1) });
  put(place, select("Problem", fronts.map((one, i) => [String(i), `${one.name}, instance ${one.instance}`]), "0", (i) => show(Number(i))));
  const box = card("Fronts", place, overlay.element);
  box.classList.add("full");
  show(0);
  return box;
}

function reasonsCard(reasons) {
  if (!reasons.length) return "";
  return card("Runs that failed", h("ul", { class: "plain" }, reasons.map((one) => h("li", null, said(`${one.kind}: ${one.message}`)))));
}
