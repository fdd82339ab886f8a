// What a page weighs as it is sent.

import { brotliCompressSync, constants } from 'node:zlib';

/** As the product compresses what many share. */
export const compressed = (body: string | Uint8Array): Buffer =>
  brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } });

const STYLE = /<style>(.*?)<\/style>/s;

/** What a page's own HTML and the style within it weigh as they are sent, each by itself, in bytes. */
export function weigh(html: string): { readonly html: number; readonly style: number } {
  return { html: compressed(html.replace(STYLE, '')).length, style: compressed(STYLE.exec(html)?.[1] ?? '').length };
}
