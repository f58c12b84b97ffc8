// Points on a canvas: the front, what stands behind it, and the one that is chosen.

import { cut, h } from "./dom.js";
import { axisName, num } from "./words.js";
import { Dots } from "./dots.js";
import { colours, frame, padded, ramp, sized, whenResized } from "./axes.js";

const REACH = 26;
// Fronts of more points are drawn as pixels.
const MANY_POINTS = 3000;

export class Scatter {
  // handlers: pick(row, together) when a point is clicked, move(by) for arrow keys,
  // key(name) for other keys.
  constructor(handlers, label) {
    this.handlers = handlers;
    this.base = h("canvas", { "aria-hidden": "true" });
    this.over = h("canvas", { "aria-hidden": "true" });
    this.tip = h("div", { class: "tip", hidden: true });
    this.area = h("div", {
      class: "plot", tabindex: "0", role: "slider", "aria-label": label,
      "aria-valuemin": "0", "aria-valuemax": "0", "aria-valuenow": "0",
      "aria-valuetext": "no solution yet",
    }, this.base, this.over, this.tip);
    this.element = this.area;
    this.area.scatter = this;
    this.state = null;
    this.zoom = null;
    this.hover = -1;
    this.dots = new Dots();
    this.listen();
    whenResized(this.area, () => this.draw());
  }

  listen() {
    const area = this.area;
    area.addEventListener("pointermove", (event) => this.moved(event));
    area.addEventListener("pointerleave", () => this.point(-1));
    area.addEventListener("pointerdown", (event) => this.pressed(event));
    area.addEventListener("pointerup", (event) => this.released(event));
    area.addEventListener("dblclick", () => this.reset());
    area.addEventListener("keydown", (event) => this.typed(event));
  }

  // state: front, x and y (columns), colour (column or null), mask, selected,
  // compared (rows), favourites (rows), others {x, y, feasible} or null, knee,
  // replay {x, y, all of x, all of y} of an earlier moment or null.
  // Points are drawn anew only if they are other points; marks always.
  show(state) {
    const points = [state.x.values, state.y.values, state.mask, state.colour && state.colour.values,
      state.others && state.others.x, state.others && state.others.y, state.front.version, state.replay];
    const same = this.points && points.every((part, k) => part === this.points[k]);
    this.state = state;
    if (same) {
      this.drawOver();
      return;
    }
    if (this.draw()) this.points = points;
  }

  reset() {
    this.zoom = null;
    this.draw();
  }

  get box() {
    const width = this.area.clientWidth || 600;
    const height = this.area.clientHeight || 400;
    return { left: 62, right: width - 14, top: 30, bottom: height - 46, width, height };
  }

  ranges() {
    if (this.zoom) return this.zoom;
    const { x, y, others, replay } = this.state;
    return [padded(...extent(x.values, others && others.x, replay && replay.everyX)),
      padded(...extent(y.values, others && others.y, replay && replay.everyY))];
  }

  draw() {
    if (!this.state || !this.area.isConnected || !this.area.clientWidth) return false;
    const { x, y, front } = this.state;
    const box = this.box;
    const palette = colours(this.area);
    this.palette = palette;
    const pen = sized(this.base, box.width, box.height);
    const [xr, yr] = this.ranges();
    this.scales = frame(pen, box, { range: xr, name: axisName(x) },
      { range: yr, name: axisName(y) }, palette);
    pen.save();
    pen.beginPath();
    pen.rect(box.left - 6, box.top - 6, box.right - box.left + 12, box.bottom - box.top + 12);
    pen.clip();
    this.drawOthers(pen, palette);
    this.drawPoints(pen, palette, front);
    pen.restore();
    this.drawOver();
    return true;
  }

  drawOthers(pen, palette) {
    const { others, replay } = this.state;
    if (!others || replay) return; // nobody knows when each of them came
    const { sx, sy } = this.scales;
    pen.fillStyle = palette.faint;
    pen.strokeStyle = palette.faint;
    for (let i = 0; i < others.x.length; i += 1) {
      const px = sx(others.x[i]);
      const py = sy(others.y[i]);
      if (others.feasible[i]) pen.fillRect(px - 1.5, py - 1.5, 3, 3);
      else pen.strokeRect(px - 1.5, py - 1.5, 3, 3);
    }
  }

