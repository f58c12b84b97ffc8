// The front of a study: its rows in the order of the first objective, what is best in
// it, and what one pays for a step along it. The numbers agree with divlearn.Result.

const ROUND = 1e12;

export class Front {
  constructor(objectives) {
    this.objectives = objectives;
    this.sign = objectives.map((o) => (o.sense === "max" ? -1 : 1));
    this.version = -1;
    this.numbers = [];
    this.F = objectives.map(() => []);
    this.groups = { G: {}, knobs: {}, extras: {} };
    this.units = {};
    this.sources = null;
    this.settle();
  }

  get size() {
    return this.numbers.length;
  }

  // Take in the whole front, or what has changed since the version that is here.
  take(data) {
    if (data.since === undefined) {
      Object.assign(this, { numbers: data.numbers, F: data.F, sources: data.sources });
      this.groups = { G: data.G, knobs: data.knobs, extras: data.extras };
    } else if (data.numbers.length || data.gone.length) {
      this.change(data);
    }
    this.version = data.version;
    Object.assign(this.units, data.units);
    this.sort();
  }

  change(data) {
    const gone = new Set([...data.gone, ...data.numbers]);
    const kept = this.numbers.flatMap((n, i) => (gone.has(n) ? [] : [i]));
    const join = (old, more, size) => [
      ...(old ? kept.map((i) => old[i]) : kept.map(() => null)),
      ...(more || Array(size).fill(null)),
    ];
    const extra = data.numbers.length;
    this.F = this.F.map((column, j) => join(column, data.F[j], extra));
    for (const [group, columns] of Object.entries(this.groups)) {
      const names = new Set([...Object.keys(columns), ...Object.keys(data[group] || {})]);
      this.groups[group] = Object.fromEntries([...names].map((name) =>
        [name, join(columns[name], (data[group] || {})[name], extra)]));
    }
    if (this.sources || data.sources) {
      this.sources = join(this.sources || this.numbers.map(() => ""),
        data.sources || Array(extra).fill(""), extra);
    }
    this.numbers = join(this.numbers, data.numbers, extra);
  }

  sort() {
    const { F, sign } = this;
    const order = this.numbers.map((_, i) => i).sort((a, b) => {
      for (let j = 0; j < F.length; j += 1) {
        const gap = sign[j] * (F[j][a] - F[j][b]);
        if (gap) return gap;
      }
      return this.numbers[a] - this.numbers[b];
    });
    const pick = (column) => order.map((i) => column[i]);
    this.numbers = pick(this.numbers);
    this.F = F.map(pick);
    for (const [group, columns] of Object.entries(this.groups)) {
      this.groups[group] = Object.fromEntries(
        Object.entries(columns).map(([name, column]) => [name, pick(column)]));
    }
    this.sources = this.sources && pick(this.sources);
    this.settle();
  }

  settle() {
    this.kneeRow = null;
    this.rows = new Map(this.numbers.map((number, i) => [number, i]));
    this.spans = this.F.map((column) => {
      let low = Infinity;
      let high = -Infinity;
      for (const v of column) {
        if (v < low) low = v;
        if (v > high) high = v;
      }
      return [low, high];
    });
    this.loss = this.F.map((column, j) => column.map((v) => this.lossOf(j, v)));
    this.total = this.numbers.map((_, i) =>
      Math.round(ROUND * this.loss.reduce((sum, c) => sum + c[i], 0)) / ROUND);
  }

  // How far a value is from the best of the front, as a share of its range.
  lossOf(j, v) {
    const [low, high] = this.spans[j];
    return (this.sign[j] > 0 ? v - low : high - v) / (high > low ? high - low : 1);
  }

  // Row with the least key among some rows; ties by further keys.
  least(rows, ...keys) {
    let best = -1;
    for (const i of rows) {
      if (best < 0) {
        best = i;
        continue;
      }
      for (const key of keys) {
        const gap = key(i) - key(best);
        if (gap < 0) best = i;
        if (gap) break;
      }
    }
    return best;
  }

  all() {
    return this.numbers.keys();
  }

  knee() {
    if (this.kneeRow === null) this.kneeRow = this.size ? this.findKnee() : -1;
    return this.kneeRow;
  }

  findKnee() {
    const total = (i) => this.total[i];
    const worst = (i) =>
      Math.round(ROUND * Math.max(...this.loss.map((column) => column[i]))) / ROUND;
    const ends = this.loss.map((column) => this.least(this.all(), (i) => column[i], total));
    const bulge = this.least(this.all(), total, worst);
    if (total(bulge) < Math.min(...ends.map(total)) - 1e-9) return bulge;
    return this.least(this.all(), worst, total);
  }

  best(j, mask) {
    const rows = [...this.all()].filter((i) => !mask || mask[i]);
    return this.least(rows, (i) => this.loss[j][i], (i) => this.total[i]);
  }

  nearest(row, count) {
    const apart = new Float64Array(this.size);
    for (const column of this.loss) {
      for (let i = 0; i < apart.length; i += 1) apart[i] += (column[i] - column[row]) ** 2;
    }
    const found = [];
    for (let i = 0; i < apart.length; i += 1) {
      if (i === row) continue;
      let place = found.length;
      while (place > 0 && apart[found[place - 1]] > apart[i]) place -= 1;
      if (place < count) {
        found.splice(place, 0, i);
        found.length = Math.min(found.length, count);
      }
    }
    return found;
  }

  // What a step gains and what it costs; the price is loss per gain in shares of ranges.
  step(start, end) {
    const gains = [];
    const losses = [];
    let most = 0;
    let worst = 0;
    this.objectives.forEach((objective, j) => {
      const change = (this.F[j][end] - this.F[j][start]) * this.sign[j];
      const share = this.loss[j][end] - this.loss[j][start];
      if (change < 0) gains.push({ objective, by: -change });
      if (change > 0) losses.push({ objective, by: change });
      most = Math.max(most, -share);
      worst = Math.max(worst, share);
    });
    return { start, end, gains, losses, rate: most > 0 ? worst / most : Infinity };
  }

  // Every column that can be limited or shown, objectives first.
  columns() {
    const list = this.objectives.map((o, j) =>
      ({ key: `f:${o.name}`, name: o.name, unit: o.unit, values: this.F[j], group: "objective" }));
    for (const [group, word] of [["knobs", "knob"], ["extras", "metric"], ["G", "constraint"]]) {
      for (const [name, values] of Object.entries(this.groups[group] || {})) {
        list.push({ key: `${group}:${name}`, name, unit: this.units[name] || "", values, group: word });
      }
    }
    return list;
  }
}

// Which rows keep limits: by key of a column [low, high], or a set of allowed values.
export function within(front, limits) {
  const mask = new Uint8Array(front.size).fill(1);
  for (const column of front.columns()) {
    const limit = limits.get(column.key);
    if (!limit) continue;
    column.values.forEach((value, i) => {
      const fits = limit instanceof Set
        ? limit.has(String(value))
        : typeof value === "number" && value >= limit[0] && value <= limit[1];
      if (!fits) mask[i] = 0;
    });
  }
  return mask;
}
