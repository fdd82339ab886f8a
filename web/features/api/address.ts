// Address of the API for pages, and their client-id, which the document names. Nothing is imported here, so that small scripts
// stay small.

/** The document's attributes, which name both. */
const said = (): DOMStringMap => document.documentElement.dataset;

/** Prefix of the API's paths: empty at our own origin. */
export const apiBase = (): string => said()['api'] ?? '';

/** The client-id of the site. */
export const clientId = (): string => said()['client'] ?? '';

const JSON_BOTH_WAYS = { accept: 'application/json', 'content-type': 'application/json' };

/** Calls a path of the API (`/api/v1/…`) in the language of the page. Another origin gets our cookies, too. */
export const fetchApi = (
  path: string,
  { headers, ...init }: RequestInit & { headers?: Record<string, string> },
): Promise<Response> =>
  fetch(apiBase() + path, {
    ...init,
    credentials: 'include',
    headers: { ...JSON_BOTH_WAYS, 'client-id': clientId(), 'accept-language': document.documentElement.lang, ...headers },
  });
