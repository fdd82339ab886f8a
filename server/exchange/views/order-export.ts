import { type ComponentKind, DISCOUNT_KINDS, totalOf } from '@kurs/money';
import type { Cell, Statements } from '../../platform/index.ts';
import { rateWire } from '../../pricing/index.ts';
import { amountsOf, shownOf } from '../order/money/breakdown.ts';
import { type OrderView, wordOf } from '../order/order.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { moneyWire } from '../wire/price-wire.ts';
import { allOwnOrders, type OwnFilter } from './own-orders.ts';
import type { Owner } from '../order/store/owner.ts';

const COLUMNS = [
  'order',
  'kind',
  'status',
  'created_utc',
  'updated_utc',
  'give_amount',
  'give_currency',
  'get_amount',
  'get_currency',
  'received_at',
  'email',
  'payout',
  'fee',
  'costs',
  'discount',
  'rate',
  'rate_pair',
  ...DISCOUNT_KINDS.map((kind) => `discount_${kind}`),
];

/**
 * Yields an owner's orders as rows of a file, newest first, after a header row. Reads the orders in batches of some hundreds, to
 * save memory.
 */
export async function* orderRows(db: Statements, owner: Owner, filter: OwnFilter): AsyncGenerator<Cell[][]> {
  yield [COLUMNS];
  for await (const orders of allOwnOrders(db, owner, filter)) yield orders.map(orderRow);
}

/** Returns an order as a row of a file: the cells of `COLUMNS`. */
export function orderRow(order: StoredOrder): Cell[] {
  const { view } = order;
  const { sent } = view.facts;
  const sides = amountsOf(view);
  const get = sides.get && moneyWire(sides.get);
  const give = moneyWire(sides.give);
  return [
    order.number,
    view.kind,
    wordOf(view),
    order.createdAt.toISOString(),
    order.updatedAt.toISOString(),
    { amount: give.amount },
    give.currency,
    get ? { amount: get.amount } : '',
    get?.currency ?? '',
    Object.values(view.receive?.fields ?? {}).join(' '),
    order.email,
    sent?.txid ?? '',
    ...priceOf(view),
  ];
}

/**
 * Returns the totals of fees, costs and discounts in the currency given, the rate with its pair, and the total of each kind of
 * discount.
 */
function priceOf(view: OrderView): Cell[] {
  const shown = shownOf(view);
  if (!shown) return Array.from({ length: 5 + DISCOUNT_KINDS.length }, () => '');
  const given = (parts: bigint): Cell => ({ amount: moneyWire({ ...view.give, parts }).amount });
  const sum = (kind: ComponentKind): Cell => given(totalOf(shown.components, kind));
  const discounts = shown.components.filter(({ kind }) => kind === 'discount');
  const ofKind = (kind: string): Cell =>
    given(
      totalOf(
        discounts.filter(({ code }) => code === kind),
        'discount',
      ),
    );
  const rate = shown.rate && rateWire(shown.rate);
  return [
    ...[sum('fee'), sum('cost'), sum('discount')],
    ...(rate ? [{ amount: rate.value }, `${rate.base}/${rate.quote}`] : ['', '']),
    ...DISCOUNT_KINDS.map(ofKind),
  ];
}
