// Scales, ticks and the frame of a chart; colours come from the style sheet.

export function ticksOf(low, high, most) {
  const rough = (high - low) / Math.max(1, most);
  if (!(rough > 0) || !Number.isFinite(rough)) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((m) => m * power >= rough * 0.999);
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k += 1) {
    ticks.push(Number((k * step).toPrecision(12)));
  }
  return ticks;
}

export function padded(low, high, share = 0.05) {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const room = high > low ? (high - low) * share : Math.abs(high) * 0.1 || 1;
  return [low - room, high + room];
}

export function colours(element) {
  const style = getComputedStyle(element);
  const of = (name) => style.getPropertyValue(`--${name}`).trim();
  return {
    text: of("text"), muted: of("muted"), line: of("line"), grid: of("grid"),
    accent: of("accent"), faint: of("faint"), mark: of("mark"), second: of("second"),
    bad: of("bad"), card: of("card"), gold: of("gold"),
    series: [1, 2, 3, 4, 5, 6, 7, 8].map((k) => of(`series-${k}`)),
    scale: [0, 1, 2, 3, 4].map((k) => of(`scale-${k}`)),
  };
}

// A canvas as large as its place, sharp on every screen.
export function sized(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  const [across, down] = [width, height].map((size) => Math.max(1, Math.round(size * ratio)));
  const pen = canvas.getContext("2d");
  if (canvas.width !== across || canvas.height !== down) {
    Object.assign(canvas, { width: across, height: down });
    pen.font = `12px ${getComputedStyle(canvas).fontFamily || "sans-serif"}`;
  }
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  return pen;
}

export function short(value) {
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e6 || size < 1e-3)) {
    return value.toExponential(1).replace(/\.0e/, "e").replace("e+", "e");
  }
  return Number(value.toPrecision(6)).toLocaleString("en", { maximumFractionDigits: 6 });
}

// Draw grid, ticks and names; returns the two scales, from values to pixels.
export function frame(pen, box, x, y, palette) {
  const scale = (range, from, to) => (v) =>
    from + ((v - range[0]) / (range[1] - range[0] || 1)) * (to - from);
  const sx = scale(x.range, box.left, box.right);
  const sy = scale(y.range, box.bottom, box.top);
  pen.lineWidth = 1;
  pen.textBaseline = "top";
  pen.textAlign = "center";
  for (const tick of ticksOf(...x.range, Math.max(2, (box.right - box.left) / 90))) {
    const px = Math.round(sx(tick)) + 0.5;
    stroke(pen, palette.grid, px, box.top, px, box.bottom);
    pen.fillStyle = palette.muted;
    const half = pen.measureText(short(tick)).width / 2;
    pen.fillText(short(tick), Math.min(px, box.right + 12 - half), box.bottom + 6);
  }
  pen.textBaseline = "middle";
  pen.textAlign = "right";
  for (const tick of ticksOf(...y.range, Math.max(2, (box.bottom - box.top) / 55))) {
    const py = Math.round(sy(tick)) + 0.5;
    stroke(pen, palette.grid, box.left, py, box.right, py);
    pen.fillStyle = palette.muted;
    pen.fillText(short(tick), box.left - 7, py);
  }
  pen.fillStyle = palette.text;
  pen.textAlign = "right";
  pen.textBaseline = "bottom";
  if (x.name) pen.fillText(clipped(pen, x.name, box.right - box.left), box.right, box.bottom + 38);
  pen.textAlign = "left";
  if (y.name) pen.fillText(clipped(pen, y.name, box.right - box.left), 4, box.top - 8);
  return { sx, sy };
}

export function clipped(pen, text, width) {
  let shown = text.length > 200 ? `${text.slice(0, 199)}…` : text;
  while (shown.length > 4 && pen.measureText(shown).width > width) {
    shown = `${shown.slice(0, Math.floor(shown.length * 0.9) - 1)}…`;
  }
  return shown;
}

function stroke(pen, colour, x0, y0, x1, y1) {
  pen.strokeStyle = colour;
  pen.beginPath();
  pen.moveTo(x0, y0);
  pen.lineTo(x1, y1);
  pen.stroke();
}

// Call back when the place of a chart changes its size, or the colours change.
export function whenResized(element, draw) {
  let width = 0;
  new ResizeObserver(() => {
    if (element.clientWidth !== width) {
      width = element.clientWidth;
      draw();
    }
  }).observe(element);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
}

function channels(colour) {
  const hex = colour.replace("#", "");
  return [0, 2, 4].map((k) => parseInt(hex.slice(k, k + 2), 16));
}

// Colours of shares 0..1 along a scale, 64 of them.
export function ramp(stops) {
  return Array.from({ length: 64 }, (_, k) => {
    const place = (k / 63) * (stops.length - 1);
    const i = Math.min(stops.length - 2, Math.floor(place));
    const [a, b] = [channels(stops[i]), channels(stops[i + 1])];
    return `rgb(${a.map((v, c) => Math.round(v + (b[c] - v) * (place - i))).join(",")})`;
  });
}
