import {
  type AccountRef,
  type Fault,
  type BooksCheck,
  type JournalKind,
  type RowBalance,
  type Scope,
  accuse,
} from '../../ledger/index.ts';
import { uncountedInLimits, wrongDebts } from '../../compliance/index.ts';
import { alteredTurnover } from '../../loyalty/index.ts';
import { uncountedAmong } from '../../moneyout/index.ts';
import {
  type PayoutBody,
  type Sending,
  addressFaults,
  payoutsOfDay,
  sendingFaults,
  undeliveredPayouts,
} from '../../payments/index.ts';
import { type Statements, inGroupsById } from '../../platform/index.ts';
import { countingOf, isLetOut } from '../apply/desk-state.ts';
import { alteredCalculations } from '../calculation/calculation-store.ts';
import { transfersOf } from './check-family.ts';
import { moneyFaults } from './check-money.ts';
import { ORDER_STATES, type OrderState, type Positions, RESTING } from '../order/order.ts';
import { ORDER_ACCOUNT_TYPES } from '../order/money/order-account-types.ts';
import { type StoredOrder, readOrders, readOrdersIn } from '../order/store/order-store.ts';
import { KIND_OF, PAYOUT_KINDS, asPosted, ownAccounts, walletOf } from '../machine/postings.ts';

/** Final states in which an order's money is still in one of its accounts. */
const HOLDS_AT_REST: readonly OrderState[] = ['unclaimed', 'frozen', 'charged_back'];
const isHolding = (state: OrderState): boolean => !RESTING.has(state) || HOLDS_AT_REST.includes(state);
const HOLDING_STATES = ORDER_STATES.filter(isHolding);

/**
 * Checks on orders that the ledger alone can't make.
 *
 * A finished order's accounts are empty. The accounts of any other order match its positions, and its transfer is a payout of the
 * same amount to the order's account. For every order, the amounts that arrived, were exchanged and were sent match the payments
 * room's rows and the books.
 */
export const orderCheck: BooksCheck = {
  accountTypes: ORDER_ACCOUNT_TYPES,
  causes: [
    {
      kinds: [...new Set<JournalKind>([...Object.values(KIND_OF), ...Object.values(PAYOUT_KINDS)])],
      rows: 'select id from customer_order',
    },
  ],
  balances,
  faults: async (db, scope) => [
    ...(await sendingFaults(db, 'order', await ofEach(db, sendingOf))),
    ...(await moneyFaults(db, HOLDING_STATES, scope)),
    ...(await addressFaults(db, await ofEach(db, addressOf))),
    ...(await debtFaults(db)),
    ...(await uncounted(db)),
    ...accuse('calculation', await alteredCalculations(db), 'the calculation’s row was changed outside the product'),
    ...accuse('limit', await uncountedOrders(db, scope), 'the order counts towards no limit of its customer'),
    ...accuse('turnover', await alteredTurnover(db), 'a customer’s turnover was changed outside the product'),
  ],
};

const nameOf = ({ number, view }: StoredOrder): string => `the order ${number}, ${view.state}`;

/**
 * Returns the receiving address that an order states; none for an unallocated payment or an order made of it, since they share
 * the address of the original order.
 */
const addressOf = (order: StoredOrder) =>
  order.payTo === undefined || order.view.kind === 'unallocated' || order.unallocatedOf !== undefined
    ? []
    : [{ owner: { kind: 'order', id: order.view.id } as const, to: order.payTo, of: nameOf(order) }];

async function debtFaults(db: Statements): Promise<Fault[]> {
  const owed = await ofEach(db, ({ view: { id, give, positions } }) =>
    positions.receivable === 0n ? [] : [[id, { unit: give.unit, parts: positions.receivable }] as const],
  );
  const wrong = await wrongDebts(db, 'order', new Map(owed));
  return wrong.map((id) => ({
    check: 'debt',
    account: `order:${id}`,
    words: 'the stored debt differs from the debt of the order',
  }));
}