  // Those beyond the limits first; at an earlier moment of a replay all, then its points.
  drawPoints(pen, palette, front) {
    const { x, y, mask, colour, replay } = this.state;
    const tones = colour ? ramp(palette.scale) : null;
    const [low, high] = colour ? extent(colour.values) : [0, 1];
    const tone = (i) => {
      const share = (colour.values[i] - low) / (high - low || 1);
      return tones[Math.round(63 * Math.min(1, Math.max(0, share || 0)))];
    };
    const { dot, end } = this.brush(pen, front.size);
    for (let i = 0; i < front.size; i += 1) {
      if (replay || !mask[i]) dot(x.values[i], y.values[i], palette.line);
    }
    for (let i = 0; i < front.size && !replay; i += 1) {
      if (mask[i]) dot(x.values[i], y.values[i], tones ? tone(i) : palette.accent);
    }
    for (let i = 0; replay && i < replay.x.length; i += 1) dot(replay.x[i], replay.y[i], palette.accent);
    end();
  }

  // How a front of so many points is drawn: dot(x, y, colour) each, and end().
  brush(pen, size) {
    const { sx, sy } = this.scales;
    if (size > MANY_POINTS) {
      const { dots, base, box } = this;
      const ratio = base.width / box.width;
      const side = Math.max(2, Math.round(4 * ratio));
      dots.begin(base.width, base.height);
      return {
        dot: (x, y, fill) => dots.square(sx(x) * ratio, sy(y) * ratio, side, dots.ink(fill)),
        end: () => dots.end(pen),
      };
    }
    const radius = size > 400 ? 3 : 4.5;
    return { end: () => null, dot: (x, y, fill) => {
      pen.fillStyle = fill;
      pen.beginPath();
      pen.arc(sx(x), sy(y), radius, 0, 6.2832);
      pen.fill();
    } };
  }

  drawOver() {
    if (!this.scales) return;
    const box = this.box;
    const { palette } = this;
    const pen = sized(this.over, box.width, box.height);
    const { selected, compared, favourites, knee, front } = this.state;
    const at = (i) => this.at(i);
    const ring = (i, radius, colour, width) => {
      const [px, py] = at(i);
      pen.strokeStyle = colour;
      pen.lineWidth = width;
      pen.beginPath();
      pen.arc(px, py, radius, 0, 6.2832);
      pen.stroke();
    };
    if (knee >= 0 && knee < front.size) this.diamond(pen, at(knee), palette);
    for (const i of favourites) star(pen, at(i), palette.gold, palette.card);
    for (const i of compared) ring(i, 8, palette.second, 2.5);
    if (selected >= 0 && selected < front.size) {
      ring(selected, 9, palette.card, 5);
      ring(selected, 9, palette.mark, 3);
    }
    if (this.hover >= 0 && this.hover < front.size) ring(this.hover, 7, palette.text, 1.5);
    if (this.drag) {
      pen.strokeStyle = palette.mark;
      pen.lineWidth = 1;
      const { x0, y0, x1, y1 } = this.drag;
      pen.strokeRect(Math.min(x0, x1), Math.min(y0, y1), Math.abs(x1 - x0), Math.abs(y1 - y0));
    }
  }

  diamond(pen, [px, py], palette) {
    pen.strokeStyle = palette.text;
    pen.lineWidth = 1.5;
    pen.beginPath();
    for (const [dx, dy] of [[0, -10], [10, 0], [0, 10], [-10, 0]]) pen.lineTo(px + dx, py + dy);
    pen.closePath();
    pen.stroke();
  }

  // Where a solution is drawn, in pixels.
  at(i) {
    const { x, y } = this.state;
    return [this.scales.sx(x.values[i]), this.scales.sy(y.values[i])];
  }

  nearestTo(px, py) {
    const { x, y, front } = this.state;
    const { sx, sy } = this.scales;
    let best = -1;
    let least = REACH * REACH;
    for (let i = 0; i < front.size; i += 1) {
      const dx = sx(x.values[i]) - px;
      if (dx > REACH || dx < -REACH) continue;
      const dy = sy(y.values[i]) - py;
      const apart = dx * dx + dy * dy;
      if (apart < least) [best, least] = [i, apart];
    }
    return best;
  }

