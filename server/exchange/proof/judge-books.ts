import { type AccountRef, type Fault, type Judge, type JournalKind, type Standing, accuse } from '../../ledger/index.ts';
import { uncountedInLimits, wrongDebts } from '../../compliance/index.ts';
import { alteredTurnover } from '../../loyalty/index.ts';
import { uncountedAmong } from '../../moneyout/index.ts';
import {
  type PayoutBody,
  type Sending,
  addressFaults,
  payoutsOfDay,
  sendingFaults,
  untoldPayouts,
} from '../../payments/index.ts';
import { type Statements, inGroupsById } from '../../platform/index.ts';
import { countingOf, isLetOut } from '../apply/desk-state.ts';
import { alteredCalculations } from '../calculation/calculation-store.ts';
import { transfersOf } from './judge-family.ts';
import { moneyFaults } from './judge-money.ts';
import { ORDER_STATES, type OrderState, type Positions, RESTING } from '../order/order.ts';
import { ORDER_ACCOUNT_TYPES } from '../order/money/order-account-types.ts';
import { type StoredOrder, readOrders, readOrdersIn } from '../order/store/order-store.ts';
import { KIND_OF, PAYOUT_KINDS, asPosted, ownAccounts, walletOf } from '../machine/postings.ts';

/** States at rest in which an order's money still stands in an account of its own. */
const HOLDS_AT_REST: readonly OrderState[] = ['unclaimed', 'frozen', 'charged_back'];
const isHolding = (state: OrderState): boolean => !RESTING.has(state) || HOLDS_AT_REST.includes(state);
const HOLDING_STATES = ORDER_STATES.filter(isHolding);

/**
 * What the ledger can't know of orders: an order at rest holds nothing, of any other what it thinks stands in its accounts,
 * wherever its money is, is what the books say, and what it has on its way is a payout of just that to its own account. Of each
 * order, at rest too, what arrived, what it was exchanged at and what was sent is what payments and the books say.
 */
export const orderJudge: Judge = {
  accountTypes: ORDER_ACCOUNT_TYPES,
  causes: [
    {
      kinds: [...new Set<JournalKind>([...Object.values(KIND_OF), ...Object.values(PAYOUT_KINDS)])],
      rows: 'select id from customer_order',
    },
  ],
  standings,
  faults: async (db, scope) => [
    ...(await sendingFaults(db, 'order', await ofEach(db, sendingOf))),
    ...(await moneyFaults(db, HOLDING_STATES, scope)),
    ...(await addressFaults(db, await ofEach(db, addressOf))),
    ...(await debtFaults(db)),
    ...(await uncounted(db)),
    ...accuse('calculation', await alteredCalculations(db), 'the draft is not as its customer left it'),
    ...accuse('limit', await uncountedOrders(db), 'the order counts towards no limit of its customer'),
    ...accuse('turnover', await alteredTurnover(db), 'what a customer turned over is not as it was counted'),
  ],
};

const nameOf = ({ number, view }: StoredOrder): string => `the order ${number}, ${view.state}`;

/** Where an order's customer is told to pay; an unallocated payment has the address of the order that it came from. */
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
    words: 'what is noted as owed is not what the order says',
  }));
}

/** Payouts of the last day that no person approved and that have no counted row: they would widen the bounds. */
async function uncounted(db: Statements): Promise<Fault[]> {
  const recent = await payoutsOfDay(db, 'order');
  const orders = await readOrders(db, [...new Set(recent.values())]);
  const alone = orders.flatMap((order) =>
    transfersOf(order.view)
      .filter((one) => recent.has(one.intent) && !isLetOut(order.view, one) && countingOf(order, one) !== undefined)
      .map(({ intent }) => intent),
  );
  return accuse('counted', await uncountedAmong(db, alone), 'the payout left without a person, and is not counted');
}

/** Orders of the last 30 days that are open or paid out, and count towards no limit: their customers could place more. */
async function uncountedOrders(db: Statements): Promise<string[]> {
  const rows = await db.rows<{ id: string; holder: string | null }>(
    `select id, holder_id as holder from customer_order o
     where kind = 'order' and unallocated_of is null and state in ('awaiting', 'completed') and created_at > clock_now() - interval '30 days'
       and not exists (select from order_event where order_id = o.id and to_state = any ($1))`,
    [ENDED],
  );
  return uncountedInLimits(db, rows);
}
/** States in which an order stops counting; one that goes on from there later counts no more. */
const ENDED = [...RESTING].filter((state) => state !== 'completed');

/** What something says of each order that may hold money. */
async function ofEach<T>(db: Statements, say: (order: StoredOrder) => readonly T[]): Promise<T[]> {
  const said: T[] = [];
  const read = (behind: string | undefined, most: number): Promise<StoredOrder[]> =>
    readOrdersIn(db, { states: HOLDING_STATES, behind, most });
  for await (const orders of inGroupsById(read, ({ view }) => view.id)) said.push(...orders.flatMap(say));
  return said;
}

/** Payments has posted what it tells: of an order that doesn't know that yet, what stands is as it will be. */
async function standings(db: Statements): Promise<Standing[]> {
  const untold = Map.groupBy(await untoldPayouts(db, 'order'), ({ owner }) => owner.id);
  const came = await readOrders(db, [...untold.keys()]);
  const of = (order: StoredOrder): Standing[] => standingsOf(order, untold.get(order.view.id) ?? []);
  return [...(await ofEach(db, of)), ...came.filter(({ view }) => !isHolding(view.state)).flatMap(of)];
}

function standingsOf({ number, view: known }: StoredOrder, untold: readonly PayoutBody[]): Standing[] {
  const view = asPosted(known, untold);
  const own = Object.entries(ownAccounts(view)) as [keyof Positions, AccountRef | undefined][];
  const of = `the order ${number}, ${view.state}`;
  return own.flatMap(([name, account]) =>
    account && view.positions[name] !== 0n ? [{ account, parts: view.positions[name], of }] : [],
  );
}

/** What an order has on its way. (Into a wallet nothing is ever on its way.) */
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
