import type { Fault, Holding, Judge } from '../ledger/index.ts';
import type { Statements } from '../platform/index.ts';
import { type Positions, RESTING } from './order.ts';
import { type StoredOrder, readOrders } from './order-store.ts';

const ACCOUNT = /^order:([0-9a-f-]{36}):(in|out|reserve):/;

/**
 * What the ledger can't know of orders' accounts: an order at rest holds nothing, and what any order thinks stands in its
 * accounts is what the books say. For `ledger:verify`.
 */
export const orderJudge: Judge = { prefix: 'order:', judge: judgeOrders };

async function judgeOrders(db: Statements, holdings: readonly Holding[]): Promise<Fault[]> {
  const found = holdings.map((holding) => ({ holding, match: ACCOUNT.exec(holding.account) }));
  const ids = [...new Set(found.flatMap(({ match }) => match?.[1] ?? []))];
  const orders = new Map((await readOrders(db, ids)).map((order) => [order.view.id, order]));
  return found.flatMap(({ holding, match }) => {
    const wrong = wrongWith(holding, orders.get(match?.[1] ?? ''), match?.[2] as keyof Positions | undefined);
    return wrong === undefined ? [] : [{ check: 'orders', account: holding.account, words: wrong }];
  });
}

function wrongWith(
  { balance }: Holding,
  order: StoredOrder | undefined,
  position: keyof Positions | undefined,
): string | undefined {
  if (!order || !position) return 'no order is known for this account';
  const { number, view } = order;
  if (RESTING.has(view.state)) return `${number} is ${view.state} and should hold nothing`;
  const thought = view.positions[position];
  return thought === balance ? undefined : `${number} thinks that ${thought} parts stand here, not ${balance}`;
}