  place(event) {
    const rect = this.area.getBoundingClientRect();
    return [event.clientX - rect.left, event.clientY - rect.top];
  }

  pressed(event) {
    if (event.button !== 0 || !this.scales) return;
    const [x0, y0] = this.place(event);
    this.press = { x0, y0 };
  }

  moved(event) {
    if (!this.scales) return;
    const [px, py] = this.place(event);
    if (this.press && event.pointerType === "mouse" &&
        Math.hypot(px - this.press.x0, py - this.press.y0) > 6) {
      this.drag = { ...this.press, x1: px, y1: py };
      this.drawOver();
      return;
    }
    this.point(this.nearestTo(px, py));
  }

  released(event) {
    const drag = this.drag;
    const pressed = this.press;
    this.drag = null;
    this.press = null;
    if (!this.scales || !pressed) return;
    if (drag) {
      this.zoomTo(drag);
      return;
    }
    const row = this.nearestTo(...this.place(event));
    if (row >= 0) this.handlers.pick(row, event.shiftKey || event.ctrlKey || event.metaKey);
  }

  zoomTo({ x0, y0, x1, y1 }) {
    const box = this.box;
    const [xr, yr] = this.ranges();
    const vx = (px) => xr[0] + ((px - box.left) / (box.right - box.left)) * (xr[1] - xr[0]);
    const vy = (py) => yr[0] + ((box.bottom - py) / (box.bottom - box.top)) * (yr[1] - yr[0]);
    if (Math.abs(x1 - x0) > 8 && Math.abs(y1 - y0) > 8) {
      this.zoom = [[vx(Math.min(x0, x1)), vx(Math.max(x0, x1))],
        [vy(Math.max(y0, y1)), vy(Math.min(y0, y1))]];
    }
    this.draw();
  }

  point(row) {
    if (row === this.hover) return;
    this.hover = row;
    this.tip.hidden = row < 0;
    this.area.classList.toggle("hit", row >= 0);
    if (row >= 0) this.tell(row);
    this.drawOver();
  }

  tell(row) {
    const { front, x, y } = this.state;
    this.tip.replaceChildren(
      h("b", null, `solution ${row}`),
      ...front.objectives.map((o, j) =>
        h("div", null, cut(axisName(o)), ` ${num(front.F[j][row])}`)));
    const px = this.scales.sx(x.values[row]);
    const py = this.scales.sy(y.values[row]);
    const right = px > this.box.width * 0.6;
    this.tip.style.left = right ? "" : `${px + 14}px`;
    this.tip.style.right = right ? `${this.box.width - px + 14}px` : "";
    this.tip.style.top = `${Math.max(0, py - 20)}px`;
  }

  typed(event) {
    const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageDown: -10,
      PageUp: 10, Home: -Infinity, End: Infinity };
    if (event.key in steps) this.handlers.move(steps[event.key]);
    else if (event.key === "Escape" && this.zoom) this.reset();
    else if (event.altKey || event.ctrlKey || event.metaKey || !this.handlers.key(event.key)) return;
    event.preventDefault();
  }

  announce(row, text) {
    const size = this.state ? this.state.front.size : 0;
    this.area.setAttribute("aria-valuemax", String(Math.max(0, size - 1)));
    this.area.setAttribute("aria-valuenow", String(Math.max(0, row)));
    this.area.setAttribute("aria-valuetext", text);
  }
}

export function extent(...columns) {
  let low = Infinity;
  let high = -Infinity;
  for (const column of columns.filter(Boolean)) {
    for (const v of column) {
      if (typeof v !== "number") continue;
      if (v < low) low = v;
      if (v > high) high = v;
    }
  }
  return [low, high];
}

function star(pen, [px, py], fill, edge) {
  pen.beginPath();
  for (let k = 0; k < 10; k += 1) {
    const r = k % 2 ? 4 : 9;
    const a = (Math.PI * k) / 5 - Math.PI / 2;
    pen.lineTo(px + r * Math.cos(a), py + r * Math.sin(a));
  }
  pen.closePath();
  pen.fillStyle = fill;
  pen.strokeStyle = edge;
  pen.lineWidth = 1.5;
  pen.stroke();
  pen.fill();
}
