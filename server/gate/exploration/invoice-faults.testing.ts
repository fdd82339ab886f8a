// Compares an invoice and its books with the model of the rules. For tests.

import { accounts } from '../../ledger/index.ts';
import { creditedOf, dueOf, neededOf, pendingOf } from '../invoices/invoice.ts';
import { Model } from './invoice-model.testing.ts';
import type { Paid } from './invoice-paid.testing.ts';
import { CUSTODY, MERCHANT, type World } from './invoice-world.testing.ts';
import type { Coin } from './invoice-terms.testing.ts';

/** Sums of an invoice as the machine computes them. */
export interface Sums {
  readonly creditedOf: typeof creditedOf;
  readonly pendingOf: typeof pendingOf;
  readonly dueOf: typeof dueOf;
  readonly neededOf: typeof neededOf;
}

export const SUMS: Sums = { creditedOf, pendingOf, dueOf, neededOf };

const COINS: readonly Coin[] = ['BTC', 'LTC', 'USDT'];
const CENT = 10_000n;
const total = (payments: readonly Paid[], of: (one: Paid) => bigint): bigint => payments.reduce((sum, one) => sum + of(one), 0n);

/** Returns the first difference between an invoice and the rules, in words; undefined if there is none. */
export function faultOf(world: World, sums: Sums): string | undefined {
  const { invoice, model } = world;
  if (invoice.state !== model.state) return `it is ${invoice.state} and should be ${model.state}`;
  const pairs = [
    ['credited', sums.creditedOf(invoice), model.credited],
    ['pending', sums.pendingOf(invoice), model.pending],
    ['due', sums.dueOf(invoice), model.due],
    ['needed', sums.neededOf(invoice), model.needed],
  ] as const;
  for (const [name, is, should] of pairs) if (is !== should) return `${name} is ${is} and should be ${should}`;
  if (invoice.mark !== model.mark) return `its mark is ${invoice.mark} and should be ${model.mark}`;
  const stage = model.payments.find((one) => stageOf(world, one) !== one.stage);
  if (stage) return `the payment ${stage.id} is ${stageOf(world, stage)} and should be ${stage.stage}`;
  return accountFault(world) ?? restFault(world) ?? flowFault(world);
}

const stageOf = ({ invoice }: World, { id }: Paid): string => invoice.payments.find((one) => one.id === id)?.stage ?? 'dropped';

const unitOfSet = ({ coin, isOwn }: Paid): Coin => (isOwn ? coin : 'USDT');

/** Compares the invoice's accounts with its payments. */
function accountFault(world: World): string | undefined {
  const { payments } = world.model;
  const differs = (name: string, is: bigint, should: bigint): string | undefined =>
    is === should ? undefined : `${name} holds ${is} and should hold ${should}`;
  for (const coin of COINS) {
    const own = payments.filter((one) => one.coin === coin);
    const standing = total(own, (one) => world.model.inOf(one));
    const fault = differs(`in ${coin}`, world.shown(accounts.invoiceIn('invoice', coin)), standing);
    if (fault !== undefined) return fault;
  }
  for (const unit of COINS) {
    const isStanding = ({ stage, isSettled }: Paid): boolean => (stage === 'credited' && !isSettled) || stage === 'returning';
    const sets = payments.filter((one) => isStanding(one) && unitOfSet(one) === unit);
    const fault = differs(
      `set ${unit}`,
      world.shown(accounts.invoiceSet('invoice', unit)),
      total(sets, ({ set }) => set),
    );
    if (fault !== undefined) return fault;
  }
  const reserved = total(payments, (one) => one.reserved) * CENT;
  return differs('reserve', world.shown(accounts.invoiceReserve('invoice', 'USDT')), reserved);
}

/** An invoice at rest has no money but what is held, or waits for a price, or stands for a short one. */
function restFault(world: World): string | undefined {
  const { state, payments } = world.model;
  if (state === 'open' || state === 'confirming' || state === 'short') return undefined;
  for (const [name, parts] of world.books) {
    if (!name.startsWith('invoice:') || parts === 0n) continue;
    const isHeld = name.includes(':in:') && payments.some(({ stage }) => stage === 'held' || stage === 'waiting');
    const isReturning = name.includes(':set:') && payments.some(({ stage }) => stage === 'returning');
    if (!isHeld && !isReturning) return `at rest in ${state} with ${parts} in ${name}`;
  }
  return undefined;
}

/** No more goes out than came in: to the store, to payers and back to the rails. */
function flowFault(world: World): string | undefined {
  const { payments, start } = world.model;
  for (const coin of COINS) {
    const came = total(
      payments.filter((one) => one.coin === coin && one.stage !== 'seen' && one.stage !== 'dropped'),
      ({ parts, taken }) => parts - taken,
    );
    const own = coin === 'USDT' ? start.free * 100n * CENT : coin === 'BTC' ? -world.spent : 0n;
    const held = world.shown(CUSTODY[coin]) - world.shown(accounts.owedRail('rail', coin));
    if (held !== came + own) return `custody of ${coin} is ${held}, and ${came + own} came`;
    const given = [...world.books].reduce(
      (sum, [name, parts]) => (name.startsWith('unallocated:') && name.endsWith(`:${coin}`) ? sum + parts : sum),
      0n,
    );
    const payers = total(payments, (one) => (one.coin === coin ? one.given.reduce((a, b) => a + b, one.back) : 0n));
    if (given !== payers) return `payers have ${given} ${coin}, and should have ${payers}`;
  }
  return storeFault(world);
}

/** The store and the desk's fee have what was settled and not taken back. */
function storeFault(world: World): string | undefined {
  for (const unit of COINS) {
    const settled = world.model.payments.filter((one) => one.isSettled && one.used > 0n && unitOfSet(one) === unit);
    const sets = total(settled, ({ set }) => set);
    const owed = world.shown(accounts.receivable('business_business', unit));
    const store = world.shown(MERCHANT[unit]) + (unit === 'USDT' ? world.moved : 0n) - owed;
    const fee = world.shown(accounts.income('gate', unit));
    if (store + fee !== sets) return `the store and the fee have ${store + fee} ${unit}, and ${sets} were settled`;
    const isCut = world.model.payments.some(({ taken }) => taken > 0n);
    if (!isCut && fee !== Model.feeOf(unit, sets)) return `the fee of ${sets} ${unit} is ${fee}`;
  }
  return undefined;
}
