// Letters to affiliates: their first reward, and what a month has brought. They say nothing about a person.

import { REWARD_UNIT, format, money, writeAmount } from '@kurs/money';
import { type Holder, holderById, holdersById } from '../auth/index.ts';
import { type Letter, mail } from '../deliveries/index.ts';
import { type Db, type Tx, letterWords } from '../platform/index.ts';
import { withoutStatements } from '../referrals/index.ts';
import type { Reward } from './reward.ts';

/** Tells an affiliate of the first reward that they ever had: once, as the letter's key says. `name`: the product's. */
export async function tellFirstReward(tx: Tx, name: string, { holderId, parts, maturesAt }: Reward): Promise<void> {
  const holder = await holderById(tx, holderId);
  if (!holder) return;
  const { locale } = holder;
  const day = maturesAt.toISOString().slice(0, 10);
  const words = letterWords(locale, 'reward', { name, sum: written(parts, holder), day });
  mail.queue(tx, {
    ...addressed(holder, name, `first reward ${holderId}`),
    ...{
      subject: words('first.subject'),
      paragraphs: [words('first.lead'), words('first.then')],
      facts: [],
      keep: words('first.keep'),
    },
  });
}

interface Month {
  readonly holder: string;
  readonly count: number;
  readonly parts: string;
  readonly matured: string;
}

/** Tells affiliates, on the first days of a month, what the one before has brought: each once, and none who don't want it. */
export const tellMonths = (db: Db, name: string): Promise<void> =>
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
    const holders = await holdersById(tx, rows.map(({ holder }) => holder)); // prettier-ignore
    const month = new Date(Date.UTC(tx.now.getUTCFullYear(), tx.now.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
    const silent = await withoutStatements(tx, [...holders.keys()]);
    const letters = rows.flatMap((row) => {
      const holder = holders.get(row.holder);
      return holder && !silent.has(row.holder) ? [statementOf(row, { holder, month, name })] : [];
    });
    mail.queue(tx, ...letters);
  });

function statementOf(
  { count, parts, matured }: Month,
  { holder, month, name }: { readonly holder: Holder; readonly month: string; readonly name: string },
): Letter {
  const sum = written(BigInt(parts), holder);
  const words = letterWords(holder.locale, 'reward', { name, sum, month });
  return {
    ...addressed(holder, name, `rewards of ${month} ${holder.id}`),
    ...{ subject: words('month.subject'), paragraphs: [words('month.lead')], keep: words('month.keep') },
    facts: [
      [words('month.count'), String(count)],
      [words('month.earned'), sum],
      [words('month.matured'), written(BigInt(matured), holder)],
    ],
  };
}

const addressed = ({ email: to, locale }: Holder, name: string, key: string) => ({ to, locale, name, key });

const written = (parts: bigint, { locale }: Holder): string =>
  `${writeAmount(format(money(REWARD_UNIT, parts)), 2, locale)}\u00a0${REWARD_UNIT}`;
