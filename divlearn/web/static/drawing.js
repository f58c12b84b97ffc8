// Sketches of designs as SVG: tours, schedules, groups, choices, assignments, graphs, rows.

import { h, s, said } from "./dom.js";
import { num } from "./words.js";

const SIDE = 240;

export function drawing(sketch) {
  const draw = { tour: maps, routes: maps, schedule: timeBars, groups: timeBars, choice: choiceOf, assignment: assignmentOf, network: networkOf, rows: rowsOf }[sketch.kind];
  if (!draw) return null;
  return h("div", { class: "sketch" }, draw(sketch), sketch.note ? h("p", { class: "muted" }, said(sketch.note)) : null);
}

function placed(points) {
  const xs = points.map((p) => p[0]);
  const ys = points.map((p) => p[1]);
  const [x0, x1] = [Math.min(...xs), Math.max(...xs)];
  const [y0, y1] = [Math.min(...ys), Math.max(...ys)];
  const scale = (SIDE - 24) / Math.max(x1 - x0, y1 - y0, 1e-12);
  const left = (SIDE - (x1 - x0) * scale) / 2;
  const top = (SIDE - (y1 - y0) * scale) / 2;
  return points.map(([x, y]) => [left + (x - x0) * scale, SIDE - top - (y - y0) * scale]);
}

function maps(sketch) {
  return h("div", { class: "maps" }, sketch.panels.map((panel) => {
    const at = placed(panel.points);
    const trip = (line, k) => s("polyline", { points: line.map((i) => at[i].map((v) => v.toFixed(1)).join(",")).join(" "),
      class: `trip series-${(k % 8) + 1}` });
    const size = at.length > 60 ? 1.8 : 3;
    const dot = ([x, y], i) => s("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: i === sketch.depot ? 6 : size,
      class: i === sketch.depot ? "depot" : "stop" }, s("title", null, String(sketch.labels[i])));
    return h("figure", null,
      s("svg", { viewBox: `0 0 ${SIDE} ${SIDE}`, role: "img", "aria-label": `${sketch.kind} ${panel.title}` },
        panel.lines.map(trip), at.map(dot)),
      panel.title ? h("figcaption", null, said(panel.title)) : null);
  }));
}

function timeBars(sketch) {
  const ends = [...sketch.bars.map((b) => b.end), ...(sketch.due || []).map((d) => d.time), ...(sketch.limits || [])];
  const most = Math.max(...ends, 1e-12);
  const [left, width, row] = [70, 420, 26];
  const x = (v) => left + (v / most) * (width - left - 6);
  const height = sketch.rows.length * row + 24;
  const late = new Set((sketch.due || []).filter((d) => d.end > d.time).map((d) => d.item));
  const bar = (b) => {
    const wide = x(b.end) - x(b.start);
    const [y, label] = [b.row * row + 3, String(b.label)];
    return s("g", null, s("title", null, `${label}: ${num(b.start, 4)} to ${num(b.end, 4)}`),
      s("rect", { x: x(b.start).toFixed(1), y, width: Math.max(0.5, wide - 0.8).toFixed(1), height: row - 6, rx: 2,
        class: `bar tone-${b.item % 8}${late.has(b.item) ? " late" : ""}` }),
      wide > 8 + 7 * label.length ? s("text", { x: ((x(b.start) + x(b.end)) / 2).toFixed(1), y: y + 14, class: "inside" }, label) : null);
  };
  const told = late.size ? h("p", { class: "muted" }, `late, with an edge: ${late.size}`) : null;
  return h("div", null, s("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", class: "wide", "aria-label": sketch.kind },
    sketch.rows.map((name, k) => s("text", { x: left - 6, y: k * row + 17, class: "row-name" }, String(name).slice(0, 10))),
    sketch.bars.map(bar),
    (sketch.limits || []).map((limit, k) => s("line", { x1: x(limit), x2: x(limit), y1: k * row + 1, y2: k * row + row - 1, class: "due" })),
    s("text", { x: left, y: height - 6, class: "axis" }, "0"),
    s("text", { x: width - 6, y: height - 6, class: "axis end" }, `${num(most, 4)} ${sketch.axis || ""}`)), told);
}

