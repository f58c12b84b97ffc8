// The page of one study.

import { button, card, h, put, putOnce, said } from "./dom.js";
import { num } from "./words.js";
import { Explorer } from "./explorer.js";
import { designPicture, designTable } from "./inspector.js";
import { budgetCard, Failures, mattersBody, Progress, progressBar, progressWords, statePill, tiles, workersCard } from "./panels.js";
import { benchmarkPage } from "./benchmark.js";
import { ask, Keeper } from "./server.js";

const SOON = 1000;

export class OneStudy {
  constructor(id) {
    this.id = id;
    this.head = h("header", { class: "card head" });
    this.body = h("div");
    this.element = h("div", null, h("a", { class: "back", href: "#/" }, "‹ All studies"), this.head, this.body);
    this.explorer = null;
    this.busy = false;
    this.again = false;
  }

  design(number) {
    return ask(`/api/${this.id}/design?number=${number}`);
  }

  // Called whenever the server says that something is new.
  async update() {
    if (this.busy) {
      this.again = true;
      return;
    }
    this.busy = true;
    try {
      await this.read();
    } catch (error) {
      put(this.head, h("p", { class: "error" }, said(error.message)));
    } finally {
      this.busy = false;
      if (this.again) {
        this.again = false;
        this.update();
      }
    }
  }

  async read() {
    const body = await ask(`/api/${this.id}/body`);
    this.showHead(body, body.time);
    if (body.error) return; // what was read before stays
    if (body.kind === "benchmark") {
      putOnce(this.body, JSON.stringify([body.tables, body.version]), () => benchmarkPage(body));
      return;
    }
    if (!this.explorer || this.objectives !== JSON.stringify(body.objectives)) this.build(body);
    if (this.explorer.front.version !== body.version && !this.tooSoon(body)) {
      const have = this.explorer.front.version;
      this.explorer.take(await ask(`/api/${this.id}/front?have=${have}`), body.others);
    } else {
      this.explorer.behind(body.others);
    }
    this.progress.show(body);
    this.failures.show(body);
    this.workers.show(body, body.time);
    this.budget.show(body);
  }

  // While a large file is read, a picture a second is enough.
  tooSoon(body) {
    const now = performance.now();
    if (typeof body.share === "number" && now - this.asked < SOON) return true;
    this.asked = now;
    return false;
  }

  build(body) {
    this.objectives = JSON.stringify(body.objectives);
    const keeper = new Keeper(this.id, () => this.explorer && this.explorer.showAll());
    const about = { objectives: body.objectives, kinds: body.kinds, file: body.label };
    const source = { design: (number) => this.design(number) };
    if (body.kind === "study") source.replay = () => ask(`/api/${this.id}/replay`);
    this.explorer = new Explorer(about, source, keeper);
    this.progress = new Progress(body.objectives);
    this.failures = new Failures(async (number) => {
      const { x, sketch } = await this.design(number);
      return h("div", null, sketch ? designPicture(sketch) : "", designTable(x, body.kinds, this.explorer.front.units));
    });
    this.workers = workersCard();
    this.budget = budgetCard();
    put(this.body, this.explorer.element, h("div", { class: "stack" },
      h("div", { class: "half" }, this.progress.element, this.failures.element),
      h("div", { class: "half" }, this.mattersCard(), this.workers.element, this.budget.element),
      this.explorer.list));
    keeper.read();
  }

  mattersCard() {
    const place = h("div", null, h("p", { class: "muted" }, "Which knobs matter for which objective, and what good designs share: worked out from a sample of the evaluations, in some seconds, by a process of low priority."));
    const start = button("Work it out", async () => {
      start.disabled = true;
      start.textContent = "Working ...";
      try {
        const matters = await ask(`/api/${this.id}/matters`);
        put(place, mattersBody(matters), matters.of ? h("p", { class: "muted" }, `after ${num(matters.of)} evaluations`) : "");
        start.textContent = "Work it out again";
      } catch (error) {
        put(place, h("p", null, said(error.message)));
        start.textContent = "Try again";
      }
      start.disabled = false;
    });
    return card("What matters", place, h("div", { class: "bar" }, start));
  }

  showHead(body, now) {
    if (body.error) {
      put(this.head, h("div", null, h("h1", null, said(body.label)), h("p", null, said(body.error))), statePill(body));
      return;
    }
    const words = [body.method && `method ${body.method}`, body.seed !== null && body.seed !== undefined && `seed ${body.seed}`,
      body.fork_of && `a fork of ${body.fork_of}`, body.holder && `process ${body.holder}`,
      body.stopped && `stopped: ${body.stopped}`].filter(Boolean);
    put(this.head,
      h("div", null, h("h1", null, said(body.problem)), h("p", { class: "about" }, said([body.label, ...words].join(" · ")))),
      statePill(body),
      h("div", { class: "wide" }, progressBar(body), h("p", { class: "num" }, progressWords(body, now)), tiles(body)));
    document.title = `${body.problem} - divlearn`;
  }
}
