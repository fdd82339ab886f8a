// The rates feed at /rates.xml, /rates.json and /rates.txt: lies ready in each encoding and is sent past the framework.

import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Server } from '../platform/index.ts';
import { type FeedItem, feedJson, feedText, feedXml } from '../pricing/index.ts';
import { type Bodies, smallestFor } from './static-files.ts';

/** Brotli’s quality for what changes with the rates. */
const QUALITY = 5;

const FORMATS: Readonly<Record<string, { readonly type: string; readonly write: (items: readonly FeedItem[]) => string }>> = {
  '/rates.xml': { type: 'application/xml; charset=utf-8', write: feedXml },
  '/rates.json': { type: 'application/json; charset=utf-8', write: feedJson },
  '/rates.txt': { type: 'text/plain; charset=utf-8', write: feedText },
};

/** One encoding of a feed, with its head. Its tag is its own: a strong one says that the bytes are the same (RFC 9110, 8.8.1). */
interface Form {
  readonly etag: string;
  readonly head: Readonly<Record<string, string | number>>;
  readonly bytes: Buffer;
}

interface ReadyFeed {
  readonly of: readonly FeedItem[];
  readonly text: string;
  readonly forms: Readonly<Record<'as it is' | 'br' | 'gzip', Form>>;
  readonly bodies: Bodies;
}

/**
 * Serves the feed that `items` gives, whatever the query: monitors add parameters of their own. A format is written when
 * somebody asks after the items changed, and compressed when its text did.
 */
export function mountFeeds(server: Pick<Server, 'answerFirst'>, items: () => readonly FeedItem[]): void {
  const ready = new Map<string, ReadyFeed>();
  server.answerFirst((request, response) => {
    const { url = '', method } = request;
    if (!url.startsWith('/rates.') || (method !== 'GET' && method !== 'HEAD')) return false;
    const end = url.indexOf('?');
    const path = end < 0 ? url : url.slice(0, end);
    const format = FORMATS[path];
    if (!format) return false;
    const now = items();
    let feed = ready.get(path);
    if (feed?.of !== now) ready.set(path, (feed = madeOf(now, format, feed)));
    send(request, response, feed);
    return true;
  });
}

function madeOf(items: readonly FeedItem[], { type, write }: (typeof FORMATS)[string], before?: ReadyFeed): ReadyFeed {
  const text = write(items);
  if (before?.text === text) return { ...before, of: items };
  const body = Buffer.from(text);
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 20);
  const form = (bytes: Buffer, encoding?: 'br' | 'gzip'): Form => {
    const etag = `"${hash}${encoding ? `-${encoding}` : ''}"`;
    const head = {
      'content-type': type,
      // Monitors ask again and again, and nothing between may answer for us with an older rate.
      'cache-control': 'no-cache',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
      etag,
      ...(encoding && { 'content-encoding': encoding }),
      'content-length': bytes.length,
    };
    return { etag, head, bytes };
  };
  const br = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } });
  const gzip = gzipSync(body);
  const forms = { 'as it is': form(body), br: form(br, 'br'), gzip: form(gzip, 'gzip') };
  return { of: items, text, forms, bodies: { body, br, gzip: () => gzip } };
}

function send({ headers, method }: IncomingMessage, response: ServerResponse, { forms, bodies }: ReadyFeed): void {
  const accepted = headers['accept-encoding'];
  const { encoding } = smallestFor(typeof accepted === 'string' ? accepted : undefined, bodies);
  const { etag, head, bytes } = forms[encoding ?? 'as it is'];
  const known = headers['if-none-match'];
  if (known !== undefined && isKnown(known, etag)) {
    const { 'content-length': _, 'content-type': __, 'content-encoding': ___, ...rest } = head;
    response.writeHead(304, rest).end();
  } else response.writeHead(200, head).end(method === 'HEAD' ? undefined : bytes);
}

/** Whether a list of tags names this one; as If-None-Match compares, a weak one too (RFC 9110, 13.1.2). */
const isKnown = (list: string, etag: string): boolean =>
  list.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag);
