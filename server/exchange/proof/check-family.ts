// Checks a family of orders: an order, its unallocated payments and the orders made of those. Their data about money must match
// each other, the payments room's rows and the books. Pure.

import { isDeepStrictEqual } from 'node:util';
import type { Component } from '@kurs/money';
import { COMPONENT_ACCOUNTS, sumOf } from '../../collecting/index.ts';
import type { Fault, Flow, StoredLeg } from '../../ledger/index.ts';
import type { CameIn, SentOut } from '../../payments/index.ts';
import { bookedOf, brings } from '../order/money/breakdown.ts';
import type { Exchange, OrderView, Payment, Transfer } from '../order/order.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { ownAccounts, walletOf } from '../machine/postings.ts';

/** A family of orders that share payments, with the payments room's rows and the flows in the books about them. */
export interface Family {
  readonly orders: readonly StoredOrder[];
  readonly payins: readonly CameIn[];
  readonly payouts: readonly SentOut[];
  readonly flows: readonly Flow[];
  /** Legs of the journal that last exchanged an order, by name of the order's `out` account, which the exchange filled. */
  readonly exchanged: ReadonlyMap<string, readonly StoredLeg[]>;
}

/**
 * Types of accounts outside orders that money comes from and goes to: custody, wallets, invoices, and payouts on their way.
 */
const OUTSIDE = /^(custody:.*|wallet|owed|suspense|invoice:in|invoice:set|spent:rail|payout)$/;
/** Types of accounts that fill an unallocated payment whose payment has no row of an order: unexplained money, and invoices. */
const WITHOUT_ROW = /^(suspense|invoice:in|invoice:set)$/;
/**
 * Types of accounts for written-off money. If such money comes back, it belongs to no order. `flowFaults` therefore accepts a
 * difference of up to these accounts' sum.
 */
const GIVEN_UP = /^(spent:loss|provision:reversal)$/;

const nameOf = ({ number, view }: StoredOrder): string => `the order ${number}, ${view.state}`;
const total = (sums: readonly bigint[]): bigint => sums.reduce((sum, one) => sum + one, 0n);

/** Returns an order's transfer that is on its way, and the last one that was sent and not returned. */
export const transfersOf = ({ facts: { transfer, sent } }: OrderView): Transfer[] =>
  [transfer, sent].filter((one) => one !== undefined);

const sideOf = ({ give, get }: OrderView, { kind }: Transfer) => (kind === 'payout' ? (get ?? give) : give);

/** Returns the names of the order's accounts through which money comes in from outside orders, or goes out. */
export const ownNames = (order: OrderView): string[] => refsOf(order).map(({ name }) => name);

/** Returns the pair of accounts between which an exchange moves the amount got; empty without a get side. */
export function exchangePair(order: OrderView): { from: string; to: string }[] {
  const { reserve, out } = ownAccounts(order);
  return reserve && out ? [{ from: reserve.name, to: out.name }] : [];
}

/** Returns a fault for each disagreement in a family: between its orders, with the payments room's rows or with the books. */
export const faultsOf = (family: Family): Fault[] => [
  ...family.orders.flatMap(alteredOf),
  ...payinFaults(family),
  ...flowFaults(family),
  ...family.orders.flatMap((order) => sentFaults(order, family)),
  ...strangePayouts(family),
  ...family.orders.flatMap((order) => exchangeFaults(order, family)),
];

const fault = (check: string, account: string, words: string): Fault => ({ check, account, words });

const alteredOf = ({ number, view, isAltered }: StoredOrder): Fault[] =>
  isAltered
    ? [fault('order', `order:${view.id}`, `${number}: its row was changed outside the product (accounts, terms or another part)`)]
    : [];

const isFinal = ({ status }: Payment): boolean => status === 'final';

interface Piece extends Payment {
  readonly currency: string;
  readonly of: string;
}

/**
 * Returns the parts of payments (pieces) that the family's orders have. Payments from wallets are left out, and those that another
 * owner has taken back.
 */
