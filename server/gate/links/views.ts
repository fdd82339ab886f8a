// Links in the form of the API: for members of their store, and for buyers.

import { type Output, type Routes, STORE_LINK_PICTURES_PATH, sitePath } from '@kurs/contract';
import { format, money } from '@kurs/money';
import { API_PREFIX, type Statements } from '../../platform/index.ts';
import { digitsOf } from '../methods/current-price.ts';
import { isTestStore } from '../stores/store.ts';
import { openStore } from '../stores/store-rows.ts';
import { storeForBuyers } from '../stores/views.ts';
import type { Link } from './link.ts';
import { linksOf } from './link-rows.ts';
import { type Uses, isUsedUp, usesOf } from './link-uses.ts';

type LinkWire = Output<Routes['storeLinkMake']>;
type BuyersLink = Output<Routes['paymentLink']>;

/** Returns the fields that members and buyers read alike. */
function commonWire({ id, title, currency, sum, picture }: Link) {
  const digits = digitsOf(currency);
  const text = (parts: bigint): string => format(money(currency, parts), digits);
  return {
    ...{ id, title, currency },
    ...('amount' in sum ? { amount: text(sum.amount) } : { least: text(sum.least), most: text(sum.most) }),
    ...(picture !== undefined && { picture: `${API_PREFIX}${STORE_LINK_PICTURES_PATH}/${picture}` }),
  };
}

/** Returns a link in the form of the API for members. `site`: address of the site. */
function linkWire(link: Link, uses: Uses, site: string): LinkWire {
  return {
    ...commonWire(link),
    url: site + sitePath('en', `pay/link/${link.id}`),
    ...(link.maxUses !== undefined && { max_uses: link.maxUses }),
    ...{ uses: uses.spent, uses_held: uses.held, on: link.isOn, created_at: link.createdAt.toISOString() },
  };
}

/** Returns a link in the form of the API for members. `site`: address of the site. */
export const linkView = async (db: Statements, link: Link, site: string): Promise<LinkWire> =>
  linkWire(link, (await usesOf(db, [link.id]))(link.id), site);

/** Returns the links of a store in the form of the API for members, the newest first. */
export async function linkViews(db: Statements, storeId: string, site: string): Promise<LinkWire[]> {
  const links = await linksOf(db, storeId);
  const uses = await usesOf(
    db,
    links.map(({ id }) => id),
  );
  return links.map((link) => linkWire(link, uses(link.id), site));
}

/** Returns a link in the form of the API for its buyers. */
export async function buyersLink(db: Statements, link: Link): Promise<BuyersLink> {
  const store = await openStore(db, link.storeId);
  const closed = !link.isOn ? 'off' : isUsedUp(link, (await usesOf(db, [link.id]))(link.id)) ? 'used_up' : undefined;
  return {
    ...{ ...commonWire(link), store: storeForBuyers(store), test: isTestStore(store) },
    ...(closed !== undefined && { closed }),
  };
}
