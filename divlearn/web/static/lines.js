// Lines over evaluations or seconds: values hold until the next one.

import { cut, h } from "./dom.js";
import { num } from "./words.js";
import { colours, frame, padded, sized, whenResized } from "./axes.js";

export class Lines {
  constructor(label, small) {
    this.canvas = h("canvas", { role: "img", "aria-label": label });
    this.label = label;
    this.tip = h("div", { class: "tip", hidden: true });
    this.element = h("div", { class: small ? "plot lines small" : "plot lines" },
      this.canvas, this.tip);
    this.state = null;
    this.element.addEventListener("pointermove", (event) => this.moved(event));
    this.element.addEventListener("pointerleave", () => { this.tip.hidden = true; });
    whenResized(this.element, () => this.draw());
  }

  // state: series [{name, x, y, colour?}], xName, yName
  show(state) {
    this.state = state;
    const last = state.series.map((one) =>
      `${one.name || state.yName} ${num(one.y[one.y.length - 1])}`);
    this.canvas.setAttribute("aria-label", `${this.label}: now ${last.join(", ")}`);
    this.draw();
  }

  get box() {
    const width = this.element.clientWidth || 400;
    const height = this.element.clientHeight || 200;
    return { left: 62, right: width - 14, top: 28, bottom: height - 44, width, height };
  }

  draw() {
    if (!this.state || !this.element.isConnected || !this.element.clientWidth) return;
    const { series, xName, yName } = this.state;
    const box = this.box;
    const palette = colours(this.element);
    const pen = sized(this.canvas, box.width, box.height);
    let [high, low, top] = [0, Infinity, -Infinity];
    for (const one of series) {
      one.x.forEach((v, i) => {
        high = Math.max(high, v);
        if (typeof one.y[i] !== "number") return;
        low = Math.min(low, one.y[i]);
        top = Math.max(top, one.y[i]);
      });
    }
    this.scales = frame(pen, box, { range: [0, high || 1], name: xName },
      { range: padded(low, top, 0.08), name: yName }, palette);
    series.forEach((one, k) => {
      const colour = series.length > 1 ? palette.series[k % 8] : palette.accent;
      this.line(pen, one, one.colour || colour);
    });
  }

  line(pen, { x, y }, colour) {
    const { sx, sy } = this.scales;
    pen.strokeStyle = colour;
    pen.lineWidth = 2;
    pen.lineJoin = "round";
    pen.beginPath();
    let before = null;
    x.forEach((v, i) => {
      if (typeof y[i] !== "number") return;
      if (before === null) pen.moveTo(sx(v), sy(y[i]));
      else {
        pen.lineTo(sx(v), sy(before));
        pen.lineTo(sx(v), sy(y[i]));
      }
      before = y[i];
    });
    pen.stroke();
  }

  moved(event) {
    if (!this.scales) return;
    const rect = this.element.getBoundingClientRect();
    const px = event.clientX - rect.left;
    const box = this.box;
    const most = Math.max(...this.state.series.map((one) => one.x[one.x.length - 1] || 0));
    const v = ((px - box.left) / (box.right - box.left)) * most;
    const rows = this.state.series.map((one) => {
      let i = one.x.findIndex((place) => place > v);
      i = i < 0 ? one.x.length - 1 : Math.max(0, i - 1);
      return [one.name || this.state.yName, one.x[i], one.y[i]];
    });
    this.tip.hidden = v < 0 || !rows.length;
    this.tip.replaceChildren(h("b", null, `${this.state.xName} ${num(rows[0][1], 4)}`),
      ...rows.map(([name, , y]) => h("div", null, cut(name), ` ${num(y)}`)));
    const right = px > box.width * 0.6;
    this.tip.style.left = right ? "" : `${px + 14}px`;
    this.tip.style.right = right ? `${box.width - px + 14}px` : "";
    this.tip.style.top = "30px";
  }
}
