// Affiliates in a seed's world: ann, whom bob has sent, with a campaign that leaves half of ann's share to friends. Some customers
// come by ann's links, some by bob's, most by none. And what must hold of what they earn; nothing of that is taken from the code that
// is being judged.

import { keepHolders } from '../../auth/testing.ts';
import { post } from '../../ledger/index.ts';
import type { OrderView, StoredOrder } from '../../exchange/index.ts';
import { type Db, type Tx, newId } from '../../platform/index.ts';
import { fundPot } from '../../pots/index.ts';
import { keepCampaign } from '../../referrals/index.ts';
import { Fault } from './invariants.ts';

const ANN = { id: '01900000-0000-7000-8000-00000000a001', code: 'ANNANN00' };
const BOB = { id: '01900000-0000-7000-8000-00000000a002', code: 'B0BB0B00' };

/** What the pot begins with: so little that rewards wait. */
const POT = 3_000_000n;

/** Opens the accounts of affiliates, a campaign, and the pot. */
export async function openSenders(db: Db): Promise<void> {
  await db.tx(async (tx) => {
    for (const [{ id, code }, by] of [
      [BOB, null],
      [ANN, BOB.id],
    ] as const)
      await tx.run(
        `insert into account_holder (id, email, email_key, email_verified_at, locale, created_at, referral_code, referred_by)
         values ($1, $2, $2, clock_now(), 'en', clock_now(), $3, $4)`,
        [id, `${code.toLowerCase()}@example.org`, code, by],
      );
    await keepHolders(tx);
    await keepCampaign(tx, ANN.id, { name: 'friends', split: 50, postback: undefined, mostSplit: 50 });
    await fill(tx, POT);
  });
}

/** More is set aside for rewards. */
export const fillPot = (db: Db): Promise<void> => db.tx((tx) => fill(tx, 50_000_000n));

async function fill(tx: Tx, parts: bigint): Promise<void> {
  await post(tx, [await fundPot(tx, { id: newId(), pot: 'affiliate', parts, back: false })]);
}

/** By whose link a customer comes, by their number. */
export const linkOf = (number: number): { readonly ref?: string } =>
  number % 3 === 0 ? { ref: `${ANN.code}.friends` } : number % 3 === 1 ? { ref: BOB.code } : {};

/** Accounts that hold what affiliates owe. */
export const isOwedByAffiliate = (name: string): boolean => name.startsWith('receivable:affiliate_');

interface Row {
  readonly order: string;
  readonly tier: 1 | 2;
  readonly state: string;
  readonly parts: string;
}

const LIVE = new Set(['waiting', 'case', 'pending', 'available']);

/** What an order's fee less the discounts of others is worth at its middle, in parts of a USDT; undefined without an exchange. */
function keptOf({ give, facts }: OrderView): { readonly kept: bigint; readonly friend: bigint } | undefined {
  const { exchange } = facts;
  if (!exchange?.mid || give.unit !== 'BTC') return undefined;
  const { components, mid } = exchange;
  const { numerator, denominator } = mid.value;
  const sum = (fits: (line: (typeof components)[number]) => boolean): bigint =>
    components.reduce((all, line) => (fits(line) ? all + line.amount : all), 0n);
  const inUsdt = (parts: bigint): bigint => (parts * numerator) / (denominator * 100n);
  const others = sum(({ kind, code }) => kind === 'discount' && code !== 'friend');
  return { kept: inUsdt(sum(({ kind }) => kind === 'fee') - others), friend: inUsdt(sum(({ code }) => code === 'friend')) };
}

/** The highest step of the ladder, in percent. */
const SHARE = 40n;

/**
 * Nothing is earned by an order that was never completed; an affiliate and their friend get no more than the affiliate's share; and
 * at rest nothing is left of what was earned by an order that counts no more.
 */
export async function mustBeEarned(db: Db, orders: ReadonlyMap<string, StoredOrder>, { atRest = false } = {}): Promise<void> {
  const rows = await db.rows<Row>('select order_id as "order", tier, state, parts from reward', [], {
    name: 'simulation.rewards',
  });
  for (const { order: id, tier, state, parts } of rows) {
    const order = orders.get(id);
    if (!order || !LIVE.has(state)) continue;
    if (order.finishedAt === undefined) throw new Fault(`${id} has earned ${parts}, and was never completed`);
    if (atRest && !order.view.facts.counts) throw new Fault(`${id} rests in ${order.view.state} with a reward of ${parts}`);
    const known = tier === 1 ? keptOf(order.view) : undefined;
    if (known && (BigInt(parts) + known.friend - 1n) * 100n > known.kept * SHARE)
      throw new Fault(`${id} gives ${parts} and ${known.friend} of ${known.kept} to an affiliate and their friend`);
  }
}
