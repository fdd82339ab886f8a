import { type Client, clientOf, httpTransport } from '@kurs/contract/client';
import { calculate, directions, orderStatus } from '@kurs/contract/paths';

/** The API over HTTP, as whoever reads this page. */
export const browserTransport = httpTransport({ base: '', clientId: 'web', locale: () => document.documentElement.lang });

/** What a page keeps asking, with the same typed client that everybody uses. */
const client = clientOf(browserTransport, { calculate, directions, orderStatus });

export const browserClient = (): Pick<Client, keyof typeof client> => client;