const piecesOf = ({ orders }: Family): Piece[] =>
  orders.flatMap((order) => {
    const { give, payments, pinned } = order.view;
    const of = nameOf(order);
    const own = pinned.returnsTo ? payments.filter(isFinal) : payments;
    return pinned.wallets?.give === undefined ? own.map((one) => ({ ...one, currency: give.currency, of })) : [];
  });

/**
 * Returns a fault for each payment whose pieces in orders don't match the payment's row. All pieces must add up to the row's
 * amount, and the final pieces to the row's final part.
 */
function payinFaults(family: Family): Fault[] {
  const pieces = Map.groupBy(piecesOf(family), ({ id }) => id);
  const ofRows = family.payins.flatMap(({ id, currency, parts, counts }) => {
    const own = pieces.get(id) ?? [];
    const is = `payin:${id}`;
    const said = sumOf(own.filter(isFinal));
    const foreign = own.find((piece) => piece.currency !== currency);
    return [
      ...(said === counts ? [] : [fault('payin', is, `${counts} ${currency} of it count, and its orders count ${said}`)]),
      ...(own.length === 0 || sumOf(own) === parts
        ? []
        : [fault('payin', is, `it is ${parts} ${currency}, and its orders hold ${sumOf(own)}`)]),
      ...(foreign ? [fault('payin', is, `it is in ${currency}, and ${foreign.of} has it in ${foreign.currency}`)] : []),
    ];
  });
  const rows = new Set(family.payins.map(({ id }) => id));
  const without = [...pieces.values()].flat().filter(({ id }) => !rows.has(id));
  // Unexplained money that was assigned to a customer has no payment row. The row of an invoice's payment is the invoice's.
  const from = [...family.flows.filter(({ type }) => WITHOUT_ROW.test(type)), ...fromDesk(family)];
  const cleared = total(from.map(({ parts }) => parts));
  if (sumOf(without) === cleared) return ofRows;
  return [...ofRows, ...without.map(({ id, of }) => fault('payin', `payin:${id}`, `${of} is about a payment that is not there`))];
}

/** Returns what the desk paid into unallocated payments, for money of their payers that it had converted. */
function fromDesk({ orders, flows }: Family): Flow[] {
  const names = new Set(orders.flatMap(({ view }) => (view.kind === 'unallocated' ? [ownAccounts(view).in.name] : [])));
  return flows.filter(({ type, account }) => type === 'desk:free' && names.has(account));
}

/** Compares the net sum that a family received from outside, by the books and by its orders. Returns a fault if they differ. */
function flowFaults(family: Family): Fault[] {
  const { orders, payouts, flows } = family;
  const said = new Map<string, bigint>();
  const add = (unit: string, parts: bigint): void => void said.set(unit, (said.get(unit) ?? 0n) + parts);
  for (const { view } of orders) {
    if (view.get) add(view.get.unit, 0n);
    add(view.give.unit, sumOf(view.payments.filter(isFinal)));
    for (const one of transfersOf(view)) add(sideOf(view, one).unit, -one.parts);
  }
  const unitOf = new Map(orders.flatMap(({ view }) => refsOf(view).map(({ name, unit }) => [name, unit] as const)));
  const [first] = orders;
  return [...said].flatMap(([unit, parts]) => {
    const sum = (types: RegExp): bigint =>
      total(flows.flatMap((one) => (unitOf.get(one.account) === unit && types.test(one.type) ? [one.parts] : [])));
    const byDesk = fromDesk(family).filter(({ account }) => unitOf.get(account) === unit);
    const booked = sum(OUTSIDE) + total(byDesk.map(({ parts: paid }) => paid));
    // The amount that came back may be less than was sent, if the receiver caused the return.
    const back = total(payouts.flatMap((one) => (one.is === 'back' && one.unit === unit ? [one.parts] : [])));
    const min = parts - sum(GIVEN_UP) - back;
    if (!first || (booked <= parts && booked >= min)) return [];
    const words = `${nameOf(first)}, and orders made of its money: net ${booked} ${unit} came in by the books, and ${parts} by the orders`;
    return [fault('order', `order:${first.view.id}`, words)];
  });
}

const refsOf = (order: OrderView) => {
  const { in: into, out, frozen, receivable } = ownAccounts(order);
  return [into, out, frozen, receivable].filter((ref) => ref !== undefined);
};

