// The decision of a store about money that came short or late, with the result of each choice in money.

import type { Output, Routes } from '@kurs/contract';
import { isUndecided, moneyWire, readOrders } from '../../exchange/index.ts';
import { accounts, balances } from '../../ledger/index.ts';
import type { Statements } from '../../platform/index.ts';
import { acceptableUntil } from '../actions/decide-invoice.ts';
import { type LateMoney, accept, acceptLate, lateOf, worthOf } from '../invoices/decide.ts';
import type { StepContext } from '../invoices/draft.ts';
import { type Invoice, creditedOf } from '../invoices/invoice.ts';
import { currentPrice } from '../methods/current-price.ts';
import { takenNow } from '../methods/methods.ts';
import { sumText } from '../wire/sum-text.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { settledSums } from './settled-sums.ts';

type DecisionWire = NonNullable<Output<Routes['storeInvoice']>['decision']>;
export type DecisionKind = DecisionWire['kind'];

/** Returns late payments that a store may still accept: within its time, and while their payers have decided nothing. */
export async function acceptableLate(
  db: Statements,
  views: readonly Invoice[],
  now: Date,
): Promise<ReadonlyMap<string, LateMoney[]>> {
  const late = views.map((view) => [view.id, lateOf(view).filter(({ at }) => now < acceptableUntil(at))] as const);
  const orders = await readOrders(
    db,
    late.flatMap(([, all]) => all.map(({ orderId }) => orderId)),
  );
  const open = new Set(orders.flatMap(({ isAltered, view }) => (!isAltered && isUndecided(view) ? [view.id] : [])));
  return new Map(late.map(([id, all]) => [id, all.filter(({ orderId }) => open.has(orderId))]));
}

/** Returns the kind of the decision that each of these invoices waits for, by their ids. Invoices without one are left out. */
export async function decisionsOf(
  db: Statements,
  invoices: readonly StoredInvoice[],
  now: Date,
): Promise<ReadonlyMap<string, DecisionKind>> {
  const views = invoices.map(({ view }) => view);
  const late = await acceptableLate(db, views, now);
  return new Map(
    views.flatMap(({ id, state }): [string, DecisionKind][] => {
      if (state === 'short') return [[id, 'short']];
      return (late.get(id)?.length ?? 0) > 0 ? [[id, 'late']] : [];
    }),
  );
}

/** Returns the decision that an invoice waits for; undefined if there is none. */
export async function decisionWire(db: Statements, view: Invoice, now: Date): Promise<DecisionWire | undefined> {
  const context = await contextOf(db, view, now);
  if (view.state === 'short') return shortDecision(view, context);
  const late = (await acceptableLate(db, [view], now)).get(view.id) ?? [];
  return late.length === 0 ? undefined : lateDecision(view, late, context);
}

/** Returns the data for a preview of a decision: as when it is made, but for the shares that bound the desk's reserves. */
async function contextOf(db: Statements, { terms }: Invoice, now: Date): Promise<StepContext> {
  const [reservable = 0n] = await balances(db, [accounts.deskFree(terms.settlement.unit)]);
  const priceNow = (currency: string) => currentPrice(terms, currency);
  return { now, reservable, priceNow, takenNow: (currency) => takenNow(terms, currency) };
}

function shortDecision(view: Invoice, context: StepContext): DecisionWire {
  const { shortPreset: preset } = view.terms;
  const credited = view.payments.filter(({ stage }) => stage === 'credited');
  const given = credited.map((payment) => ({ ...payment, worth: worthOf(payment, context) }));
  return {
    ...{ kind: 'short', preset, sum: sumText(view.terms, creditedOf(view)) },
    ...(view.decideAt && { until: view.decideAt.toISOString() }),
    store_gets: settledSums(accept(view)?.invoice ?? view).received,
    payers_get: given.flatMap(({ currency, unit, worth }) =>
      worth === undefined ? [] : [moneyWire({ currency, unit, parts: worth })],
    ),
    has_price: given.every(({ worth }) => worth !== undefined),
  };
}

function lateDecision(view: Invoice, late: readonly LateMoney[], context: StepContext): DecisionWire {
  const hasPrice = late.every(({ currency }) => context.priceNow(currency) !== undefined);
  const after = hasPrice ? acceptLate(view, late, context)?.invoice : undefined;
  const until = late.map(({ at }) => acceptableUntil(at)).reduce((first, one) => (one < first ? one : first));
  return {
    ...{ kind: 'late', sum: sumText(view.terms, after ? creditedOf(after) : 0n), until: until.toISOString() },
    store_gets: after ? settledSums(after).received : [],
    payers_get: late.map(({ currency, unit, parts }) => moneyWire({ currency, unit, parts })),
    has_price: after !== undefined,
  };
}