/**
 * Returns a fault for each payout of the last day that left without approval but is missing in the totals of automatic payouts.
 * Missing payouts would let more money leave than the limits allow.
 */
async function uncounted(db: Statements): Promise<Fault[]> {
  const recent = await payoutsOfDay(db, 'order');
  const orders = await readOrders(db, [...new Set(recent.values())]);
  const alone = orders.flatMap((order) =>
    transfersOf(order.view)
      .filter((one) => recent.has(one.intent) && !isLetOut(order.view, one) && countingOf(order, one) !== undefined)
      .map(({ intent }) => intent),
  );
  return accuse('counted', await uncountedAmong(db, alone), 'the payout left automatically, and is not counted');
}

/**
 * Returns the ids of unpaid or completed orders of the last 30 days that their customer's limits don't include. Such customers
 * could place more than they may. `scope`: limits the check to unpaid orders, and to orders for which the scope's journals were
 * posted.
 */
async function uncountedOrders(db: Statements, scope?: Scope): Promise<string[]> {
  const rows = await db.rows<{ id: string; holder: string | null }>(
    `select id, holder_id as holder from customer_order o
     where kind = 'order' and unallocated_of is null and created_at > clock_now() - interval '30 days'
       and (state = 'awaiting' or state = 'completed' and ($2::uuid[] is null or id = any ($2)))
       and not exists (select from order_event where order_id = o.id and to_state = any ($1))`,
    [ENDED, scope?.causes ?? null],
  );
  return uncountedInLimits(db, rows);
}
/** States from which on limits no longer include an order, even if it goes on later. */
const ENDED = [...RESTING].filter((state) => state !== 'completed');

/** Returns the results of `say` for all orders that may hold money. */
async function ofEach<T>(db: Statements, say: (order: StoredOrder) => readonly T[]): Promise<T[]> {
  const said: T[] = [];
  const read = (behind: string | undefined, max: number): Promise<StoredOrder[]> =>
    readOrdersIn(db, { states: HOLDING_STATES, behind, max });
  for await (const orders of inGroupsById(read, ({ view }) => view.id)) said.push(...orders.flatMap(say));
  return said;
}

/**
 * Returns the balances that orders' accounts should have. The payments room posts before it notifies, so undelivered events are
 * first applied to their orders.
 */
async function balances(db: Statements): Promise<RowBalance[]> {
  const undelivered = Map.groupBy(await undeliveredPayouts(db, 'order'), ({ owner }) => owner.id);
  const came = await readOrders(db, [...undelivered.keys()]);
  const of = (order: StoredOrder): RowBalance[] => balancesOf(order, undelivered.get(order.view.id) ?? []);
  return [...(await ofEach(db, of)), ...came.filter(({ view }) => !isHolding(view.state)).flatMap(of)];
}

function balancesOf({ number, view: known }: StoredOrder, undelivered: readonly PayoutBody[]): RowBalance[] {
  const view = asPosted(known, undelivered);
  const own = Object.entries(ownAccounts(view)) as [keyof Positions, AccountRef | undefined][];
  const of = `the order ${number}, ${view.state}`;
  return own.flatMap(([name, account]) =>
    account && view.positions[name] !== 0n ? [{ account, parts: view.positions[name], of }] : [],
  );
}

/** Returns an order's transfer that is on its way; none for a transfer into a wallet, which is complete at once. */
function sendingOf({ number, view }: StoredOrder): Sending[] {
  const { id, give, get, facts, positions, receive, refund } = view;
  const { transfer } = facts;
  if (!transfer || positions.transfer === 0n || walletOf(view, transfer.kind) !== undefined) return [];
  const side = (transfer.kind === 'payout' ? get : give) ?? give;
  return [
    {
      id: transfer.intent,
      owner: { kind: 'order', id },
      ...{ currency: side.currency, unit: side.unit, parts: transfer.parts },
      to: (transfer.kind === 'payout' ? receive : refund)?.fields,
      of: `the order ${number}, ${view.state}`,
    },
  ];
}
