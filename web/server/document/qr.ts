import { create as createQr } from 'qrcode';

/** QR code as a drawing. `size` is the number of modules per side. `path` draws the dark modules; each is one unit wide. */
export interface Qr {
  readonly size: number;
  readonly path: string;
}

/** Maximum number of codes in memory. A code takes a few kilobytes, and about a millisecond to make. */
const MAX_CODES = 200;
/** Codes that were made last, by text: the page of an order or an invoice is rendered many times with the same code. */
const codes = new Map<string, Qr>();

/** Returns the QR code of a text. */
export function qrOf(text: string): Qr {
  const code = codes.get(text) ?? drawn(text);
  codes.delete(text);
  codes.set(text, code);
  const [oldest] = codes.keys();
  if (codes.size > MAX_CODES && oldest !== undefined) codes.delete(oldest);
  return code;
}

function drawn(text: string): Qr {
  const { size, data: dark } = createQr(text, { errorCorrectionLevel: 'M' }).modules;
  let path = '';
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      let run = 0;
      while (x + run < size && dark[y * size + x + run]) run += 1;
      if (run > 0) path += `M${x} ${y}h${run}v1h-${run}z`;
      x += run;
    }
  }
  return { size, path };
}
