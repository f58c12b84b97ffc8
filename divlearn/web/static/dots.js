// Thousands of small squares: written as pixels, which takes a tenth of the time of shapes.

export class Dots {
  constructor() {
    this.canvas = document.createElement("canvas");
    this.inks = new Map();
  }

  // A clean sheet of so many pixels of the screen; returns its pixels, one number each.
  begin(width, height) {
    if (this.canvas.width !== width || this.canvas.height !== height || !this.sheet) {
      Object.assign(this.canvas, { width, height });
      this.sheet = new ImageData(width, height);
      this.pixels = new Uint32Array(this.sheet.data.buffer);
    } else {
      this.pixels.fill(0);
    }
    return this.pixels;
  }

  // A square of so many pixels around a place; parts beyond the sheet are left out.
  square(x, y, side, ink) {
    const { width, height } = this.sheet;
    const left = Math.max(0, Math.round(x - side / 2));
    const top = Math.max(0, Math.round(y - side / 2));
    const right = Math.min(width, Math.round(x - side / 2) + side);
    const bottom = Math.min(height, Math.round(y - side / 2) + side);
    for (let row = top; row < bottom; row += 1) {
      this.pixels.fill(ink, row * width + left, row * width + Math.max(left, right));
    }
  }

  // The number of a colour, written as #rrggbb or rgb(r, g, b).
  ink(colour) {
    if (!this.inks.has(colour)) {
      const [r, g, b] = colour.startsWith("#")
        ? [1, 3, 5].map((k) => parseInt(colour.slice(k, k + 2), 16))
        : colour.match(/\d+/g).map(Number);
      const bytes = new Uint8Array([r, g, b, 255]);
      this.inks.set(colour, new Uint32Array(bytes.buffer)[0]);
    }
    return this.inks.get(colour);
  }

  // Put the sheet onto another canvas of the same size.
  end(pen) {
    this.canvas.getContext("2d").putImageData(this.sheet, 0, 0);
    pen.save();
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.drawImage(this.canvas, 0, 0);
    pen.restore();
  }
}
