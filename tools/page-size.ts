// What a page weighs as it is sent, and what it may weigh.

import { brotliCompressSync, constants } from 'node:zlib';

/** Most bytes that a page may be sent in, by kind. `html` is without the style within it. */
export const BUDGET = { html: 11_000, style: 23_000, font: 110_000, script: 125_000, dashboardScript: 160_000 } as const;

/** As the product compresses what many share. */
export const compressed = (body: string | Uint8Array): Buffer =>
  brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } });

const STYLE = /<style>(.*?)<\/style>/s;

/** What a page's own HTML and the style within it weigh as they are sent, each by itself, in bytes. */
export function weigh(html: string): { readonly html: number; readonly style: number } {
  return { html: compressed(html.replace(STYLE, '')).length, style: compressed(STYLE.exec(html)?.[1] ?? '').length };
}
