import { type Transport, clientOf, httpTransport } from '@kurs/contract/client';
import { calculate, directions, orderStatus } from '@kurs/contract/paths';
import { accessToken } from '../account/access-token.ts';
import { apiBase, clientId } from './address.ts';

/**
 * Returns a transport that makes API calls over HTTP, in the language of the page. With `token`, calls are made as the token's
 * account holder.
 */
export function pageTransport(token?: () => string | null): Transport {
  return httpTransport({
    base: apiBase,
    clientId,
    locale: () => document.documentElement.lang,
    credentials: 'include',
    ...(token && { token }),
  });
}

/** Client for calls that pages repeat, made as a visitor without a session. */
export const browserClient = clientOf(pageTransport(), { calculate, directions, orderStatus });

/** Client for the viewer's own quotes and limits: as the account holder if this browser has a session, else as a visitor. */
export const viewerClient = clientOf(pageTransport(accessToken), { calculate, directions });
