import { type Client, createClient, httpTransport } from '@kurs/contract/client';

let client: Client | undefined;

/** The API as the browser calls it: the same typed client that everybody uses. */
export function browserClient(): Client {
  client ??= createClient(httpTransport({ base: '', clientId: 'web', locale: () => document.documentElement.lang }));
  return client;
}
