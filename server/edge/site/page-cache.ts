// Prepares pages for sending, and caches shared pages: each is rendered and compressed at most once a second, for all readers.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { monotonicMs } from '../../platform/index.ts';
import { type Bodies, smallestFor } from '../files/ready-file.ts';

const FRESH_MS = 1_000;
const MAX_PAGES = 500;
/** Brotli's quality for a shared page. Quality 8 makes it no shorter, and 9 takes fifty times as long. */
const SHARED_QUALITY = 7;
/**
 * Brotli's quality and gzip's level for a page of one reader. For the home page Brotli takes 0.4 ms; gzip takes 0.6 ms and gives
 * the same length.
 */
const LIGHT = { br: 1, gzip: 1 } as const;
/** Length in bytes up to which compression isn't worth its cost. */
const SHORT = 1_000;

/** A page as the site renders it. */
interface Page {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  /** True if all readers may share the page. */
  readonly isCacheable: boolean;
}

/** A page ready to send: its headers and its bytes in each encoding. */
export interface ReadyPage {
  readonly status: number;
  readonly head: Readonly<Record<string, string | string[]>>;
  readonly bodies: Bodies;
}

interface CachedPage {
  readonly until: number;
  /** The page in progress. Resolves to undefined if it turns out to be personal; then no other reader gets it. */
  readonly page: Promise<ReadyPage | undefined>;
  /** The page once it is finished. */
  ready?: ReadyPage | undefined;
}

/** Cache of shared pages. The key of a page contains everything that the page depends on. */
export class PageCache {
  readonly #pages = new Map<string, CachedPage>();

  /** Returns the cached page of a key if it is fresh. Otherwise renders it, also if a page in progress turns out to be personal. */
  async get(key: string, render: () => Promise<Page>): Promise<ReadyPage> {
    const found = this.#fresh(key);
    if (!found) return this.#make(key, render);
    return (await found.page) ?? readyPage(await render());
  }

  /** Returns the page of a key if it is fresh and finished. */
  ready(key: string): ReadyPage | undefined {
    return this.#fresh(key)?.ready;
  }

  #fresh(key: string): CachedPage | undefined {
    const found = this.#pages.get(key);
    return found && found.until > monotonicMs() ? found : undefined;
  }

  async #make(key: string, render: () => Promise<Page>): Promise<ReadyPage> {
    if (this.#pages.size >= MAX_PAGES) this.#pages.clear();
    const rendered = render();
    const page = rendered.then((made) => (made.isCacheable ? sharedPage(made) : undefined));
    const cached: CachedPage = { until: monotonicMs() + FRESH_MS, page };
    this.#pages.set(key, cached);
    try {
      cached.ready = await page;
      return cached.ready ?? readyPage(await rendered);
    } finally {
      if (!cached.ready && this.#pages.get(key) === cached) this.#pages.delete(key);
    }
  }
}

/** Sends a page directly, without the framework. */
export function sendReady(request: IncomingMessage, response: ServerResponse, { status, head, bodies }: ReadyPage): void {
  const accepted = request.headers['accept-encoding'];
  const { encoding, bytes } = smallestFor(typeof accepted === 'string' ? accepted : undefined, bodies);
  const more = { 'content-length': bytes.length, ...(encoding && { 'content-encoding': encoding }) };
  response.writeHead(status, { ...head, ...more }).end(bytes);
}

/** Prepares a page for one reader, with the lightest compression. */
export function readyPage({ status, headers, body: text }: Page): ReadyPage {
  const body = Buffer.from(text);
  const head = headOf(headers);
  if (body.length <= SHORT) return { status, head, bodies: { body } };
  const bodies = { body, br: () => brotli(body, LIGHT.br), gzip: () => gzipSync(body, { level: LIGHT.gzip }) };
  return { status, head, bodies };
}

/** Prepares a shared page. It is compressed with gzip only when the first reader accepts nothing better. */
function sharedPage({ status, headers, body: text }: Page): ReadyPage {
  const body = Buffer.from(text);
  const head = headOf(headers);
  if (body.length <= SHORT) return { status, head, bodies: { body } };
  let gzip: Buffer | undefined;
  const br = brotli(body, SHARED_QUALITY);
  return { status, head, bodies: { body, br: () => br, gzip: () => (gzip ??= gzipSync(body)) } };
}

const brotli = (body: Buffer, quality: number): Buffer =>
  brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });

function headOf(headers: Page['headers']): ReadyPage['head'] {
  const isCookie = ([name]: readonly [string, string]): boolean => name.toLowerCase() === 'set-cookie';
  const cookies = headers.filter(isCookie).map(([, value]) => value);
  return {
    ...Object.fromEntries(headers.filter((header) => !isCookie(header))),
    ...(cookies.length > 0 && { 'set-cookie': cookies }),
  };
}
