// What a study says besides its front: progress, failures, workers, what matters.

import { button, card, cut, h, put, putOnce, said } from "./dom.js";
import { axisName, duration, num, percent, plural, speed } from "./words.js";
import { Lines } from "./lines.js";

export function statePill(head) {
  const reading = typeof head.share === "number" ? `reading, ${percent(head.share)}` : "";
  const word = head.error ? "cannot be read" : reading || head.state;
  return h("span", { class: `pill ${head.error ? "error" : head.state}` }, word);
}

export function progressBar(head) {
  if (head.error || !head.budget) return null;
  const share = Math.min(1, head.evaluations / head.budget);
  return h("progress", { max: 1, value: String(share), "aria-label": `${percent(share)} of the budget used` }, percent(share));
}

export function progressWords(head, now) {
  const of = head.budget ? ` of ${num(head.budget)}` : "";
  const words = [`${num(head.evaluations)}${of} evaluations in ${duration(head.seconds)}`];
  if (head.rate) words.push(speed(head.rate));
  else if (head.average) words.push(speed(head.average));
  if (head.left !== null && head.left !== undefined) words.push(`about ${duration(head.left)} left`);
  if (head.last && head.state === "running") words.push(`last outcome ${duration(Math.max(0, now - head.last))} ago`);
  return words.join(" · ");
}

export function tiles(head) {
  const failed = ["failed", "timed out", "infeasible"].reduce((sum, k) => sum + ((head.counts || {})[k] || 0), 0);
  const tile = (name, value, note) => h("div", { class: "tile" }, h("dt", null, name), h("dd", null, value, note ? h("small", null, ` ${note}`) : null));
  return h("dl", { class: "tiles" },
    tile("on the front", num(head.front_size)),
    head.ratio !== null && head.ratio !== undefined ? tile("hypervolume", num(head.ratio, 4), "of 1")
      : head.hypervolume ? tile("hypervolume", num(head.hypervolume, 4)) : null,
    tile("without values", num(failed), head.evaluations ? percent(failed / head.evaluations) : ""),
    head.running ? tile(head.state === "running" ? "running now" : "cut off", num(head.running)) : null,
    head.enqueued ? tile("enqueued", num(head.enqueued)) : null,
    (head.counts || {}).known ? tile("known before", num(head.counts.known)) : null);
}

export class Progress {
  constructor(objectives) {
    this.objectives = objectives;
    this.by = "evaluations";
    this.volume = new Lines("Hypervolume");
    this.best = objectives.map((o) => new Lines(`Best ${o.name} so far`, true));
    this.why = h("p", { class: "muted" });
    this.switch = h("div", { class: "bar" });
    this.grid = h("div", { class: "charts" }, this.best.map((one) => one.element));
    this.element = card("Progress", this.switch, this.volume.element, this.why, this.grid);
  }

  show(body) {
    this.body = body;
    const history = body.history || {};
    const x = history[this.by] || [];
    const xName = this.by === "evaluations" ? "evaluations" : "seconds of running";
    const measured = (history.hypervolume || []).some((v) => typeof v === "number");
    this.element.hidden = !x.length;
    this.volume.element.hidden = !measured;
    this.why.textContent = measured ? "" : body.reference
      ? "The hypervolume of so many points in so many objectives is not measured here."
      : "There is no hypervolume without a reference point; give the problem one to see how the front grows.";
    const yName = body.ideal ? "hypervolume (of 1)" : "hypervolume";
    if (measured) this.volume.show({ series: [{ x, y: history.hypervolume }], xName, yName });
    this.best.forEach((chart, j) => {
      chart.element.hidden = !(history.best || [])[j];
      if (!chart.element.hidden) chart.show({ series: [{ x, y: history.best[j] }], xName, yName: `best ${axisName(this.objectives[j])}` });
    });
    putOnce(this.switch, this.by, () => ["evaluations", "seconds"].map((by) => button(`by ${by}`, () => {
      this.by = by;
      this.show(this.body);
    }, { "aria-pressed": String(this.by === by) })));
  }
}

export class Failures {
  constructor(design) {
    this.design = design;
    this.body = h("div");
    this.element = card("Without values", this.body);
  }

