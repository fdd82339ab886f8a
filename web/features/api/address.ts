// URL of the API and client-id of the site, as the document's attributes contain them. This file imports nothing, so that small
// scripts stay small.

/** Returns the document's data attributes, which contain the API's URL and the client-id. */
const said = (): DOMStringMap => document.documentElement.dataset;

/** Returns the base URL of the API, without a trailing slash; empty if the API has our own origin. */
export const apiBase = (): string => said()['api'] ?? '';

/** Returns the client-id of the site. */
export const clientId = (): string => said()['client'] ?? '';

const JSON_BOTH_WAYS = { accept: 'application/json', 'content-type': 'application/json' };

/** Requests a path of the API (`/api/v1/…`), in the language of the page. Sends cookies even if the API has another origin. */
export const fetchApi = (
  path: string,
  { headers, ...init }: RequestInit & { headers?: Record<string, string> },
): Promise<Response> =>
  fetch(apiBase() + path, {
    ...init,
    credentials: 'include',
    headers: { ...JSON_BOTH_WAYS, 'client-id': clientId(), 'accept-language': document.documentElement.lang, ...headers },
  });
