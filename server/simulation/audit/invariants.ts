// Invariants of every order at every moment (docs/money-rules.md), by its view alone. They use none of the code that they check.

import { type OrderView, RESTING } from '../../exchange/index.ts';
import { type Rate, scaleOf } from '@kurs/money';
import { type AccountRef, accounts } from '../../ledger/index.ts';

/** A broken invariant, in words. */
export class Fault extends Error {}

/** Accounts that belong to one order, by the first piece of their names. */
export const OF_ORDERS: ReadonlySet<string> = new Set(['order', 'payout', 'unallocated', 'unclaimed', 'frozen', 'receivable']);

/** Accounts in which an order's money may stay without end. */
const MAY_STAND: Readonly<Record<string, readonly string[]>> = {
  unclaimed: ['unclaimedIn', 'unclaimedOut'],
  frozen: ['frozen'],
  charged_back: ['receivable', 'loss'],
};

/** An order at rest is empty, unless all its money is in the one account of its state. */
export function mustRest({ id, state, positions }: OrderView): void {
  if (!RESTING.has(state)) return;
  const may = MAY_STAND[state] ?? [];
  for (const [name, parts] of Object.entries(positions)) {
    if (parts !== 0n && !may.includes(name)) throw new Fault(`${id} rests in ${state} with ${parts} in ${name}`);
  }
}

/** Money given to a customer is covered by final payments, or booked as owed or lost. */
export function mustBeCovered({ id, facts, payments, positions }: OrderView): void {
  if (!facts.sent) return;
  const { kind, parts, cost } = facts.sent;
  const worth = kind === 'refund' ? parts + cost : facts.exchange?.give;
  if (worth === undefined) throw new Fault(`${id} was paid without an exchange`);
  const covered = received(payments) + (facts.settled ?? 0n) + positions.receivable + positions.loss;
  if (worth > covered) throw new Fault(`${id} was given ${worth} for ${covered}`);
}

/**
 * Rest of a locked rate after a hold. `gone`: the market's counts · `lower`: the lower of the market's and the locked one
 */
export type HeldRate = 'gone' | 'lower';

/**
 * Invariant 9: nobody gets more than their payment is worth at the best rate that they were shown: the locked one, until it is
 * gone; that of an offer; or the market's since the last check, without any spread. `before`: the order before its exchange.
 * `held`: rest of the locked rate after a hold; if the lower rate counts, nobody gets more than by either.
 */
export function mustBeShown(view: OrderView, before: OrderView | undefined, markets: readonly Rate[], held?: HeldRate): void {
  const { give, get, pinned, facts } = view;
  const { exchange } = facts;
  const known = before?.facts.exchange;
  if (!exchange || !get || (known?.give === exchange.give && known.got === exchange.got)) return;
  const { rate } = pinned.terms ?? {};
  const worthAt = (at: Rate): bigint => worth(exchange.give, give.unit, get.unit, at);
  const locked = facts.isLate || held ? undefined : rate;
  const shown = [...markets, locked, facts.offer?.terms.rate, before?.facts.offer?.terms.rate].filter(
    (rate) => rate !== undefined,
  );
  const best = shown.map(worthAt).reduce((a, b) => (a > b ? a : b));
  const max = held === 'lower' && rate && worthAt(rate) < best ? worthAt(rate) : best;
  if (exchange.got > max) throw new Fault(`${view.id} gets ${exchange.got} for ${exchange.give}, worth at most ${max}`);
}

/** Converts minor units of one unit into those of another, rounded up; a rate may be stated in either direction. */
export function worth(parts: bigint, from: string, to: string, { base, value: { numerator, denominator } }: Rate): bigint {
  const [up, down] = base === from ? [numerator, denominator] : [denominator, numerator];
  const over = parts * up * 10n ** BigInt(scaleOf(to));
  const under = down * 10n ** BigInt(scaleOf(from));
  return (over + under - 1n) / under;
}

/** Returns the sum of final payments in minor units. */
export function received(payments: OrderView['payments']): bigint {
  return payments.reduce((sum, { status, parts }) => (status === 'final' ? sum + parts : sum), 0n);
}

/** Returns an order's accounts by the chart, with its position for each. */
export function accountsOf({ id, kind, give, get, positions, facts: { transfer } }: OrderView): [AccountRef, bigint][] {
  const own: [AccountRef, bigint][] = [
    [kind === 'unallocated' ? accounts.unallocated(id, give.unit) : accounts.orderIn(id, give.unit), positions.in],
    [accounts.unclaimed(id, give.unit), positions.unclaimedIn],
    [accounts.frozen(id, give.unit), positions.frozen],
    [accounts.receivable(id, give.unit), positions.receivable],
  ];
  if (get) {
    own.push([accounts.orderOut(id, get.unit), positions.out]);
    own.push([accounts.orderReserve(id, get.unit), positions.reserve]);
    own.push([accounts.unclaimed(`${id}.out`, get.unit), positions.unclaimedOut]);
  }
  if (transfer) {
    const unit = transfer.kind === 'payout' ? (get ?? give).unit : give.unit;
    own.push([accounts.payout(transfer.intent, unit), positions.transfer]);
  } else if (positions.transfer !== 0n) throw new Fault(`${id} has ${positions.transfer} on its way and no transfer`);
  return own;
}
