// Explores every interleaving of a deposit, its rail, its refunds, people and its holder's wallet, in a bounded world. The table,
// steps, postings and journals are the product's own.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextStates } from '../../platform/index.ts';
import { DEPOSIT_TABLE, type DepositEvent, KIND, movedTo, wayOf } from './deposit-machine.ts';
import { Course, HAPPENINGS, copyOf, mustAgree, written } from './deposit-world.testing.ts';

/** Bounds of an event: its name in the table, its maximum count, and its variants. */
interface Bound {
  readonly is?: DepositEvent;
  readonly max?: number;
  readonly ways: readonly number[];
}

const HALF = 499;
const BOUNDS: Readonly<Record<string, Bound>> = {
  final: { is: 'arrive', max: 2, ways: [1, 3] },
  seen: { is: 'see', ways: [0] },
  dropped: { is: 'drop', max: 1, ways: [0] },
  backInPart: { is: 'arrive', max: 1, ways: [HALF] },
  takenInPart: { is: 'take_back', max: 1, ways: [HALF] },
  takenBack: { is: 'take_back', max: 1, ways: [0] },
  release: { is: 'release', ways: [0] },
  timePasses: { ways: [0] },
  mature: { is: 'mature', ways: [0] },
  giveBack: { is: 'give_back', max: 2, ways: [0] },
  leaves: { is: 'left', ways: [0] },
  stays: { is: 'stayed', ways: [0] },
  comesBack: { is: 'came_back', max: 1, ways: [HALF] },
  settle: { is: 'settle', ways: [0] },
  earn: { max: 1, ways: [500] },
  spend: { max: 1, ways: [1_000] },
};

interface Node {
  readonly course: Course;
  /** Count of each event that is limited. */
  readonly times: Readonly<Record<string, number>>;
}

/** Returns all possible next nodes. */
function stepsOf({ course, times }: Node): { readonly is: DepositEvent | undefined; readonly node: Node }[] {
  return Object.entries(BOUNDS).flatMap(([name, { is, max, ways }]) => {
    const before = times[name] ?? 0;
    if (max !== undefined && before >= max) return [];
    return ways.flatMap((n) => {
      const next = copyOf(course);
      const happens = HAPPENINGS[name]!(next, n);
      return happens ? [{ is, node: { course: next, times: max === undefined ? times : { ...times, [name]: before + 1 } } }] : [];
    });
  });
}

/** Key of a node. Nodes that differ only in times are equal, since no step depends on them. */
function keyOf({ course, times }: Node): string {
  const { finalAt: _finalAt, clearedAt: _clearedAt, endedAt: _endedAt, ...deposit } = course.deposit;
  return `${written({ ...course, deposit, posted: undefined })} ${Object.keys(BOUNDS).map((name) => times[name] ?? 0)}`;
}

/** Returns the way that a step took through the table, and checks that its journal is one of its row. */
function takenWay(
  { deposit: { status: from } }: Course,
  event: DepositEvent,
  { deposit: { status: to }, posted }: Course,
): string {
  const way = `${from} ${event} ${to}`;
  const row = wayOf(from, event, to);
  assert.ok(row && (posted === undefined || row.money.some((money) => KIND[money] === posted)), `${way} posts ${posted}`);
  return way;
}

/** Returns every reachable node, the nodes before each, and each way in which the status changed. */
function explore(start: Node): { nodes: Node[]; before: number[][]; ways: Set<string> } {
  const nodes = [start];
  const ids = new Map([[keyOf(start), 0]]);
  const before: number[][] = [[]];
  const ways = new Set<string>();
  for (let id = 0; id < nodes.length; id += 1)
    for (const { is, node } of stepsOf(nodes[id]!)) {
      if (is) ways.add(takenWay(nodes[id]!.course, is, node.course));
      const key = keyOf(node);
      let known = ids.get(key);
      if (known === undefined) {
        mustAgree(node.course);
        known = nodes.push(node) - 1;
        ids.set(key, known);
        before.push([]);
      }
      before[known]!.push(id);
    }
  return { nodes, before, ways };
}

/** Every change of status that the table permits. */
const WAYS = DEPOSIT_TABLE.rows.flatMap((row) =>
  row.from.flatMap((from) => nextStates(row, from).map((next) => `${from} ${row.event} ${next === 'same' ? from : next}`)),
);

test('a deposit with its refunds: the books agree with its row, each change of the table occurs, and every course can end', (t) => {
  const { nodes, before, ways } = explore({ course: new Course(), times: {} });
  t.diagnostic(`${nodes.length} nodes`);
  assert.deepEqual(
    WAYS.filter((way) => !ways.has(way)),
    [],
    'no way of the table is without use',
  );
  const good = new Set([...nodes.keys()].filter((id) => DEPOSIT_TABLE.rests.has(nodes[id]!.course.deposit.status)));
  for (const id of good) for (const from of before[id]!) good.add(from);
  const stranded = nodes.find((_, id) => !good.has(id));
  assert.equal(stranded && written(stranded.course), undefined);
});

test('the world covers every event of the table, and a step that leaves its row is refused', () => {
  assert.deepEqual(Object.keys(BOUNDS).sort(), Object.keys(HAPPENINGS).sort());
  assert.throws(() => movedTo('dropped', 'release', 'final'), /does not come to final by release/);
});
