// Addresses on chains that nobody pays: a store hands out a number of them a day. Once it has, its owner and the desk are notified.

import { sitePath } from '@kurs/contract';
import { holdersById } from '../../auth/index.ts';
import { type Letter, mail } from '../../deliveries/index.ts';
import { type Db, type Statements, letterWords, log } from '../../platform/index.ts';
import type { LetterSender } from '../businesses/letters.ts';
import { countUnpaid, storesWithUnpaid } from '../rows/address-rows.ts';
import { settings } from '../settings.ts';
import type { Store } from '../stores/store.ts';
import { storesById } from '../stores/store-rows.ts';

const DAY_MS = 86_400_000;
/** Part of a store's addresses a day that a personal store may hand out. */
const PERSONAL_PART = 25;
/** Part of a business store's addresses a day that one network is given in an hour: less than all in a day. */
const NETWORK_PART = 25;
const HOUR_S = 3_600;

/** Returns the number of addresses that a store may hand out in 24 hours without a payment. */
function maxUnpaid({ kind }: Pick<Store, 'kind'>): number {
  const max = settings.get('gate.unpaid_options');
  return kind === 'personal' ? Math.ceil(max / PERSONAL_PART) : max;
}

/**
 * Returns the limit of the addresses of a store that one network is given. It is so low that nobody alone uses up the store's
 * addresses of a day, and closes it for other buyers.
 */
export function addressesOfNetwork({ businessId }: Pick<Store, 'businessId'>): {
  readonly max: number;
  readonly seconds: number;
} {
  if (businessId === undefined) return { max: Math.ceil(maxUnpaid({ kind: 'personal' }) / 2), seconds: DAY_MS / 1_000 };
  return { max: Math.ceil(maxUnpaid({ kind: 'business' }) / NETWORK_PART), seconds: HOUR_S };
}

const dayBefore = (now: Date): Date => new Date(now.getTime() - DAY_MS);

/** True if a store may hand out another address on a chain now. */
export const mayHandOut = async (db: Statements, store: Pick<Store, 'id' | 'kind'>, now: Date): Promise<boolean> =>
  (await countUnpaid(db, store.id, dayBefore(now))) < maxUnpaid(store);

/**
 * Queues a letter to the owner of each store that may hand out no more addresses, and raises an alarm: once a day for each store, by
 * the letter's key.
 */
export const mailUsedUpAddresses = (db: Db, sender: LetterSender): Promise<void> =>
  db.tx(async (tx) => {
    const max = { business: maxUnpaid({ kind: 'business' }), personal: maxUnpaid({ kind: 'personal' }) };
    const stores = await storesById(tx, await storesWithUnpaid(tx, dayBefore(tx.now), max));
    const day = Math.floor(tx.now.getTime() / DAY_MS);
    const keyOf = ({ id }: Store): string => `store ${id} addresses ${day}`;
    const known = await mail.known(tx, [...stores.values()].map(keyOf));
    const news = [...stores.values()].filter((store) => !known.has(keyOf(store)));
    const owners = await holdersById(
      tx,
      news.map(({ holderId }) => holderId),
    );
    for (const store of news) {
      const owner = owners.get(store.holderId);
      if (!owner || owner.isAltered) continue;
      mail.queue(tx, letterTo(owner, sender, store, keyOf(store)));
      tx.afterCommit(() => {
        log.alarm('a store hands out no more addresses: too many of this day are unpaid', {
          storeId: store.id,
          detail: store.name,
        });
      });
    }
  });

function letterTo(
  { email: to, locale }: { readonly email: string; readonly locale: 'en' | 'ru' },
  { name, url }: LetterSender,
  store: Store,
  key: string,
): Letter {
  const words = letterWords(locale, 'store', { name, store: store.name, max: String(maxUnpaid(store)) });
  return {
    ...{ to, locale, name, key },
    subject: words('addresses.subject'),
    paragraphs: [words('addresses.lead'), words('addresses.then')],
    link: { url: url + sitePath(locale, 'dashboard/business'), words: words('open') },
    keep: words('addresses.keep'),
  };
}
