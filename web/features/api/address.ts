// Address of the API and client-id of the site, for pages. The document names both. This file imports nothing, so that small
// scripts stay small.

/** Returns the document's attributes, which name both. */
const said = (): DOMStringMap => document.documentElement.dataset;

/** Returns the prefix of the API's paths; empty if the API is at our own origin. */
export const apiBase = (): string => said()['api'] ?? '';

/** Returns the client-id of the site. */
export const clientId = (): string => said()['client'] ?? '';

const JSON_BOTH_WAYS = { accept: 'application/json', 'content-type': 'application/json' };

/** Calls a path of the API (`/api/v1/…`) in the language of the page. Sends cookies to another origin too. */
export const fetchApi = (
  path: string,
  { headers, ...init }: RequestInit & { headers?: Record<string, string> },
): Promise<Response> =>
  fetch(apiBase() + path, {
    ...init,
    credentials: 'include',
    headers: { ...JSON_BOTH_WAYS, 'client-id': clientId(), 'accept-language': document.documentElement.lang, ...headers },
  });
