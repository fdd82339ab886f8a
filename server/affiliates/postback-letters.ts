// Letters to affiliates whose postbacks fail: after a day of failures, and when they are switched off.

import { sitePath } from '@kurs/contract';
import { type Holder, holdersById, letterTimes, openAmong } from '../auth/index.ts';
import { FAILING_DAYS, answerWords, type Letter, mail } from '../deliveries/index.ts';
import type { Sender } from '../exchange/index.ts';
import { type Db, letterWords } from '../platform/index.ts';
import { type Trouble, troubledPostbacks } from './postbacks.ts';

const DAY_MS = 86_400_000;
/** Older trouble was reported already, or is no news. The limit is needed since a letter's key is deleted some day. */
const NEWS_DAYS = 14;

/** Queues letters about campaigns whose postbacks have failed for a day or are off, once each time by the letter's key. */
export const reportTroubles = (db: Db, sender: Sender): Promise<void> =>
  db.tx(async (tx) => {
    const age = ({ health: { since } }: Trouble): number => tx.now.getTime() - (since ?? tx.now).getTime();
    const troubles = (await troubledPostbacks(tx)).filter(
      (one) => age(one) < NEWS_DAYS * DAY_MS && (one.health.state === 'off' || age(one) >= DAY_MS),
    );
    if (troubles.length === 0) return;
    const reported = await mail.known(tx, troubles.map(keyOf));
    const news = troubles.filter((one) => !reported.has(keyOf(one)));
    const holders = await holdersById(
      tx,
      news.map(({ holderId }) => holderId),
    );
    const open = await openAmong(tx, [...holders.keys()]);
    const letters = news.flatMap((one) => {
      const holder = holders.get(one.holderId);
      return holder && !holder.isAltered && open.has(holder.id) ? [letterOf(one, holder, sender)] : [];
    });
    mail.queue(tx, ...letters);
  });

const keyOf = ({ health: { id, state, since } }: Trouble): string => `postback ${state} ${id} ${since?.toISOString()}`;

function letterOf(trouble: Trouble, holder: Holder, { name, url }: Sender): Letter {
  const { email: to, locale } = holder;
  const { campaign, health } = trouble;
  const at = letterTimes(holder);
  const since = health.since!;
  const until = new Date(since.getTime() + FAILING_DAYS * DAY_MS);
  const blanks = { name, campaign, since: at(since), until: at(until), days: String(FAILING_DAYS) };
  const words = letterWords(locale, 'postback', blanks);
  const answer = answerWords(health, locale);
  return {
    ...{ to, locale, name, key: keyOf(trouble), subject: words(`${health.state}.subject`) },
    paragraphs: [words(health.state === 'off' ? `off.${health.because}` : 'failing.lead'), words(`${health.state}.then`)],
    facts: [[words('address'), new URL(health.url).origin], ...(answer ? [[words('answer'), answer] as const] : [])],
    link: { url: url + sitePath(locale, 'dashboard/affiliates'), words: words('open') },
    keep: words('keep'),
  };
}
