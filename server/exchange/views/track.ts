import { type Input, type Output, Problem, type Routes } from '@kurs/contract';
import { confirmationsOf, voucherState, payoutStatus } from '../../payments/index.ts';
import { alsoAbout, canonicalEmail, type Db, type Statements, type Tokens, type Tx } from '../../platform/index.ts';
import { type Sender, queueAbout } from '../letters/letters.ts';
import { wordOf } from '../order/order.ts';
import { payoutOf } from './shown-state.ts';
import { requireAsStored } from '../order/store/order-mac.ts';
import { type StoredOrder, eventsOf, readOrder, relatedTo } from '../order/store/order-store.ts';
import { shallowOrders } from '../order/store/shallow-orders.ts';
import { type OrderWire, orderWire } from '../wire/order-wire.ts';
import { directionsFor } from '../calculation/open-directions.ts';
import { lacksOffer } from '../machine/offers.ts';
import { type Receipts, orderReceipt } from '../calculation/receipt.ts';
import { isPaused } from '../apply/paused-payouts.ts';
import { isInFlight } from '../order/events/shown-events.ts';
import { voucherTransferOf } from '../order/money/voucher-transfer.ts';
import { rules } from '../machine/settings.ts';

/** Dependencies of the functions that show an order. */
export interface Showing {
  readonly db: Db;
  readonly sender: Sender;
  readonly receipts: Receipts;
  /** The viewer's language; by default that of the order. */
  readonly locale?: 'en' | 'ru';
}

/**
 * Returns an order by its number and secret. Throws `order_not_found` both for an unknown order and for a wrong secret, and
 * `record_altered` if the order's row was changed outside the product.
 */
export async function orderByToken(
  db: Statements,
  tokens: Tokens,
  { id, token }: { id: string; token: string | undefined },
): Promise<StoredOrder> {
  const order = await readOrder(db, id);
  if (!order || token === undefined || !tokens.check(token, 'order', order.view.id, order.tokenVersion))
    throw new Problem('order_not_found');
  alsoAbout({ orderId: order.view.id, orderNumber: order.number });
  return requireAsStored(order);
}

/** Returns an order in the contract's form, for anyone who has its secret. All data is read in one snapshot. */
export function showOrder(showing: Showing, order: StoredOrder): Promise<OrderWire> {
  return showing.db.tx((tx) => showAt(tx, showing, order), AT_ONE_MOMENT);
}

/**
 * Returns an order by its number and secret, with its form for the contract in `shown`, all from one snapshot. If an offer must
 * be made first, `shown` is missing. Throws `order_not_found`.
 */
export function showByToken(
  showing: Showing,
  key: { id: string; token: string },
): Promise<{ readonly order: StoredOrder; readonly shown?: OrderWire }> {
  return showing.db.tx(async (tx) => {
    const order = await orderByToken(tx, showing.sender.tokens, key);
    return lacksOffer(order.view, tx.now) ? { order } : { order, shown: await showAt(tx, showing, order) };
  }, AT_ONE_MOMENT);
}

const AT_ONE_MOMENT = { isSnapshot: true };

async function showAt(tx: Tx, { sender, receipts, locale }: Omit<Showing, 'db'>, order: StoredOrder): Promise<OrderWire> {
  const { view } = order;
  const bought = voucherTransferOf(view);
  const intent = payoutOf(view);
  const [events, related, voucher, payout, confirmations, paused, directions, shallow] = await Promise.all([
    eventsOf(tx, view.id),
    relatedTo(tx, order),
    bought === undefined ? ('none' as const) : voucherState(tx, bought),
    intent === undefined ? undefined : payoutStatus(tx, intent),
    confirmationsOf(tx, { kind: 'order', id: view.id }),
    isPaused(tx, view, tx.now),
    directionsFor(tx, order),
    isInFlight(view.state) ? shallowOrders(tx, [view]) : undefined,
  ]);
  const receipt = orderReceipt(receipts, order);
  const shown = orderWire(order, {
    now: tx.now,
    isPaused: paused,
    isShallow: shallow?.has(view.id) === true,
    spans: rules(),
    events,
    voucher,
    payout,
    confirmations,
    directions,
    locale: locale ?? order.locale,
    related: related
      .filter(({ isAltered }) => !isAltered)
      .map((one) => ({
        order: one,
        token: sender.tokens.make('order', one.view.id, one.tokenVersion),
      })),
  });
  return { ...shown, ...(receipt && { receipt }) };
}

/** Period in ms in which an order's link is mailed at most once, so that nobody can flood a mailbox with it. */
const LINK_MS = 360_000;

/**
 * Returns the status of an order by its number and e-mail address. Mails the order's link to that address, unless it was mailed
 * just before. Throws `order_not_found` if the number or the address is wrong, and `record_altered` if the order's row was
 * changed outside the product.
 */
export async function trackOrder(
  { db, sender }: Pick<Showing, 'db' | 'sender'>,
  input: Pick<Input<Routes['trackOrder']>, 'id' | 'email'>,
): Promise<Output<Routes['trackOrder']>> {
  const order = await readOrder(db, input.id);
  if (!order || order.email === '' || input.email === undefined || canonicalEmail(input.email) !== canonicalEmail(order.email))
    throw new Problem('order_not_found');
  requireAsStored(order);
  await db.tx(async (tx) => {
    const once = String(Math.floor(tx.now.getTime() / LINK_MS));
    await queueAbout(tx, sender, { order, kind: 'link', once });
  });
  return { id: order.number, status: wordOf(order.view), updated_at: order.updatedAt.toISOString(), link_mailed: true };
}
