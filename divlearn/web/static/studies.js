// The list of studies, each a card; side by side where their objectives are the same.

import { card, cut, h, put } from "./dom.js";
import { axisName, num } from "./words.js";
import { progressBar, progressWords, statePill } from "./panels.js";
import { Overlay } from "./overlay.js";

// What runs comes first, what cannot be read last.
function rank(head) {
  if (head.error) return 2;
  return head.state === "running" ? 0 : 1;
}

export class StudyList {
  constructor() {
    this.cards = new Map();
    this.list = h("ul", { class: "cards" });
    this.together = h("div", { class: "stack" });
    this.overlays = new Map();
    this.empty = h("p", { class: "muted" }, "There is no study here yet; the page looks for new ones every few seconds.");
    this.element = h("div", null, h("h1", { class: "page-title" }, "Studies"), this.empty, this.list, this.together);
  }

  show(heads, now) {
    this.empty.hidden = heads.length > 0;
    const order = [...heads].sort((a, b) => rank(a) - rank(b));
    for (const head of order) this.showOne(head, now);
    const sequence = order.map((head) => head.id).join();
    if (sequence !== this.sequence) {
      this.sequence = sequence;
      put(this.list, order.map((head) => this.cards.get(head.id).item));
    }
    this.showTogether(heads.filter((head) => !head.error && head.few.length));
  }

  showOne(head, now) {
    let one = this.cards.get(head.id);
    if (!one) {
      one = { mini: new Overlay(`Front of ${head.problem || head.label}`, true), body: h("div") };
      one.link = h("a", { class: "card", href: `#/${head.id}` }, one.body, one.mini.element, one.foot = h("div"));
      one.item = h("li", null, one.link);
      this.cards.set(head.id, one);
    }
    put(one.body,
      h("div", { class: "title" }, h("h2", null, cut(head.error ? head.label : head.problem)), statePill(head)),
      head.error ? "" : h("div", { class: "where" }, cut(head.label), head.method ? `, ${head.method}` : ""));
    one.mini.element.hidden = Boolean(head.error) || !head.few.length;
    if (head.error) {
      put(one.foot, h("p", { class: "error" }, cut(head.error)));
      return;
    }
    one.mini.show({ series: [{ name: "", points: head.few }] });
    const size = head.kind === "benchmark" ? `${num(head.front_size)} runs` : `${num(head.front_size)} on the front`;
    put(one.foot, progressBar(head), h("p", { class: "muted num" }, progressWords(head, now)),
      h("p", { class: "num" }, size, head.ratio ? `, hypervolume ${num(head.ratio, 4)} of 1` : ""));
  }

  showTogether(heads) {
    const groups = new Map();
    for (const head of heads.filter((one) => one.objectives.length > 1)) {
      const key = JSON.stringify(head.objectives);
      groups.set(key, [...(groups.get(key) || []), head]);
    }
    for (const [key, group] of groups) {
      if (group.length < 2) continue;
      if (!this.overlays.has(key)) {
        const overlay = new Overlay("Fronts of several studies");
        this.overlays.set(key, overlay);
        const [first, second] = group[0].objectives;
        const box = card([`Side by side: `, cut(axisName(first)), " and ", cut(axisName(second))], overlay.element);
        this.together.append(box);
      }
      const [x, y] = group[0].objectives;
      this.overlays.get(key).show({ xName: axisName(x), yName: axisName(y),
        series: group.map((head) => ({ name: head.label, points: head.few })) });
    }
  }
}
