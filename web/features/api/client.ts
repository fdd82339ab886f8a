import { type Transport, clientOf, httpTransport } from '@kurs/contract/client';
import { calculate, directions, orderStatus } from '@kurs/contract/paths';
import { accessToken } from '../account/access-token.ts';
import { apiBase, clientId } from './address.ts';

/** The API over HTTP in the language of this page; with a token as the holder that it stands for. */
export function pageTransport(token?: () => string | null): Transport {
  return httpTransport({
    base: apiBase,
    clientId,
    locale: () => document.documentElement.lang,
    credentials: 'include',
    ...(token && { token }),
  });
}

/** What pages keep asking, with the same typed client that everybody uses. */
export const browserClient = clientOf(pageTransport(), { calculate, directions, orderStatus });

/** Quotes and limits as they are for who looks: with the session of this browser, where there is one. */
export const viewerClient = clientOf(pageTransport(accessToken), { calculate, directions });
