// Pages as they go out, and those that are kept for a second: rendered and compressed once for everybody who asks.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { monotonicMs } from '../platform/index.ts';
import { gzipPieces } from './gzip-pieces.ts';
import { type Bodies, smallestFor } from './static-files.ts';

const FRESH_MS = 1_000;
const MOST_PAGES = 500;
/** Brotli's quality for a page that many share for a second, and for one that is still the same after it. */
const SHARED_QUALITY = 5;
const LASTING_QUALITY = constants.BROTLI_MAX_QUALITY;
/** Milliseconds after which a page that hasn't changed is taken for one that stays: well above the time between two rates. */
const LASTING_MS = 60_000;
/** Bytes that are not worth compressing. */
const SHORT = 1_000;

/** A page as the site gives it. */
interface Page {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: readonly Uint8Array[];
  /** The same for everybody who asks for it. */
  readonly cacheable: boolean;
}

/** A page as it goes out: its head and its bytes for each encoding. */
export interface ReadyPage {
  readonly status: number;
  readonly head: Readonly<Record<string, string | string[]>>;
  readonly bodies: Bodies;
}

interface KeptPage {
  /** Of the rates that it shows. */
  readonly version: string;
  readonly until: number;
  readonly page: Promise<ReadyPage>;
  /** The same, once it is there. */
  ready?: ReadyPage;
}

/** The pages that lie ready, by a name for everything they depend on but the rates. */
export class KeptPages {
  readonly #pages = new Map<string, KeptPage>();
  readonly #lastingMs: number;

  constructor(lastingMs = LASTING_MS) {
    this.#lastingMs = lastingMs;
  }

  /** The page of a name, or what `render` makes of it now where none is fresh. */
  async get(name: string, version: string, render: () => Promise<Page>): Promise<ReadyPage> {
    const found = this.#fresh(name, version);
    return (found ?? this.#keep(name, version, render)).page;
  }

  /** The page of a name, if it is fresh and lies ready. */
  ready(name: string, version: string): ReadyPage | undefined {
    return this.#fresh(name, version)?.ready;
  }

  #fresh(name: string, version: string): KeptPage | undefined {
    const found = this.#pages.get(name);
    return found && found.version === version && found.until > monotonicMs() ? found : undefined;
  }

  #keep(name: string, version: string, render: () => Promise<Page>): KeptPage {
    const last = this.#pages.get(name)?.ready;
    if (this.#pages.size >= MOST_PAGES) this.#pages.clear();
    const drop = (): void => void (this.#pages.get(name) === made && this.#pages.delete(name));
    const page = render().then((response) => {
      if (!response.cacheable) drop();
      const ready = sharedPage(response, last);
      if (ready.bodies instanceof SharedBodies) ready.bodies.pressAfter(this.#lastingMs);
      return (made.ready = ready);
    });
    const made: KeptPage = { version, until: monotonicMs() + FRESH_MS, page };
    this.#pages.set(name, made);
    page.catch(drop);
    return made;
  }
}

/** Sends a page without the framework. */
export function sendReady(request: IncomingMessage, response: ServerResponse, { status, head, bodies }: ReadyPage): void {
  const accepted = request.headers['accept-encoding'];
  const { encoding, bytes } = smallestFor(typeof accepted === 'string' ? accepted : undefined, bodies);
  const more = { 'content-length': bytes.length, ...(encoding && { 'content-encoding': encoding }) };
  response.writeHead(status, { ...head, ...more }).end(bytes);
}

/** A page for one reader: compressed as lightly as it can be. */
export function readyPage({ status, headers, body: pieces }: Page): ReadyPage {
  const body = Buffer.concat(pieces);
  const gzip = body.length <= SHORT ? undefined : (): Buffer => gzipPieces(pieces);
  return { status, head: headOf(headers), bodies: { body, gzip } };
}

/** A page for everybody who asks within a second: where its words are the last one's, their compressed bytes serve on. */
function sharedPage({ status, headers, body: pieces }: Page, last?: ReadyPage): ReadyPage {
  const body = Buffer.concat(pieces);
  const head = headOf(headers);
  if (body.length <= SHORT) return { status, head, bodies: { body } };
  const isSame = last?.bodies instanceof SharedBodies && last.bodies.body.equals(body);
  return { status, head, bodies: isSame ? last.bodies : new SharedBodies(body) };
}

/** A shared page's bytes. Gzip is made when the first asks who takes nothing better. */
class SharedBodies implements Bodies {
  readonly body: Buffer;
  readonly #since = monotonicMs();
  #br: Buffer;
  #gzip: Buffer | undefined;
  #pressed = false;

  constructor(body: Buffer) {
    this.body = body;
    this.#br = brotliCompressSync(body, brotliOf(SHARED_QUALITY));
  }

  get br(): Buffer {
    return this.#br;
  }

  gzip = (): Buffer => (this.#gzip ??= gzipSync(this.body));

  /** Once the page has stayed as it is for so many milliseconds: compresses it as well as can be, beside other work. */
  pressAfter(ms: number): void {
    if (this.#pressed || monotonicMs() - this.#since < ms) return;
    this.#pressed = true;
    // What is there already serves on where this fails.
    void compressed(this.body, brotliOf(LASTING_QUALITY)).then(
      (best) => (this.#br = best),
      () => undefined,
    );
  }
}

const compressed = promisify(brotliCompress);
const brotliOf = (quality: number) => ({ params: { [constants.BROTLI_PARAM_QUALITY]: quality } });

function headOf(headers: Page['headers']): ReadyPage['head'] {
  const isCookie = ([name]: readonly [string, string]): boolean => name.toLowerCase() === 'set-cookie';
  const cookies = headers.filter(isCookie).map(([, value]) => value);
  return {
    ...Object.fromEntries(headers.filter((header) => !isCookie(header))),
    ...(cookies.length > 0 && { 'set-cookie': cookies }),
  };
}