  show(body) {
    this.element.hidden = !body.reasons.length;
    putOnce(this.body, JSON.stringify(body.reasons), () => body.reasons.slice(0, 30).map((reason) =>
      h("details", { class: "reason" },
        h("summary", null, h("b", null, `${num(reason.count)} ${reason.kind}`), " ", cut(reason.message.slice(0, 160) || "no message")),
        h("pre", { class: "message", tabindex: "0" }, reason.message),
        reason.numbers.length ? h("div", { class: "bar wrap" }, h("span", { class: "muted" }, "designs:"),
          reason.numbers.map((number) => button(`trial ${num(number)}`, (event) => this.open(number, event.target)))) : null)));
  }

  async open(number, near) {
    const place = near.closest("details");
    let box = place.querySelector(".opened");
    if (!box) place.append(box = h("div", { class: "opened" }));
    try {
      put(box, h("h3", null, `Trial ${num(number)}`), await this.design(number));
    } catch (error) {
      put(box, said(error.message));
    }
  }
}

export function workersCard() {
  const body = h("div");
  const element = card("Workers", body);
  return { element, show(view, now) {
    element.hidden = !view.workers.length && !view.now.length;
    const running = view.state === "running";
    put(body,
      view.now.length ? h("p", null, running ? `${plural(view.running, "evaluation")} under way: ` : `${plural(view.running, "evaluation")} cut off, run again on resuming: `,
        view.now.slice(0, 24).flatMap((one, i) => [i ? ", " : "", `trial ${num(one.number)}`,
          running ? h("span", { class: "muted" }, ` for ${duration(Math.max(0, now - one.asked))}`) : null])) : "",
      h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Table of workers" }, h("table", { class: "rows" },
        h("thead", null, h("tr", null, ["worker", "evaluations", "without values", "time each", "last outcome"].map((t) => h("th", { scope: "col" }, t)))),
        h("tbody", null, view.workers.map((w) => h("tr", null, h("th", { scope: "row" }, said(w.name)),
          h("td", { class: "num" }, num(w.evaluations)), h("td", { class: "num" }, num(w.failed)),
          h("td", { class: "num" }, duration(w.seconds / w.evaluations)),
          h("td", { class: "num" }, running ? `${duration(Math.max(0, now - w.last))} ago` : `trial ${num(w.number)}`)))))));
  } };
}

export function budgetCard() {
  const body = h("div");
  const element = card("Where the budget goes", body);
  return { element, show(view) {
    const spent = Object.entries(view.spent || {});
    const total = spent.reduce((sum, [, v]) => sum + v, 0);
    const counts = Object.entries(view.counts || {}).filter(([, n]) => n);
    element.hidden = !counts.length;
    const most = Math.max(...counts.map(([, n]) => n), 1);
    putOnce(body, JSON.stringify([counts, spent]), () => [
      bars(counts.map(([name, n]) => ({ name, share: n / most, text: num(n) }))),
      total > 0 ? [h("h3", null, `Time of evaluations, ${duration(total)} in all`),
        bars(spent.map(([name, v]) => ({ name, share: v / total, text: `${duration(v)}, ${percent(v / total)}` })))] : ""]);
  } };
}

export function bars(rows) {
  return h("table", { class: "bars" }, h("tbody", null, rows.map((row) => {
    const bar = h("span", { class: "bar-fill" });
    bar.style.width = `${Math.max(0.5, 100 * row.share)}%`;
    return h("tr", null, h("th", { scope: "row" }, said(row.name)), h("td", { class: "bar-cell" }, bar), h("td", { class: "num" }, row.text));
  })));
}

export function mattersBody(matters) {
  if (matters.error) return h("p", { class: "muted" }, said(matters.error));
  return [
    h("div", { class: "charts" }, matters.targets.map((target) => h("div", null, h("h3", null, said(target.name)),
      target.shares.length ? bars(target.shares.filter((one) => one.share >= 0.005).slice(0, 8).map((one) => ({
        name: one.knob, share: one.share,
        text: `${percent(one.share)}${one.error >= 0.005 ? ` ± ${(100 * one.error).toFixed(0)}` : ""}` }))) : null,
      h("p", { class: "muted" }, said(target.sure))))),
    Object.entries(matters.sections).map(([title, lines]) => h("details", { class: "reason" }, h("summary", null, title),
      h("ul", { class: "plain" }, lines.map((line) => h("li", { class: line.startsWith("  ") ? "inner" : null }, said(line.trim())))))),
  ];
}
