import { create } from 'qrcode';

const QUIET = 4;

/**
 * Returns a text as a QR code (ISO/IEC 18004), dark on white with a quiet zone. The result is an SVG with one path, in which a
 * module of the code is one unit wide.
 */
export function qrSvg(text: string): string {
  const { size, data: dark } = create(text, { errorCorrectionLevel: 'M' }).modules;
  let path = '';
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      let run = 0;
      while (x + run < size && dark[y * size + x + run]) run += 1;
      if (run > 0) path += `M${x} ${y}h${run}v1h-${run}z`;
      x += run;
    }
  }
  const [from, side] = [-QUIET, size + 2 * QUIET];
  const white = `<rect x="${from}" y="${from}" width="${side}" height="${side}" fill="#fff"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${from} ${from} ${side} ${side}" shape-rendering="crispEdges">${white}<path d="${path}"/></svg>`;
}
