// Parallel coordinates: an axis per objective, a line per solution, the best at the top.

import { h } from "./dom.js";
import { axisName } from "./words.js";
import { clipped, colours, short, sized, whenResized } from "./axes.js";

export class Parallel {
  constructor(handlers) {
    this.handlers = handlers;
    this.canvas = h("canvas", { "aria-hidden": "true" });
    this.element = h("div", { class: "plot lines" }, this.canvas);
    this.state = null;
    this.element.addEventListener("click", (event) => this.clicked(event));
    whenResized(this.element, () => this.draw());
  }

  show(state) {
    this.state = state;
    this.draw();
  }

  get box() {
    const width = this.element.clientWidth || 600;
    const height = this.element.clientHeight || 400;
    return { left: 50, right: width - 50, top: 44, bottom: height - 34, width, height };
  }

  placeOf(j) {
    const { left, right } = this.box;
    return left + (j / Math.max(1, this.state.front.objectives.length - 1)) * (right - left);
  }

  heightOf(i, j) {
    return this.level(this.state.front.loss[j][i]);
  }

  // Height of a loss, 0 for the best and 1 for the worst of the front; what is worse
  // than that, at an earlier moment, stands just below.
  level(loss) {
    const { top, bottom } = this.box;
    return top + Math.min(1.04, loss) * (bottom - top);
  }

  draw() {
    if (!this.state || !this.element.isConnected || !this.element.clientWidth) return;
    const { front, mask, selected, compared, replay } = this.state;
    const box = this.box;
    const palette = colours(this.element);
    const pen = sized(this.canvas, box.width, box.height);
    const line = (i, colour, width) => {
      pen.strokeStyle = colour;
      pen.lineWidth = width;
      pen.beginPath();
      front.objectives.forEach((_, j) => pen.lineTo(this.placeOf(j), this.heightOf(i, j)));
      pen.stroke();
    };
    const every = Math.ceil(front.size / 2000);
    for (let i = 0; i < front.size; i += every) if (replay || !mask[i]) line(i, palette.grid, 1);
    pen.globalAlpha = front.size > 150 ? 0.35 : 0.7;
    for (let i = 0; i < front.size && !replay; i += every) if (mask[i]) line(i, palette.accent, 1);
    if (replay) this.drawEarlier(pen, replay.F, palette.accent);
    pen.globalAlpha = 1;
    for (const i of compared) line(i, palette.second, 2.5);
    if (selected >= 0 && selected < front.size) line(selected, palette.mark, 3.5);
    this.drawAxes(pen, palette);
  }

  drawEarlier(pen, F, colour) {
    const { front } = this.state;
    const every = Math.ceil(F[0].length / 2000);
    pen.strokeStyle = colour;
    for (let i = 0; i < F[0].length; i += every) {
      pen.beginPath();
      F.forEach((column, j) => pen.lineTo(this.placeOf(j), this.level(front.lossOf(j, column[i]))));
      pen.stroke();
    }
  }

  drawAxes(pen, palette) {
    const { front } = this.state;
    const box = this.box;
    const room = (box.right - box.left) / Math.max(1, front.objectives.length - 1);
    front.objectives.forEach((objective, j) => {
      const px = this.placeOf(j);
      const [low, high] = front.spans[j];
      const [best, worst] = front.sign[j] > 0 ? [low, high] : [high, low];
      pen.strokeStyle = palette.text;
      pen.lineWidth = 1;
      pen.strokeRect(px, box.top, 0.5, box.bottom - box.top);
      pen.fillStyle = palette.text;
      pen.textAlign = j === 0 ? "left" : j === front.objectives.length - 1 ? "right" : "center";
      const edge = j === 0 ? px - 46 : pen.textAlign === "right" ? px + 46 : px;
      pen.textBaseline = "bottom";
      pen.fillText(clipped(pen, axisName(objective), room - 8), edge, box.top - 22);
      pen.fillStyle = palette.muted;
      pen.fillText(front.size ? short(best) : "", edge, box.top - 6);
      pen.textBaseline = "top";
      pen.fillText(front.size ? short(worst) : "", edge, box.bottom + 8);
    });
  }

  clicked(event) {
    const rect = this.element.getBoundingClientRect();
    const [px, py] = [event.clientX - rect.left, event.clientY - rect.top];
    const { front } = this.state;
    let best = -1;
    let least = 30;
    for (let i = 0; i < front.size; i += 1) {
      for (let j = 0; j + 1 < front.objectives.length; j += 1) {
        const [x0, x1] = [this.placeOf(j), this.placeOf(j + 1)];
        if (px < x0 || px > x1) continue;
        const share = (px - x0) / (x1 - x0 || 1);
        const y = this.heightOf(i, j) * (1 - share) + this.heightOf(i, j + 1) * share;
        if (Math.abs(y - py) < least) [best, least] = [i, Math.abs(y - py)];
      }
    }
    if (best >= 0) this.handlers.pick(best, event.shiftKey || event.ctrlKey || event.metaKey);
  }
}
