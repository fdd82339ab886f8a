import { brotliCompressSync, constants } from 'node:zlib';

/** So many bytes a page is sent in, by Brotli's quality for pages that many share. */
export const compressed = (html: string): number =>
  brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } }).length;

const STYLE = /<style>(.*?)<\/style>/s;

/** What a page's own HTML and the style within it weigh as they are sent, each by itself, in bytes. */
export function weigh(html: string): { readonly html: number; readonly style: number } {
  return { html: compressed(html.replace(STYLE, '')), style: compressed(STYLE.exec(html)?.[1] ?? '') };
}
