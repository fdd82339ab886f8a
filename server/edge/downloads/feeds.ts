// The rates feed at /rates.xml, /rates.json and /rates.txt: prepared in each encoding and sent without the framework.

import type { Server } from '../../platform/index.ts';
import { type FeedItem, feedJson, feedText, feedXml } from '../../pricing/index.ts';
import { type ReadyFile, compressed, readyFile, sendPast } from '../files/ready-file.ts';

const FORMATS: Readonly<Record<string, { readonly type: string; readonly write: (items: readonly FeedItem[]) => string }>> = {
  '/rates.xml': { type: 'application/xml; charset=utf-8', write: feedXml },
  '/rates.json': { type: 'application/json; charset=utf-8', write: feedJson },
  '/rates.txt': { type: 'text/plain; charset=utf-8', write: feedText },
};

interface ReadyFeed {
  readonly of: readonly FeedItem[];
  readonly text: string;
  readonly file: ReadyFile;
}

/**
 * Serves the feed of `items`. The query is ignored, since monitors add parameters of their own. A format is written at the first
 * request after the items changed, and compressed only if its text changed.
 */
export function mountFeeds(server: Pick<Server, 'answerFirst' | 'headers'>, items: () => readonly FeedItem[]): void {
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
    if (feed?.of !== now) ready.set(path, (feed = madeOf(now, format, server.headers, feed)));
    sendPast(request, response, feed.file);
    return true;
  }, Object.keys(FORMATS));
}

function madeOf(
  items: readonly FeedItem[],
  { type, write }: (typeof FORMATS)[string],
  headers: Server['headers'],
  before?: ReadyFeed,
): ReadyFeed {
  const text = write(items);
  if (before?.text === text) return { ...before, of: items };
  const head = {
    'content-type': type,
    // Monitors poll often, so no cache on the way may answer with an older rate.
    'cache-control': 'no-cache',
    'access-control-allow-origin': '*',
    ...headers,
  };
  return { of: items, text, file: readyFile(compressed(Buffer.from(text)), head) };
}
