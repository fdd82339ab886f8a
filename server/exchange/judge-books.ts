import { type AccountRef, type Fault, type Holding, type Judge, balances } from '../ledger/index.ts';
import type { Statements } from '../platform/index.ts';
import { type Positions, RESTING } from './order.ts';
import { type StoredOrder, readOrders, readOrdersIn } from './order-store.ts';
import { ownAccounts } from './postings.ts';

const ACCOUNT = /^order:([0-9a-f-]{36}):(in|out|reserve):/;
/** States at rest in which an order's money still stands in an account of its own. */
const HOLDS_AT_REST = ['unclaimed', 'frozen', 'charged_back'];
const EMPTY_STATES = [...RESTING].filter((state) => !HOLDS_AT_REST.includes(state));
const GROUP = 1_000;

/**
 * What the ledger can't know of orders' accounts: an order at rest holds nothing, and what any other thinks stands in its
 * accounts, wherever its money is, is what the books say. For `ledger:verify`.
 */
export const orderJudge: Judge = {
  prefix: 'order:',
  judge: async (db, holdings) => [...(await strandedAmong(db, holdings)), ...(await wrongPositions(db))],
};

/** Money in accounts of orders that are at rest, or that nobody knows. */
async function strandedAmong(db: Statements, holdings: readonly Holding[]): Promise<Fault[]> {
  const found = holdings.map(({ account }) => ({ account, id: ACCOUNT.exec(account)?.[1] ?? '' }));
  const ids = [...new Set(found.flatMap(({ id }) => (id === '' ? [] : id)))];
  const orders = new Map((await readOrders(db, ids)).map((order) => [order.view.id, order]));
  return found.flatMap(({ account, id }) => {
    const order = orders.get(id);
    if (!order) return [fault(account, 'no order is known for this account')];
    const { number, view } = order;
    return RESTING.has(view.state) ? [fault(account, `${number} is ${view.state} and should hold nothing`)] : [];
  });
}

/** Accounts in which something else stands than their order thinks. */
async function wrongPositions(db: Statements): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (let behind: string | undefined; ;) {
    const orders = await readOrdersIn(db, { except: EMPTY_STATES, behind, most: GROUP });
    const thoughts = orders.flatMap(thoughtsOf);
    const found = await balances(
      db,
      thoughts.map(({ account }) => account),
    );
    for (const [at, { number, account, parts }] of thoughts.entries()) {
      if (found[at] === parts) continue;
      faults.push(fault(account.name, `${number} thinks that ${parts} parts stand here, not ${found[at]}`));
    }
    behind = orders.at(-1)?.view.id;
    if (orders.length < GROUP) return faults;
  }
}

interface Thought {
  readonly number: string;
  readonly account: AccountRef;
  readonly parts: bigint;
}

function thoughtsOf({ number, view }: StoredOrder): Thought[] {
  const own = Object.entries(ownAccounts(view)) as [keyof Positions, AccountRef | undefined][];
  return own.flatMap(([name, account]) => (account ? [{ number, account, parts: view.positions[name] }] : []));
}

const fault = (account: string, words: string): Fault => ({ check: 'orders', account, words });
