// Scans a chain for our own addresses, and adds the addresses that the books don't know. Used after a restore, and after a
// wallet was rebuilt from its seed words.

import type { Input, Output, Routes } from '@kurs/contract';
import { format, money } from '@kurs/money';
import { type Scanned, currencyOf, scanIndexes, takeFound, unknownAmong } from '../../payments/index.ts';
import { type Db, requirePermission } from '../../platform/index.ts';
import type { Person } from '../people/roles.ts';
import { actAs } from '../people/two-people.ts';

type Used = Output<Routes['operatorScan']>['used'][number];

/**
 * Scans a range of address indexes on a chain. All addresses that the books don't know are added by one action of the audit. If
 * there are none, nothing is written. Throws `forbidden` without the permission, and the errors of `scanIndexes`.
 */
export async function scanFor(
  db: Db,
  person: Person,
  { rail, from, count, reason }: Input<Routes['operatorScan']>,
): Promise<Output<Routes['operatorScan']>> {
  requirePermission(person, 'money.correct');
  // Calls the network, so no transaction may be open.
  const { height, ...found } = await scanIndexes(rail, { from, count });
  const unknown = await db.tx(async (tx) => {
    const news = await unknownAmong(tx, rail, found);
    if (news.receiving.length === 0 && news.change.length === 0) return news;
    const body = { receiving: news.receiving.map(({ index }) => index), change: news.change.map(({ index }) => index) };
    const wanted = { action: 'addresses_found', subject: rail, reason, permission: 'money.correct', people: 1, body } as const;
    await actAs(tx, person, wanted, () => takeFound(tx, rail, news, height));
    return news;
  });
  return { used: [...rows(found, unknown, 'receiving'), ...rows(found, unknown, 'change')] };
}

function rows(found: Scanned, unknown: Scanned, branch: keyof Scanned): Used[] {
  const news = new Set(unknown[branch].map(({ index }) => index));
  return found[branch].map(({ index, to, holds }) => ({
    ...{ index, change: branch === 'change', address: to, new: news.has(index) },
    holds: holds.map(({ currency, parts }) => ({
      amount: format(money(currencyOf(currency)?.unit ?? currency, parts)),
      currency,
    })),
  }));
}
