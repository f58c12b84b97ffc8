// The front as a table: sorted by a click, a page at a time.

import { button, cut, h, said } from "./dom.js";
import { axisName, num } from "./words.js";

const PAGE = 15;
const MOST_COLUMNS = 12;

export class FrontTable {
  constructor(pick) {
    this.pick = pick;
    this.by = null;
    this.down = false;
    this.page = 0;
    this.element = h("div");
  }

  // rows: those that keep all limits; selected: a row; favourites: numbers.
  show(front, rows, selected, favourites) {
    const before = this.last;
    this.last = [front, rows, selected, favourites];
    const key = JSON.stringify([front.version, this.by, this.down, this.page, ...favourites]);
    if (before && before[1] === rows && this.shown === key) {
      this.mark(selected);
      return;
    }
    const columns = front.columns().slice(0, MOST_COLUMNS);
    this.sortRows(columns.find((c) => c.key === this.by), rows, front.version);
    const pages = Math.max(1, Math.ceil(rows.length / PAGE));
    this.page = Math.min(this.page, pages - 1);
    this.shown = key;
    const shown = this.sorted.rows.slice(this.page * PAGE, (this.page + 1) * PAGE);
    const focused = document.activeElement && this.element.contains(document.activeElement)
      ? document.activeElement.dataset.key : null;
    this.element.replaceChildren(
      h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Solutions of the front" },
        h("table", { class: "rows" },
          h("thead", null, h("tr", null, h("th", { scope: "col" }, "solution"), columns.map((c) => this.title(c)))),
          h("tbody", null, shown.map((i) => this.row(front, columns, i, i === selected, favourites.has(front.numbers[i])))))),
      h("div", { class: "bar" },
        button("Previous", () => this.turn(-1), { disabled: this.page === 0, "data-key": "back" }),
        h("span", { class: "muted" }, `page ${this.page + 1} of ${pages}, ${num(rows.length)} solutions`),
        button("Next", () => this.turn(1), { disabled: this.page >= pages - 1, "data-key": "on" })));
    if (focused) {
      const again = [...this.element.querySelectorAll("[data-key]")].find((e) => e.dataset.key === focused);
      if (again) again.focus();
    }
  }

  // Sort rows by a column, unless they are sorted so already.
  sortRows(column, rows, version) {
    const by = `${column ? column.key : ""}:${this.down}:${version}`;
    if (this.sorted && this.sorted.of === rows && this.sorted.by === by) return;
    const down = this.down ? -1 : 1;
    const sorted = column ? [...rows].sort((a, b) => down * order(column.values[a], column.values[b])) : rows;
    this.sorted = { of: rows, by, rows: sorted };
  }

  // Another row is chosen; all else stays.
  mark(selected) {
    for (const line of this.element.querySelectorAll("tbody tr")) {
      const chosen = line.dataset.row === String(selected);
      if (line.classList.contains("chosen") === chosen) continue;
      line.classList.toggle("chosen", chosen);
      line.querySelector("button").setAttribute("aria-pressed", String(chosen));
    }
  }

  title(column) {
    const here = this.by === column.key;
    const arrow = here ? (this.down ? " ↓" : " ↑") : "";
    const numeric = typeof column.values.find((v) => v !== null) === "number";
    return h("th", { scope: "col", class: numeric ? "num" : null, "aria-sort": here ? (this.down ? "descending" : "ascending") : null },
      h("button", { type: "button", class: "quiet", "data-key": column.key, onclick: () => this.sort(column.key) },
        cut(axisName(column)), arrow));
  }

  row(front, columns, i, chosen, favourite) {
    return h("tr", { class: chosen ? "chosen" : null, "data-row": i },
      h("th", { scope: "row" }, button(`${favourite ? "★ " : ""}${i}`, () => this.pick(i), { class: "quiet", "data-key": `row ${i}`,
        "aria-label": `Choose solution ${i}${favourite ? ", a favourite" : ""}`, "aria-pressed": String(chosen) })),
      columns.map((c) => {
        const value = c.values[i];
        return h("td", { class: typeof value === "number" ? "num" : null }, typeof value === "number" ? num(value) : value === null ? "–" : said(value));
      }));
  }

  sort(key) {
    this.down = this.by === key ? !this.down : false;
    this.by = key;
    this.page = 0;
    this.show(...this.last);
  }

  turn(by) {
    this.page += by;
    this.show(...this.last);
  }
}

function order(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b));
}
