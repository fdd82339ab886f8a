import { type Transport, clientOf, httpTransport } from '@kurs/contract/client';
import { calculate, directions, orderStatus } from '@kurs/contract/paths';
import { accessToken } from '../account/access-token.ts';
import { apiBase, clientId } from './address.ts';

/** Returns the API's transport over HTTP, in the language of the page. With a token, calls are made as its account holder. */
export function pageTransport(token?: () => string | null): Transport {
  return httpTransport({
    base: apiBase,
    clientId,
    locale: () => document.documentElement.lang,
    credentials: 'include',
    ...(token && { token }),
  });
}

/** Client for calls that pages repeat, as a visitor. */
export const browserClient = clientOf(pageTransport(), { calculate, directions, orderStatus });

/** Client for quotes and limits of the viewer: with this browser's session, if there is one. */
export const viewerClient = clientOf(pageTransport(accessToken), { calculate, directions });
