// Links for tests of higher rooms.

import type { Db } from '../../platform/index.ts';
import { makeLink } from './change-links.ts';

/** Makes a link of a store with a fixed sum, and one whose buyers state the sum, in USD. */
export async function linksFor(db: Db, store: string): Promise<void> {
  await makeLink(db, { store, title: 'Ticket', currency: 'USD', amount: '20', max_uses: 5 });
  await makeLink(db, { store, title: 'Gift', currency: 'USD', least: '1', most: '500' });
}
