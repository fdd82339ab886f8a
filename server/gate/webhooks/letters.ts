// Letters about webhooks of stores: after a day of failures, and when one is switched off.

import { sitePath } from '@kurs/contract';
import { type Holder, holdersById, letterTimes, membersOf, resourceRoles } from '../../auth/index.ts';
import {
  FAILING_DAYS,
  answerWords,
  type Health,
  type Letter,
  type Sender,
  mail,
  troubledEndpoints,
} from '../../deliveries/index.ts';
import { type Db, type Tx, letterWords } from '../../platform/index.ts';
import { kindOf, storeOfOwner } from '../events/owners.ts';
import { STORE, type Store, asResource } from '../stores/store.ts';
import { storesById } from '../stores/store-rows.ts';

const DAY_MS = 86_400_000;
/** Older trouble was reported already, or is no news. The limit is needed since a letter's key is deleted some day. */
const NEWS_DAYS = 14;

/** Queues letters about webhooks that have failed for a day or are off, once each time by the letter's key. */
export const mailTroubledWebhooks = (db: Db, sender: Sender): Promise<void> =>
  db.tx(async (tx) => {
    const age = ({ since }: Health): number => tx.now.getTime() - (since ?? tx.now).getTime();
    const found = [...(await troubledEndpoints(tx, kindOf('kurs'))), ...(await troubledEndpoints(tx, kindOf('greenfield')))];
    const news = found.filter((one) => age(one) < NEWS_DAYS * DAY_MS && (one.state === 'off' || age(one) >= DAY_MS));
    const stores = await storesById(tx, [...new Set(news.map(({ owner }) => storeOfOwner(owner)))]);
    for (const health of news) {
      const store = stores.get(storeOfOwner(health.owner));
      if (store) mail.queue(tx, ...(await lettersAbout(tx, health, store, sender)));
    }
  });

/** Returns the letters about a webhook to the members who may change it. Those that were sent already are left out. */
async function lettersAbout(tx: Tx, health: Health, store: Store, sender: Sender): Promise<Letter[]> {
  const members = await membersOf(tx, asResource(store));
  const roles = await resourceRoles(tx, STORE);
  const ids = members.filter(({ role }) => roles.get(role)?.includes('webhooks.manage')).map(({ holderId }) => holderId);
  const readers = [...(await holdersById(tx, ids)).values()].filter(({ isAltered }) => !isAltered);
  const letters = readers.map((reader) => letterTo(reader, health, store, sender));
  const known = await mail.known(
    tx,
    letters.map(({ key }) => key),
  );
  return letters.filter(({ key }) => !known.has(key));
}

function letterTo(reader: Holder, health: Health, { name: store }: Store, { name, url }: Sender): Letter {
  const { email: to, locale } = reader;
  const { id, state, because } = health;
  const at = letterTimes(reader);
  const since = health.since!;
  const until = new Date(since.getTime() + FAILING_DAYS * DAY_MS);
  const blanks = { name, store, since: at(since), until: at(until), days: String(FAILING_DAYS) };
  const words = letterWords(locale, 'webhook', blanks);
  const answer = answerWords(health, locale);
  return {
    ...{ to, locale, name, key: `webhook ${state} ${id} ${since.toISOString()} ${reader.id}` },
    subject: words(`${state}.subject`),
    paragraphs: [words(state === 'off' ? `off.${because}` : 'failing.lead'), words(`${state}.then`)],
    facts: [[words('address'), new URL(health.url).origin], ...(answer ? [[words('answer'), answer] as const] : [])],
    link: { url: url + sitePath(locale, 'dashboard/business'), words: words('open') },
    keep: words('keep'),
  };
}
