import { create as createQr } from 'qrcode';

/** QR code as a drawing. `size` is the number of modules per side. `path` draws the dark modules; each is one unit wide. */
export interface Qr {
  readonly size: number;
  readonly path: string;
}

/** Returns the QR code of a text. */
export function qrOf(text: string): Qr {
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