function choiceOf(sketch) {
  const side = Math.max(6, Math.min(18, Math.floor(420 / Math.ceil(Math.sqrt(sketch.items.length * 3)))));
  const across = Math.floor(420 / side);
  const down = Math.ceil(sketch.items.length / across);
  const worth = sketch.items.map((item) => item.values.reduce((a, b) => a + b, 0));
  const most = Math.max(...worth, 1e-12);
  const box = (item, i) => {
    const inner = (side - 2) * Math.sqrt(Math.max(0.15, worth[i] / most));
    const [x, y] = [(i % across) * side + side / 2, Math.floor(i / across) * side + side / 2];
    return s("rect", { x: (x - inner / 2).toFixed(1), y: (y - inner / 2).toFixed(1), width: inner.toFixed(1), height: inner.toFixed(1),
      class: item.chosen ? "chosen" : "left-out" }, s("title", null, `${item.label}: ${item.chosen ? "chosen" : "not chosen"}`));
  };
  return h("div", null,
    s("svg", { viewBox: `0 0 420 ${down * side}`, role: "img", class: "wide", "aria-label": "chosen items" }, sketch.items.map(box)),
    sketch.limits.map((limit) => h("div", { class: "limit-name" }, said(limit.name),
      h("span", { class: "num" }, `${num(limit.used, 4)} of ${num(limit.capacity, 4)}`))));
}

function assignmentOf(sketch) {
  const at = placed(sketch.points);
  return h("div", { class: "maps" }, h("figure", null,
    s("svg", { viewBox: `0 0 ${SIDE} ${SIDE}`, role: "img", "aria-label": "assignment" },
      sketch.links.map(([a, b, strength]) => s("line", { x1: at[a][0], y1: at[a][1], x2: at[b][0], y2: at[b][1],
        class: "link", "stroke-width": (0.4 + 3 * strength).toFixed(1) })),
      at.map(([x, y], i) => s("g", null, s("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: 9, class: "place" }),
        s("text", { x: x.toFixed(1), y: (y + 3.5).toFixed(1), class: "inside" }, String(sketch.labels[i]).slice(0, 4)))))));
}

function networkOf(sketch) {
  const count = sketch.chosen.filter(Boolean).length;
  const bad = sketch.panels.reduce((sum, panel) => sum + panel.bad.length, 0);
  const words = `${num(count)} of ${num(sketch.chosen.length)} chosen${bad ? `, ${num(bad)} edges violated` : ""}`;
  const size = sketch.chosen.length > 60 ? 3 : 5.5;
  return h("div", null, h("div", { class: "maps" }, sketch.panels.map((panel) => {
    const at = placed(panel.points);
    const line = (name) => ([a, b]) => s("line", { x1: at[a][0].toFixed(1), y1: at[a][1].toFixed(1), x2: at[b][0].toFixed(1), y2: at[b][1].toFixed(1), class: name });
    return h("figure", null,
      s("svg", { viewBox: `0 0 ${SIDE} ${SIDE}`, role: "img", "aria-label": `${panel.title} ${words}`.trim() },
        panel.links.map(line("link")), panel.bad.map(line("bad-link")),
        at.map(([x, y], i) => s("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: size, class: sketch.chosen[i] ? "chosen" : "node" },
          s("title", null, `${sketch.labels[i]}: ${sketch.chosen[i] ? "chosen" : "not chosen"}`)))),
      panel.title ? h("figcaption", null, said(panel.title)) : null);
  })), h("p", { class: "muted" }, words));
}

function rowsOf(sketch) {
  const { columns, rows } = sketch;
  const side = Math.max(2.5, Math.min(16, 400 / Math.max(columns.length, 1), 400 / rows.length));
  const wide = Math.max(side, side * columns.length);
  const wrong = rows.filter((row) => row.bad).length;
  const words = `${num(columns.length)} columns chosen, ${num(rows.length)} rows${wrong ? `, ${num(wrong)} violated` : ""}`;
  const gap = Math.min(1.5, side / 5);
  return h("div", null,
    s("svg", { viewBox: `0 0 ${wide.toFixed(1)} ${(side * rows.length).toFixed(1)}`, role: "img", class: "table", "aria-label": words },
      rows.map((row, r) => s("g", null,
        s("rect", { x: 0, y: (r * side).toFixed(1), width: wide.toFixed(1), height: Math.max(0.5, side - gap).toFixed(1), class: row.bad ? "row-bad" : "row-good" },
          s("title", null, `row ${row.label}: ${row.marks.length} chosen`)),
        row.marks.map((c) => s("rect", { x: (c * side).toFixed(1), y: (r * side).toFixed(1), width: (side - gap).toFixed(1), height: (side - gap).toFixed(1), class: "chosen" },
          s("title", null, `column ${columns[c]} in row ${row.label}`)))))),
    h("p", { class: "muted" }, words));
}
