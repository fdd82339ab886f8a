// Measures the size of a page as it is sent.

import { brotliCompressSync, constants } from 'node:zlib';

/** Compresses as the product compresses shared files. */
export const compressed = (body: string | Uint8Array): Buffer =>
  brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } });

const STYLE = /<style>(.*?)<\/style>/s;

/** Returns the compressed sizes of a page's HTML and of the style within it, in bytes. */
export function weigh(html: string): { readonly html: number; readonly style: number } {
  return { html: compressed(html.replace(STYLE, '')).length, style: compressed(STYLE.exec(html)?.[1] ?? '').length };
}
