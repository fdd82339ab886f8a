// Affiliates in a seed's world: ann, referred by bob, has a campaign that leaves half of ann's share to friends. Some customers
// come by ann's links, some by bob's, most by none. This file also has the invariants of their earnings, which use none of the
// code that they check.

import { writeHolderMacs } from '../../auth/testing.ts';
import { post } from '../../ledger/index.ts';
import type { OrderView, StoredOrder } from '../../exchange/index.ts';
import { type Db, type Tx, newId } from '../../platform/index.ts';
import { fundPot } from '../../pots/index.ts';
import { storeCampaign } from '../../referrals/index.ts';
import { Fault } from './invariants.ts';

const ANN = { id: '01900000-0000-7000-8000-00000000a001', code: 'ANNANN00' };
const BOB = { id: '01900000-0000-7000-8000-00000000a002', code: 'B0BB0B00' };

/** Initial balance of the pot: so small that rewards wait. */
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
    await writeHolderMacs(tx);
    await storeCampaign(tx, ANN.id, { name: 'friends', split: 50, postback: undefined, maxSplit: 50 });
    await fill(tx, POT);
  });
}

/** Sets more aside for rewards. */
export const fillPot = (db: Db): Promise<void> => db.tx((tx) => fill(tx, 50_000_000n));

async function fill(tx: Tx, parts: bigint): Promise<void> {
  await post(tx, [await fundPot(tx, { id: newId(), pot: 'affiliate', parts, isBack: false })]);
}

/** Returns the link of a customer, by their number. */
export const linkOf = (number: number): { readonly ref?: string } =>
  number % 3 === 0 ? { ref: `${ANN.code}.friends` } : number % 3 === 1 ? { ref: BOB.code } : {};

/** Accounts of affiliates' debts. */
export const isOwedByAffiliate = (name: string): boolean => name.startsWith('receivable:affiliate_');

interface Row {
  readonly order: string;
  readonly tier: 1 | 2;
  readonly state: string;
  readonly parts: string;
}

const LIVE = new Set(['waiting', 'case', 'pending', 'available']);

/**
 * Returns the worth of an order's fee less others' discounts by its mid rate, in minor units of USDT; undefined without an
 * exchange.
 */
function retainedOf({ give, facts }: OrderView): { readonly retained: bigint; readonly friend: bigint } | undefined {
  const { exchange } = facts;
  if (!exchange?.mid || give.unit !== 'BTC') return undefined;
  const { components, mid } = exchange;
  const { numerator, denominator } = mid.value;
  const sum = (fits: (line: (typeof components)[number]) => boolean): bigint =>
    components.reduce((all, line) => (fits(line) ? all + line.amount : all), 0n);
  const inUsdt = (parts: bigint): bigint => (parts * numerator) / (denominator * 100n);
  const others = sum(({ kind, code }) => kind === 'discount' && code !== 'friend');
  return { retained: inUsdt(sum(({ kind }) => kind === 'fee') - others), friend: inUsdt(sum(({ code }) => code === 'friend')) };
}

/** The highest step of the ladder, in percent. */
const SHARE = 40n;

/**
 * An order that was never completed earns nothing; an affiliate and their friend get at most the affiliate's share; and at rest
 * nothing is left of earnings from an order that no longer counts.
 */
export async function mustBeEarned(db: Db, orders: ReadonlyMap<string, StoredOrder>, { atRest = false } = {}): Promise<void> {
  const rows = await db.rows<Row>('select order_id as "order", tier, state, parts from reward', [], {
    name: 'simulation.rewards',
  });
  for (const { order: id, tier, state, parts } of rows) {
    const order = orders.get(id);
    if (!order || !LIVE.has(state)) continue;
    if (order.finishedAt === undefined) throw new Fault(`${id} has earned ${parts}, and was never completed`);
    if (atRest && !order.view.facts.isCounted) throw new Fault(`${id} rests in ${order.view.state} with a reward of ${parts}`);
    const known = tier === 1 ? retainedOf(order.view) : undefined;
    if (known && (BigInt(parts) + known.friend - 1n) * 100n > known.retained * SHARE)
      throw new Fault(`${id} gives ${parts} and ${known.friend} of ${known.retained} to an affiliate and their friend`);
  }
}
