// The front as it grew: a slider over the evaluations, and a button that plays them.

import { button, h } from "./dom.js";
import { num, plural } from "./words.js";

const SECONDS = 6;

export class Replay {
  // ask(): promise of when which row came and went; changed(): another moment is shown.
  constructor(ask, changed) {
    this.ask = ask;
    this.changed = changed;
    this.known = null;
    this.at = null; // number of the moment; null for now
    this.slider = h("input", { type: "range", min: 0, max: 1, step: 1, "aria-label": "Moment of the replay" });
    this.slider.value = 1;
    this.play = button("▶ Replay", () => this.toggle());
    this.words = h("output", { class: "muted num" }, "how the front grew");
    this.element = h("div", { class: "bar replay" }, this.play, this.slider, this.words);
    this.slider.addEventListener("input", () => this.slid());
    this.slider.addEventListener("pointerdown", () => this.read());
    this.slider.addEventListener("focus", () => this.read());
  }

  // What happened until now: columns of all that were on the front at some time.
  async read(front = this.front) {
    if (this.known && this.known.version === front.version) return;
    const data = await this.ask();
    if (!data || !data.evaluations.length) return;
    const { past } = data;
    const here = data.numbers.flatMap((number, k) => (front.rows.has(number) ? [[front.rows.get(number), data.since[k]]] : []));
    this.known = {
      version: front.version, evaluations: data.evaluations,
      F: front.F.map((column, j) => [...here.map(([row]) => column[row]), ...past.F[j]]),
      came: [...here.map(([, since]) => since), ...past.came],
      went: [...here.map(() => Infinity), ...past.went],
    };
    const last = data.evaluations.length - 1;
    const end = this.at === null;
    this.slider.max = last;
    if (end) this.slider.value = last;
  }

  async slid() {
    this.stop();
    const share = Number(this.slider.value) / Number(this.slider.max);
    if (!this.known) {
      await this.read();
      if (!this.known) return;
      this.slider.value = Math.round(share * Number(this.slider.max));
    }
    this.show(Number(this.slider.value));
  }

  async toggle() {
    if (this.timer) {
      this.stop();
      return;
    }
    await this.read();
    if (!this.known) {
      this.words.textContent = "there is nothing to replay yet";
      return;
    }
    const last = this.known.evaluations.length - 1;
    const first = this.at === null || this.at >= last ? 0 : this.at;
    this.play.textContent = "❚❚ Pause";
    const began = performance.now() - (first / last) * SECONDS * 1000;
    const step = () => {
      const share = Math.min(1, (performance.now() - began) / (SECONDS * 1000));
      const moment = Math.round(share * last) || 0;
      if (moment !== this.at) this.show(moment);
      if (share >= 1) this.stop();
      else this.timer = requestAnimationFrame(step);
    };
    this.timer = requestAnimationFrame(step);
  }

  stop() {
    cancelAnimationFrame(this.timer);
    this.timer = null;
    this.play.textContent = "▶ Replay";
  }

  show(moment) {
    const { evaluations, came, went, F } = this.known;
    const last = evaluations.length - 1;
    this.at = moment >= last ? null : moment;
    this.slider.value = moment;
    const e = evaluations[moment];
    const there = came.flatMap((from, i) => (from <= e && e < went[i] ? [i] : []));
    this.shown = this.at === null ? null
      : { F: F.map((column) => there.map((i) => column[i])), every: F };
    const text = `${num(there.length)} on the front after ${plural(e, "evaluation")}`;
    this.words.textContent = text;
    this.slider.setAttribute("aria-valuetext", text);
    this.changed();
  }
}
