// Numbers, times and designs the way people say them.

export function num(value, digits = 5) {
  if (value === null || value === undefined) return "–";
  if (typeof value !== "number") return String(value);
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return value.toLocaleString("en");
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e9)) return value.toExponential(digits - 2);
  return Number(value.toPrecision(digits)).toLocaleString("en", { maximumFractionDigits: 10 });
}

export function percent(share) {
  const text = 100 * share;
  return text > 0 && text < 1 ? "< 1 %" : `${text.toFixed(0)} %`;
}

export function duration(seconds) {
  if (seconds === null || seconds === undefined) return "–";
  if (seconds < 10) return `${Number(seconds.toPrecision(2))} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172800) return `${(seconds / 3600).toFixed(1)} h`;
  return `${(seconds / 86400).toFixed(1)} days`;
}

export function speed(rate) {
  if (!rate) return "";
  if (rate >= 0.5) return `${num(rate, 3)} per second`;
  if (rate * 60 >= 0.5) return `${num(rate * 60, 3)} per minute`;
  return `${num(rate * 3600, 3)} per hour`;
}

export function plural(count, noun) {
  return `${num(count)} ${noun}${count === 1 ? "" : "s"}`;
}

export function axisName(objective) {
  return objective.unit ? `${objective.name} [${objective.unit}]` : objective.name;
}

export function wanted(objective) {
  return objective.sense === "max" ? "more is better" : "less is better";
}

// A design as rows of name and value; kinds say what long lists are.
export function designRows(x, kinds) {
  const rows = [];
  const walk = (name, value) => {
    if (value !== null && typeof value === "object" && !Array.isArray(value)) {
      for (const [key, part] of Object.entries(value)) walk(`${name} ${key}`.trim(), part);
    } else {
      rows.push({ name: name || "x", kind: (kinds || {})[name] || "", value });
    }
  };
  walk("", x);
  return rows;
}

export function valueText(row) {
  const { value, kind } = row;
  if (!Array.isArray(value)) return typeof value === "number" ? num(value, 6) : String(value);
  if (kind === "binary") return chosen(value);
  const words = value.map((v) => (typeof v === "number" ? num(v, 6) : JSON.stringify(v)));
  if (kind === "permutation") return words.join(" → ");
  return words.join(", ");
}

function chosen(flags) {
  const on = flags.flatMap((flag, i) => (flag ? [i] : []));
  return on.length ? `${on.join(", ")} (${on.length} of ${flags.length} on)` : "none on";
}
