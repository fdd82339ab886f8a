// Explores every interleaving of a withdrawal, its payout, a rail whose true state is hidden, a holder, people, and a deposit
// that is taken back. The tables, postings and journals are the product's own; events of payments are handled later, in order.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AccountRef, type Leg, accounts, leg } from '../../ledger/index.ts';
import type { PayoutEvent } from '../../payments/index.ts';
import { type PayoutNode, RAIL_KINDS, booksMac, journalsOf, payoutForTest, payoutMoves } from '../../payments/testing.ts';
import {
  CAME_TO_NOTHING,
  WITHDRAWAL_TABLE,
  type Withdrawal,
  type WithdrawalStatus,
  booksOf,
  hold,
  holdAndQueue,
  stepOf,
} from './withdrawal.ts';

const AT = new Date(0);
const [ALL, CAPITAL, PARTS, FEE] = [150n, 200n, 90n, 10n];
const ONE: Withdrawal = {
  ...{ id: 'w', holderId: 'ann', source: 'wallet', unit: 'BTC', rail: 'bitcoin', currency: 'BTC', to: {}, key: '' },
  ...{ parts: PARTS, fee: FEE, usd: 1n, status: 'approving', people: 1, approved: 0, requestedAt: AT, statusAt: AT },
  ...{ payout: undefined, txid: undefined, confirmations: undefined, needed: undefined, reason: undefined, decidedBy: undefined },
};
const BOOKS = booksOf(ONE);
const WALLET = accounts.wallet('ann', 'BTC');
const HOT = accounts.custody('BTC', 'hot', 'BTC');
const OWED = accounts.receivable('ann', 'BTC');
const VALUES = { usd: () => null, price: () => undefined };

type Books = Readonly<Record<string, bigint>>;

interface Node {
  readonly status: WithdrawalStatus;
  readonly payout: PayoutNode | undefined;
  readonly books: Books;
  /** Events that payments has published and the withdrawal has not handled. */
  readonly undelivered: readonly PayoutEvent[];
  /** True if the deposit that it is paid from was taken back. */
  readonly isTakenBack: boolean;
}

class Fault extends Error {}

function post(books: Books, legs: readonly Leg[]): Books {
  const after: Record<string, bigint> = { ...books };
  for (const { from, to, parts } of legs) {
    after[from.name] = (after[from.name] ?? 0n) - parts;
    after[to.name] = (after[to.name] ?? 0n) + parts;
  }
  for (const { from, to } of legs) {
    if (from.floor !== null && (after[from.name] as bigint) < from.floor) throw new Fault(`${from.name} below its floor`);
    if (to.ceiling !== null && (after[to.name] as bigint) > to.ceiling) throw new Fault(`${to.name} above its ceiling`);
  }
  return after;
}

const stands = (books: Books, { name }: AccountRef): bigint => books[name] ?? 0n;
const QUEUED: Omit<PayoutNode, 'rail'> = { status: 'queued', truth: 'nothing', returns: 1 };

/** Applies a decision of a person, the holder or the system; undefined if the table or the payout doesn't permit it. */
function decided(node: Node, event: 'approve' | 'reject' | 'cancel' | 'turn_down', rail: PayoutNode['rail']): Node | undefined {
  const step = stepOf({ ...ONE, status: node.status }, event, 'j');
  if (!step?.journal) return undefined;
  const { payout, undelivered, status, books } = node;
  // Its payout must be stopped first: it is queued, or was held back and the withdrawal has not handled that event yet.
  const isStopped = payout?.status === 'queued' || (payout?.status === 'stopped' && undelivered.includes('kept'));
  if (status === 'paying' && !isStopped) return undefined;
  const after = { ...node, status: step.next, books: post(books, step.journal.legs) };
  if (event === 'approve') return { ...after, payout: payout ? { ...payout, status: 'queued' } : { ...QUEUED, rail } };
  return status === 'paying' && payout ? { ...after, payout: { ...payout, status: 'stopped' } } : after;
}

/** Lets payments take one step, which it posts at once. */
function paid(node: Node): Node[] {
  if (!node.payout) return [];
  return payoutMoves(node.payout).map(({ node: payout, reports }) => {
    const row = payoutForTest({
      ...{ id: ONE.id, owner: { kind: 'wallet', id: ONE.id }, currency: 'BTC', unit: 'BTC', parts: PARTS, status: payout.status },
      ...{ books: BOOKS, booksMac: booksMac(ONE.id, BOOKS) },
    });
    const journals = journalsOf(VALUES, [{ payout: row, events: reports.map((event) => ({ event })) }]);
    const events = reports.filter((event) => WITHDRAWAL_TABLE.rows.some((one) => one.event === event));
    return {
      ...node,
      payout,
      books: journals.reduce((books, { legs }) => post(books, legs), node.books),
      undelivered: [...node.undelivered, ...events],
    };
  });
}

/** Lets the withdrawal handle the oldest pending event. */
function reported(node: Node): Node[] {
  const [event, ...undelivered] = node.undelivered;
  if (event === undefined) return [];
  const step = stepOf({ ...ONE, status: node.status }, event, 'j');
  if (!step) return [{ ...node, undelivered }];
  return [{ ...node, undelivered, status: step.next, books: step.journal ? post(node.books, step.journal.legs) : node.books }];
}

/** Takes the deposit back: unsent money returns to the wallet first, and the missing rest is owed. */
function takenBack(node: Node): Node[] {
  if (node.isTakenBack) return [];
  const first = decided(node, 'turn_down', RAIL_KINDS[0]!) ?? node;
  const there = stands(first.books, WALLET) < 100n ? stands(first.books, WALLET) : 100n;
  const legs = [...(there > 0n ? [leg(WALLET, HOT, there)] : []), ...(there < 100n ? [leg(OWED, HOT, 100n - there)] : [])];
  return [{ ...first, isTakenBack: true, books: post(first.books, legs) }];
}

