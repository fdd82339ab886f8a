// Letters to affiliates about their first reward and the results of a month. They contain nothing about customers.

import { Problem, sitePath } from '@kurs/contract';
import { REWARD_UNIT, format, money, writeAmount } from '@kurs/money';
import { type Holder, holdersById, letterTimes, openAmong } from '../auth/index.ts';
import { type Letter, mail } from '../deliveries/index.ts';
import type { Sender } from '../exchange/index.ts';
import { type Db, type Tokens, type Tx, letterWords } from '../platform/index.ts';
import { switchStatements, withoutStatements } from '../referrals/index.ts';
import type { Reward } from './reward.ts';

const firstKey = (holderId: string): string => `first reward ${holderId}`;

/** Queues the letter about an affiliate's first reward, once by the letter's key. `name`: the product's. */
export async function mailFirstRewards(tx: Tx, name: string, rewards: readonly Reward[]): Promise<void> {
  const reported = await mail.known(
    tx,
    rewards.map(({ holderId }) => firstKey(holderId)),
  );
  const firsts = rewards.filter(({ holderId }) => !reported.has(firstKey(holderId)));
  if (firsts.length === 0) return;
  const holders = await holdersById(
    tx,
    firsts.map(({ holderId }) => holderId),
  );
  const letters = firsts.flatMap((one) => {
    const holder = holders.get(one.holderId);
    return holder && !holder.isAltered ? [firstLetter(name, holder, one)] : [];
  });
  mail.queue(tx, ...letters);
}

function firstLetter(name: string, holder: Holder, { holderId, parts, maturesAt }: Reward): Letter {
  const until = letterTimes(holder)(maturesAt);
  const words = letterWords(holder.locale, 'reward', { name, sum: written(parts, holder), until });
  return {
    ...addressed(holder, name, firstKey(holderId)),
    ...{
      subject: words('first.subject'),
      paragraphs: [words('first.lead'), words('first.then')],
      facts: [],
      keep: words('first.keep'),
    },
  };
}

interface Month {
  readonly holder: string;
  readonly count: number;
  readonly parts: string;
  readonly matured: string;
}

/**
 * Queues the letter about the previous month, on the first days of a month. Each affiliate gets one, except those who switched it
 * off or whose account is closed.
 */
export const mailMonths = (db: Db, sender: Sender): Promise<void> =>
  db.tx(async (tx) => {
    if (tx.now.getUTCDate() > 3) return;
    const rows = await tx.rows<Month>(
      `select holder_id as holder, count(*)::int as count, sum(parts) as parts,
         coalesce(sum(parts) filter (where state = 'available'), 0) as matured
       from reward where made_at >= date_trunc('month', $1::timestamptz, 'UTC') - interval '1 month' and made_at < date_trunc('month', $1::timestamptz, 'UTC')
         and state in ('waiting', 'pending', 'available')
       group by holder_id`,
      [tx.now],
    );
    const holders = await holdersById(
      tx,
      rows.map(({ holder }) => holder),
    );
    const month = monthBefore(tx.now);
    const silent = await withoutStatements(tx, [...holders.keys()]);
    const open = await openAmong(tx, [...holders.keys()]);
    const letters = rows.flatMap((row) => {
      const holder = holders.get(row.holder);
      const isReported = holder && !holder.isAltered && open.has(row.holder) && !silent.has(row.holder);
      return isReported ? [statementOf(row, { holder, month, sender })] : [];
    });
    mail.queue(tx, ...letters);
  });

/** Returns the month (UTC) before that of a moment: `2026-11`. */
function monthBefore(moment: Date): string {
  const before = new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() - 1, 1));
  return `${before.getUTCFullYear()}-${String(before.getUTCMonth() + 1).padStart(2, '0')}`;
}

function statementOf(
  { count, parts, matured }: Month,
  { holder, month, sender }: { readonly holder: Holder; readonly month: string; readonly sender: Sender },
): Letter {
  const { name } = sender;
  const sum = written(BigInt(parts), holder);
  const words = letterWords(holder.locale, 'reward', { name, sum, month });
  return {
    ...addressed(holder, name, `rewards of ${month} ${holder.id}`),
    offAt: offLink(sender, holder),
    ...{ subject: words('month.subject'), paragraphs: [words('month.lead')], keep: words('month.keep') },
    facts: [
      [words('month.count'), String(count)],
      [words('month.earned'), sum],
      [words('month.matured'), written(BigInt(matured), holder)],
    ],
  };
}

/** Kind of the token that switches the monthly letter off. */
const SWITCH = { kind: 'reward letters', version: 1 } as const;

/** Returns the link to the page that switches an affiliate's monthly letter off; the link alone is enough. */
function offLink({ tokens, url }: Sender, { id, locale }: Pick<Holder, 'id' | 'locale'>): string {
  const token = tokens.make(SWITCH.kind, id, SWITCH.version);
  return url + sitePath(locale, `letters?of=rewards&holder=${id}&token=${token}`);
}

/** Switches an affiliate's monthly letter off. Throws `not_found` if the token is not the holder's. */
export async function switchLettersOff(
  db: Db,
  tokens: Tokens,
  { holder, token }: { readonly holder: string; readonly token: string },
): Promise<void> {
  if (!tokens.check(token, SWITCH.kind, holder, SWITCH.version)) throw new Problem('not_found');
  await db.tx((tx) => switchStatements(tx, holder, false));
}

const addressed = ({ email: to, locale }: Holder, name: string, key: string) => ({ to, locale, name, key });

const written = (parts: bigint, { locale }: Holder): string =>
  `${writeAmount(format(money(REWARD_UNIT, parts)), 2, locale)}\u00a0${REWARD_UNIT}`;
