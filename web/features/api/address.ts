// Where pages call the API, and under which name: the document says it, as the configuration does. Nothing is imported here, so
// that small scripts stay small.

/** What the document says of the API. */
const said = (): DOMStringMap => document.documentElement.dataset;

/** What paths of the API stand behind: nothing where it is at our own origin. */
export const apiBase = (): string => said()['api'] ?? '';

/** The name that we call under. */
export const clientId = (): string => said()['client'] ?? '';

const JSON_BOTH_WAYS = { accept: 'application/json', 'content-type': 'application/json' };

/** Calls an address of the API (`/api/v1/…`), also one that it gave, in the language of the page. Another origin gets our cookies, too. */
export const fetchApi = (
  path: string,
  { headers, ...init }: RequestInit & { headers?: Record<string, string> },
): Promise<Response> =>
  fetch(apiBase() + path, {
    ...init,
    credentials: 'include',
    headers: { ...JSON_BOTH_WAYS, 'client-id': clientId(), 'accept-language': document.documentElement.lang, ...headers },
  });
