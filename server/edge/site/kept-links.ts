// Affiliates' links that many open at once: the answer to the same one is made once a second, while each click is told by itself.

import type { IncomingMessage } from 'node:http';
import type { Reference } from '@kurs/contract/reference';
import { monotonicMs } from '../../platform/index.ts';
import type { ReadyPage } from './kept-pages.ts';

const FRESH_MS = 1_000;
const MOST_LINKS = 500;
/** A longer address is nobody's link that many open. */
const MOST_LETTERS = 300;

/** Where a link leads, and whose it is. */
export interface LinkAnswer {
  readonly page: ReadyPage;
  readonly reference: Pick<Reference, 'code' | 'campaign'>;
}

type Asked = Pick<IncomingMessage, 'url' | 'headers'>;

/** The answers to links that lie ready: for who brings nothing along that the answer would hang on. */
export class KeptLinks {
  readonly #kept = new Map<string, LinkAnswer & { readonly until: number }>();

  /** The answer to a request, if one was made for the same link within the last second. */
  ready(request: Asked): LinkAnswer | undefined {
    const key = keyOf(request);
    const found = key === undefined ? undefined : this.#kept.get(key);
    return found && found.until > monotonicMs() ? found : undefined;
  }

  /** Keeps the answer to a request for those who open the same link. */
  keep(request: Asked, { page, reference }: LinkAnswer): void {
    const key = keyOf(request);
    if (key === undefined) return;
    if (this.#kept.size >= MOST_LINKS) this.#kept.clear();
    this.#kept.set(key, { page, reference, until: monotonicMs() + FRESH_MS });
  }
}

/** What the answer to a link hangs on; undefined for who has been here before, or shows a session. */
function keyOf({ url = '', headers }: Asked): string | undefined {
  const { cookie, authorization, 'accept-language': languages = '', 'sec-fetch-dest': opened = 'document' } = headers;
  if (cookie !== undefined || authorization !== undefined || url.length + languages.length > MOST_LETTERS) return undefined;
  return `${url} ${String(opened)} ${languages}`;
}
