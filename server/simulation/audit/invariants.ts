// What must hold of every order at every moment (docs/money-rules.md), told by its view alone. Nothing here is taken from the
// code that is being judged.

import { type OrderView, RESTING } from '../../exchange/index.ts';
import { type Rate, scaleOf } from '@kurs/money';
import { type AccountRef, accounts } from '../../ledger/index.ts';

/** Something that must never be, in words. */
export class Fault extends Error {}

/** Accounts that belong to one order, by the first piece of their names. */
export const OF_ORDERS: ReadonlySet<string> = new Set(['order', 'payout', 'unallocated', 'unclaimed', 'frozen', 'receivable']);

/** What may stand in an order's accounts for ever. */
const MAY_STAND: Readonly<Record<string, readonly string[]>> = {
  unclaimed: ['unclaimedIn', 'unclaimedOut'],
  frozen: ['frozen'],
  charged_back: ['receivable', 'loss'],
};

/** An order at rest is empty, except where all of it stands in the one account that is its state's. */
export function mustRest({ id, state, positions }: OrderView): void {
  if (!RESTING.has(state)) return;
  const may = MAY_STAND[state] ?? [];
  for (const [name, parts] of Object.entries(positions)) {
    if (parts !== 0n && !may.includes(name)) throw new Fault(`${id} rests in ${state} with ${parts} in ${name}`);
  }
}

/** What was given to a customer is covered by what was received for good, or booked as owed or lost. */
export function mustBeCovered({ id, facts, payments, positions }: OrderView): void {
  if (!facts.sent) return;
  const { kind, parts, cost } = facts.sent;
  const worth = kind === 'refund' ? parts + cost : facts.exchange?.give;
  if (worth === undefined) throw new Fault(`${id} was paid without an exchange`);
  const covered = received(payments) + (facts.settled ?? 0n) + positions.receivable + positions.loss;
  if (worth > covered) throw new Fault(`${id} was given ${worth} for ${covered}`);
}

/**
 * What a hold has left of a locked rate. `gone`: the market's counts · `lower`: the lower of the market's and the locked one
 */
export type HeldRate = 'gone' | 'lower';

/**
 * 9: nobody gets more than what they gave is worth at the best rate that they were shown: the one that was locked, until it is
 * gone; that of an offer; or the market's since the last look, without any spread. `before`: the order as it stood before it
 * was exchanged. `held`: what a hold has left of the locked rate; where the lower counts, nobody gets more than by either.
 */
export function mustBeShown(view: OrderView, before: OrderView | undefined, markets: readonly Rate[], held?: HeldRate): void {
  const { give, get, pinned, facts } = view;
  const { exchange } = facts;
  const known = before?.facts.exchange;
  if (!exchange || !get || (known?.give === exchange.give && known.got === exchange.got)) return;
  const { rate } = pinned.terms ?? {};
  const worthAt = (at: Rate): bigint => worth(exchange.give, give.unit, get.unit, at);
  const locked = facts.late || held ? undefined : rate;
  const shown = [...markets, locked, facts.offer?.terms.rate, before?.facts.offer?.terms.rate].filter(
    (rate) => rate !== undefined,
  );
  const best = shown.map(worthAt).reduce((a, b) => (a > b ? a : b));
  const most = held === 'lower' && rate && worthAt(rate) < best ? worthAt(rate) : best;
  if (exchange.got > most) throw new Fault(`${view.id} gets ${exchange.got} for ${exchange.give}, worth at most ${most}`);
}

/** What parts of a unit are worth in parts of another, rounded up; a rate may be stated either way round. */
function worth(parts: bigint, from: string, to: string, { base, value: { numerator, denominator } }: Rate): bigint {
  const [up, down] = base === from ? [numerator, denominator] : [denominator, numerator];
  const over = parts * up * 10n ** BigInt(scaleOf(to));
  const under = down * 10n ** BigInt(scaleOf(from));
  return (over + under - 1n) / under;
}

/** Parts of final payments. */
export function received(payments: OrderView['payments']): bigint {
  return payments.reduce((sum, { standing, parts }) => (standing === 'final' ? sum + parts : sum), 0n);
}

/** An order's accounts by the chart, with what its positions say of each. */
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