/**
 * Compares an order's transfer that was sent with its payout's row, and returns a fault if they differ. Transfers into wallets
 * have no such row.
 */
function sentFaults(order: StoredOrder, { payouts }: Family): Fault[] {
  const { view } = order;
  const { sent } = view.facts;
  if (!sent || walletOf(view, sent.kind) !== undefined) return [];
  const { currency, unit } = sideOf(view, sent);
  const is = `payout:${sent.intent}`;
  const row = payouts.find(({ id }) => id === sent.intent);
  if (!row) return [fault('payout', is, `${nameOf(order)} has sent it, and there is no such payout`)];
  const to = (sent.kind === 'payout' ? view.receive : view.refund)?.fields;
  const said = { owner: view.id, purpose: sent.kind, currency, unit, parts: sent.parts, to, txid: sent.txid ?? row.txid };
  const { owner, purpose, parts, txid } = row;
  const stored = { owner, purpose, currency: row.currency, unit: row.unit, parts, to: row.to, txid };
  return [
    ...(row.is === 'out' ? [] : [fault('payout', is, `${nameOf(order)} has sent it, and nothing has left`)]),
    ...(isDeepStrictEqual(said, stored)
      ? []
      : [fault('payout', is, `${nameOf(order)} and the payout differ in: ${unlike(said, stored).join(', ')}`)]),
  ];
}

/** Returns the names of the fields in which two records differ. */
const unlike = (one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(one).filter((name) => !isDeepStrictEqual(one[name], other[name]));

/** Returns a fault for each payout that was altered after its request or that left without belonging to an order. */
function strangePayouts({ orders, payouts }: Family): Fault[] {
  const known = new Set(orders.flatMap(({ view }) => transfersOf(view).map(({ intent }) => intent)));
  return payouts.flatMap(({ id, is, isAltered }) => [
    ...(isAltered && is !== 'in' ? [fault('payout', `payout:${id}`, 'the payout is not what was asked for')] : []),
    ...(is === 'out' && !known.has(id) ? [fault('payout', `payout:${id}`, 'the payout left, and no order has it')] : []),
  ]);
}

/** Compares an order's exchange with the journal that booked it, and returns a fault if they differ. */
function exchangeFaults(order: StoredOrder, { exchanged }: Family): Fault[] {
  const { view } = order;
  const booked = bookedOf(view);
  const { in: into, out, reserve } = ownAccounts(view);
  if (!booked || !out || !reserve) return [];
  const legs = exchanged.get(out.name) ?? [];
  const moved = (from: string, to: string): bigint =>
    total(legs.flatMap((leg) => (leg.from === from && leg.to === to ? [leg.parts] : [])));
  const line = ([account, refOf]: (typeof COMPONENT_BOOKS)[number]): boolean => {
    const { name } = refOf(view.give.unit);
    return bookedOn(booked, account) === moved(into.name, name) - moved(name, into.name);
  };
  const isBooked =
    moved(reserve.name, out.name) === booked.got &&
    moved(into.name, `desk:free:${view.give.unit}`) === booked.exchanged &&
    COMPONENT_BOOKS.every(line);
  return isBooked && addsUp(view, booked)
    ? []
    : [fault('order', `order:${view.id}`, `${nameOf(order)}: its exchange differs from the booked one`)];
}

const COMPONENT_BOOKS = Object.entries(COMPONENT_ACCOUNTS);

/** Returns the net amount that an exchange's components book on an account: fees and costs, less discounts. */
const bookedOn = ({ components }: Exchange, account: string): bigint =>
  total(components.flatMap((one) => (one.account === account ? [taken(one)] : [])));

const taken = ({ kind, amount }: Component): bigint => (kind === 'discount' ? -amount : amount);

/**
 * True if an exchange's sums agree: its components explain the difference between the amounts given and exchanged, and the rate
 * yields the amount got.
 */
function addsUp({ pinned }: OrderView, booked: Exchange): boolean {
  const { give, exchanged, components, rate, got } = booked;
  const lines = total(components.map(taken));
  const terms = booked.terms ?? pinned.terms;
  return give - lines === exchanged && (!terms || brings({ ...terms, rate }, exchanged) === got);
}
