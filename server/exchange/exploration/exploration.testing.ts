// Explores all sequences of events around one simulated order (`order-world`): visits every reachable state of the simulation
// (node), and checks each node against the rules. For tests.

import { type Machine } from '../machine/machine.ts';
import { IN_FLIGHT, type OrderState, RESTING, WORDS } from '../order/order.ts';
import { faultOf, keyOf } from './order-faults.testing.ts';
import { type Bounds, Fault, type Moves, type Node, type Start, type Step, begin, stepsOf } from './order-world.testing.ts';
import type { OrderTransition } from '../machine/rows.ts';

export interface Exploration {
  readonly nodes: number;
  readonly steps: number;
  readonly states: ReadonlySet<OrderState>;
  readonly fired: ReadonlySet<OrderTransition>;
  /** Number of nodes from which only a person can bring the order to a final state, by state and reason. */
  readonly needsPeople: ReadonlyMap<string, number>;
  /** The first violation of the rules, with the events that led to it. */
  readonly fault?: string;
}

/** Events that may never happen: an order must reach a final state without them. */
const OPTIONAL = new Set(['payin_seen', 'payin_reversed', 'dispute_won', 'returned', 'take_over']);
const PEOPLE = new Set(['C', 'O', 'O2', 'K', 'K2']);

type By = Step['by'];
interface Edges {
  readonly from: number[];
  readonly to: number[];
  readonly by: By[];
}

interface FoundNode {
  readonly node: Node;
  readonly from: number;
  readonly by: string;
}

/** Explores from all these starts, breadth first, so that the path to a fault is as short as possible. */
export function explore(machine: Machine, starts: readonly Start[], bounds: Bounds, moves?: Moves): Exploration {
  const ids = new Map<string, number>();
  const found: FoundNode[] = [];
  const edges: Edges = { from: [], to: [], by: [] };
  const fired = new Set<OrderTransition>();
  const add = (node: Node, from: number, by: string): number => {
    const key = keyOf(node);
    const known = ids.get(key);
    if (known !== undefined) return known;
    ids.set(key, found.length);
    return found.push({ node, from, by }) - 1;
  };
  const result = (fault?: string): Exploration => ({
    nodes: found.length,
    steps: edges.from.length,
    states: new Set(found.map(({ node }) => node.order.state)),
    fired,
    needsPeople: new Map(),
    ...(fault !== undefined && { fault }),
  });
  const wayTo = (id: number, fault: string): Exploration => {
    const way: string[] = [];
    for (let at = found[id]; at && at.from >= 0; at = found[at.from]) way.unshift(`${at.by} > ${at.node.order.state}`);
    return result(`${fault}: ${way.join(', ')}`);
  };

  const tableFault = tableFaultOf(machine);
  if (tableFault) return result(tableFault);
  for (const start of starts) add(begin(start, bounds), -1, '');
  for (let id = 0; id < found.length; id += 1) {
    const { node } = found[id] as FoundNode;
    const fault = faultOf(node, RESTING.has(node.order.state));
    if (fault) return wayTo(id, fault);
    try {
      for (const { by, row, node: next } of stepsOf(machine, node, bounds, moves)) {
        if (row) fired.add(row);
        edges.from.push(id);
        edges.to.push(add(next, id, by.event));
        edges.by.push(by);
      }
    } catch (error) {
      if (error instanceof Error) return wayTo(id, error instanceof Fault ? error.message : `${error.message}`);
      throw error;
    }
  }

  const restless = (counts: (by: By) => boolean): number[] => unreached(found, edges, counts);
  const [stranded] = restless((row) => row.who !== 'C' && !OPTIONAL.has(row.event));
  if (stranded !== undefined) return wayTo(stranded, `stranded without the customer in ${found[stranded]?.node.order.state}`);
  const needsPeople = new Map<string, number>();
  for (const id of restless((row) => !PEOPLE.has(row.who) && !OPTIONAL.has(row.event))) {
    const { order, sending } = (found[id] as FoundNode).node;
    const why = order.facts.hold
      ? ` (${order.facts.hold.cause})`
      : sending?.status === 'in_doubt' && !sending.rail.canLookUp
        ? ' (rail without look-up)'
        : '';
    needsPeople.set(order.state + why, (needsPeople.get(order.state + why) ?? 0) + 1);
  }
  return { ...result(), needsPeople };
}

/** Returns a fault of the machine's table: an event of the customer while money is being sent, or a state without a word for customers. */
function tableFaultOf({ rows }: Machine): string | undefined {
  for (const row of rows) {
    const flying = row.from.find((state) => IN_FLIGHT.has(state));
    if (row.who === 'C' && flying) return `the customer's ${row.event} acts in ${flying}`;
    for (const state of row.next) if (state !== 'same' && !WORDS[state]) return `no word for ${state}`;
  }
  return undefined;
}

/** Returns the nodes from which no final state can be reached by the edges that `counts` accepts. */
function unreached(found: readonly FoundNode[], edges: Edges, counts: (by: By) => boolean): number[] {
  const back: number[][] = Array.from(found, () => []);
  for (const [index, by] of edges.by.entries())
    if (counts(by)) back[edges.to[index] as number]?.push(edges.from[index] as number);
  const good = new Uint8Array(found.length);
  const stack: number[] = [];
  for (const [id, { node }] of found.entries()) {
    if (!RESTING.has(node.order.state)) continue;
    good[id] = 1;
    stack.push(id);
  }
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    for (const before of back[id] ?? []) {
      if (good[before]) continue;
      good[before] = 1;
      stack.push(before);
    }
  }
  return [...good.keys()].filter((id) => !good[id]);
}
