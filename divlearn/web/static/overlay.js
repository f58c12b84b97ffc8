// Several fronts in one picture: of studies with the same objectives, or of methods.

import { cut, h } from "./dom.js";
import { colours, frame, padded, sized, whenResized } from "./axes.js";

export class Overlay {
  constructor(label, bare) {
    this.bare = bare;
    this.canvas = h("canvas", { role: "img", "aria-label": label });
    this.legend = h("div", { class: "legend" });
    this.plot = h("div", { class: "plot" }, this.canvas);
    this.element = bare ? this.canvas : h("div", null, this.plot, this.legend);
    this.state = null;
    whenResized(bare ? this.canvas : this.plot, () => this.draw());
  }

  // state: series [{name, points [[x, y]]}], xName, yName
  show(state) {
    this.state = state;
    if (!this.bare) {
      this.legend.replaceChildren(...state.series.map((one, k) => {
        const key = h("i", { class: "key front" });
        key.style.background = `var(--series-${(k % 8) + 1})`;
        return h("span", null, key, cut(one.name));
      }));
    }
    this.draw();
  }

  draw() {
    const place = this.bare ? this.canvas : this.plot;
    const [width, height] = [place.clientWidth, place.clientHeight];
    if (!this.state || !place.isConnected || !width) return;
    const palette = colours(place);
    const pen = sized(this.canvas, width, height);
    const every = this.state.series.flatMap((one) => one.points);
    if (!every.length) return;
    const range = (j) => {
      let [low, high] = [Infinity, -Infinity];
      for (const point of every) {
        low = Math.min(low, point[j]);
        high = Math.max(high, point[j]);
      }
      return padded(low, high, this.bare ? 0.08 : 0.05);
    };
    const last = every[0].length > 1 ? 1 : 0;
    const box = this.bare ? { left: 6, right: width - 6, top: 6, bottom: height - 6 }
      : { left: 62, right: width - 14, top: 30, bottom: height - 46 };
    const [xr, yr] = [range(0), range(last)];
    const scales = this.bare ? {
      sx: (v) => box.left + ((v - xr[0]) / (xr[1] - xr[0])) * (box.right - box.left),
      sy: (v) => box.bottom - ((v - yr[0]) / (yr[1] - yr[0])) * (box.bottom - box.top),
    } : frame(pen, box, { range: xr, name: this.state.xName }, { range: yr, name: this.state.yName }, palette);
    this.state.series.forEach((one, k) => this.points(pen, one, palette.series[k % 8], scales, last, k));
  }

  points(pen, { points }, colour, { sx, sy }, last, k) {
    pen.fillStyle = colour;
    const size = this.bare ? 2 : 3.4;
    for (const point of points) {
      const [x, y] = [sx(point[0]), sy(point[last])];
      pen.beginPath();
      if (k % 2) pen.rect(x - size * 0.9, y - size * 0.9, size * 1.8, size * 1.8);
      else pen.arc(x, y, size, 0, 6.2832);
      pen.fill();
    }
  }
}