function stepsOf(node: Node): Node[] {
  const actions = (['reject', 'cancel', 'turn_down'] as const).flatMap((event) => decided(node, event, RAIL_KINDS[0]!) ?? []);
  const approvals = RAIL_KINDS.flatMap((rail) => decided(node, 'approve', rail) ?? []);
  return [...actions, ...approvals, ...paid(node), ...reported(node), ...takenBack(node)];
}

const HOLDS = new Set(['queued', 'preparing', 'sending', 'in_doubt']);
const isOver = ({ status }: Node): boolean => status === 'done' || CAME_TO_NOTHING.has(status);
const rests = (node: Node): boolean => isOver(node) && node.undelivered.length === 0 && !HOLDS.has(node.payout?.status ?? '');

/** Returns the fault of a node, in words. */
function faultOf(node: Node): string | undefined {
  const { status, payout, books, isTakenBack } = node;
  const isOut = payout?.truth === 'done';
  const isUnsure = isOut && (payout?.status === 'sending' || payout?.status === 'in_doubt');
  const held = ALL + CAPITAL - (isTakenBack ? 100n : 0n) - (isOut ? PARTS : 0n);
  if (-stands(books, HOT) !== held + (isUnsure ? PARTS : 0n)) return 'the books differ from what the rail holds';
  if (isOut && ['approving', 'cancelled', 'rejected'].includes(status)) return `it was sent, and is ${status}`;
  if (!rests(node)) return undefined;
  for (const account of [accounts.payout(ONE.id, 'BTC'), accounts.walletHeld('ann', 'BTC')])
    if (stands(books, account) !== 0n) return `at rest in ${status} with money in ${account.name}`;
  if (isOut !== (status === 'done')) return `at rest in ${status}, and the rail ${isOut ? 'paid' : 'did not pay'} it`;
  const net = stands(books, WALLET) + stands(books, OWED);
  const left = status === 'done' ? PARTS + FEE : status === 'returned' ? FEE : 0n;
  return net === ALL - (isTakenBack ? 100n : 0n) - left ? undefined : `at rest in ${status} the holder has ${net}`;
}

const keyOf = ({ status, payout, books, undelivered, isTakenBack }: Node): string =>
  JSON.stringify([status, payout, undelivered, isTakenBack, Object.entries(books).sort()], (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  );

/** Returns every node reachable from the given ones. Throws at the first fault. */
function explore(starts: readonly Node[], steps: (node: Node) => Node[]): { nodes: Node[]; before: number[][] } {
  const nodes: Node[] = [];
  const before: number[][] = [];
  const ids = new Map<string, number>();
  const add = (node: Node): number => {
    const key = keyOf(node);
    const known = ids.get(key);
    if (known !== undefined) return known;
    const fault = faultOf(node);
    if (fault !== undefined) throw new Fault(`${fault}: ${key}`);
    ids.set(key, nodes.length);
    before.push([]);
    return nodes.push(node) - 1;
  };
  for (const start of starts) add(start);
  for (let id = 0; id < nodes.length; id += 1) for (const next of steps(nodes[id] as Node)) before[add(next)]?.push(id);
  return { nodes, before };
}

const START: Books = post({}, [leg(HOT, WALLET, ALL), leg(HOT, accounts.deskFree('BTC'), CAPITAL)]);
const begun = (status: 'approving' | 'paying', rail: PayoutNode['rail']): Node => ({
  ...{ status, undelivered: [], isTakenBack: false },
  payout: status === 'paying' ? { ...QUEUED, rail } : undefined,
  books: post(START, (status === 'paying' ? holdAndQueue(ONE, 'j') : hold(ONE, 'j')).legs),
});
const STARTS = RAIL_KINDS.flatMap((rail) => [begun('approving', rail), begun('paying', rail)]);

test('a withdrawal with its payout: the books agree with the rail, nothing is paid twice, every course can end', (t) => {
  const { nodes, before } = explore(STARTS, stepsOf);
  t.diagnostic(`${nodes.length} nodes`);
  const good = new Set([...nodes.keys()].filter((id) => rests(nodes[id] as Node)));
  for (const stack = [...good]; stack.length > 0;)
    for (const id of before[stack.pop() as number] ?? [])
      if (!good.has(id)) {
        good.add(id);
        stack.push(id);
      }
  assert.equal(good.size, nodes.length, 'each comes to rest');
  const states = new Set(nodes.map(({ status }) => status));
  assert.deepEqual([...states].sort(), Object.keys(WITHDRAWAL_TABLE.states).sort(), 'each state is reached');
});

test('finds faults that are made on purpose', () => {
  const unstopped = (node: Node): Node[] => {
    const step = node.status === 'paying' ? stepOf({ ...ONE, status: 'paying' }, 'cancel', 'j') : undefined;
    return step?.journal ? [{ ...node, status: step.next, books: post(node.books, step.journal.legs) }] : [];
  };
  const deaf = (node: Node): Node[] => {
    const [event, ...undelivered] = node.undelivered;
    return event === 'returned' ? [{ ...node, undelivered }] : [];
  };
  assert.throws(() => explore(STARTS, (node) => [...stepsOf(node), ...unstopped(node)]), /below its floor|it was sent, and is/);
  assert.throws(
    () => explore(STARTS, (node) => [...stepsOf(node), ...deaf(node)]),
    /at rest in done, and the rail did not pay it/,
  );
});
