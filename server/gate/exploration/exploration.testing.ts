// Explores all sequences of events around one simulated invoice, and checks each moment against the rules. For tests.

import { nextStates } from '../../platform/index.ts';
import { INVOICE_MACHINE } from '../invoices/invoice-machine.ts';
import { SUMS, type Sums, faultOf } from './invoice-faults.testing.ts';
import { type Coin, HOLD, MINUTES, type Start, USD_IN } from './invoice-terms.testing.ts';
import { type Row, STEPS, type Steps, type Taken, World } from './invoice-world.testing.ts';

/** Kind of a payment: its coin, and its size in USD. */
export interface Size {
  readonly coin: Coin;
  readonly usd: bigint;
}

/** Bounds of an exploration: how often something happens. */
export interface Bounds {
  readonly starts: readonly Start[];
  readonly sizes: readonly Size[];
  readonly pays: number;
  /** Payments that are dropped, flagged, confirmed before they are final, taken back, and back again. */
  readonly drops?: number;
  readonly flags?: number;
  readonly confirms?: number;
  readonly reversals?: number;
  readonly backs?: number;
  /** Further choices of a method. */
  readonly choices?: number;
  /** Times at which the prices go, or come back. */
  readonly closings?: number;
  /** Times at which the store's balance moves to the wallet, and the desk spends what it exchanged. */
  readonly moves?: number;
  /** Decisions about what is short or late. */
  readonly decisions?: number;
  /** Decisions of the desk about held payments. With any, soft flags occur as well. */
  readonly desk?: number;
  /** Marks by the store. */
  readonly marks?: number;
  /** If set, payments are also taken back, and come again, in parts of this size, in USD. */
  readonly part?: bigint;
}

/** A machine: its table, its steps and its sums. */
export interface Broken {
  readonly rows?: readonly Row[];
  readonly steps?: Partial<Steps>;
  readonly sums?: Partial<Sums>;
}

export interface Exploration {
  readonly nodes: number;
  readonly states: ReadonlySet<string>;
  /** Rows of the table that occurred. */
  readonly fired: ReadonlySet<Row>;
  /** The first broken rule, with the events that led to it. */
  readonly fault?: string;
}

type Limited =
  | 'drops'
  | 'flags'
  | 'confirms'
  | 'reversals'
  | 'backs'
  | 'choices'
  | 'closings'
  | 'moves'
  | 'decisions'
  | 'desk'
  | 'marks';
interface Node {
  readonly world: World;
  readonly left: Readonly<Record<Limited, number>>;
}

interface Event {
  readonly name: string;
  /** Bound that the event uses up. */
  readonly uses?: Limited;
  /** Returns false if it can't happen. */
  readonly happen: (world: World) => boolean;
}

const always =
  (work: (world: World) => void) =>
  (world: World): boolean => {
    work(world);
    return true;
  };

/** Returns the events that may happen now. */
function eventsOf(world: World, bounds: Bounds): Event[] {
  const { model, now } = world;
  const event = (name: string, happen: (next: World) => boolean, uses?: Limited): Event => ({
    name,
    happen,
    ...(uses && { uses }),
  });
  const events = [
    event('miss', (next) => next.timer('miss')),
    event('time over', (next) => next.timer('time_over')),
    event('price', (next) => next.timer('price')),
    event('hold over', (next) => next.holdOver()),
    event('return', (next) => next.returnCoins()),
    event('cancel', (next) => next.cancel()),
    event('accept', (next) => next.accept(), 'decisions'),
    event('give back', (next) => next.giveBack(), 'decisions'),
    event('preset', (next) => next.decideByPreset(), 'decisions'),
    event('accept late', (next) => next.acceptLate(), 'decisions'),
    event('mark settled', (next) => next.mark('settled'), 'marks'),
    event('mark invalid', (next) => next.mark('invalid'), 'marks'),
    event('store moves its balance', (next) => next.moveOut(), 'moves'),
    event('desk spends', (next) => next.spend(), 'moves'),
    event('prices change', always(turnPrices), 'closings'),
    ...model.payments.flatMap((one) => paymentEvents(one.id, world, bounds)),
  ];
  if (now < MINUTES.length - 1) events.push(event('time passes', always(passTime)));
  const isPayable = (model.state === 'open' || model.state === 'short') && model.due !== 0n && model.mark === undefined;
  if (isPayable)
    for (const unit of ['BTC', 'USDT'] as const)
      events.push(
        event(
          `choose ${unit}`,
          always((next) => next.choose(unit)),
          'choices',
        ),
      );
  if (model.payments.length < bounds.pays)
    for (const size of bounds.sizes.filter(({ coin }) => model.hasPlace(coin)))
      events.push(
        event(
          `pay ${size.usd} ${size.coin}`,
          always((next) => pay(next, size)),
        ),
      );
  return events;
}

const turnPrices = (world: World): void => void (world.hasPrice = !world.hasPrice);
const passTime = (world: World): void => void (world.now += 1);

function pay(world: World, { coin, usd }: Size): void {
  const id = `p${world.model.payments.length}`;
  world.model.appear(id, coin, usd * USD_IN[coin], world.now);
  world.see(id);
}

/** Returns the events of one payment. */
function paymentEvents(id: string, { model }: World, { part, desk }: Bounds): Event[] {
  const { stage, coin, parts, taken } = model.find(id);
  const name = (what: string): string => `${id} ${what}`;
  if (stage === 'seen')
    return [
      { name: name('final'), happen: always((next) => next.arrive(id)) },
      { name: name('flagged'), uses: 'flags', happen: always((next) => next.arrive(id, 'hard')) },
      ...(desk
        ? [{ name: name('flagged softly'), uses: 'flags', happen: always((next) => next.arrive(id, 'soft')) } as const]
        : []),
      { name: name('confirmed'), uses: 'confirms', happen: always((next) => next.confirm(id)) },
      { name: name('dropped'), uses: 'drops', happen: always((next) => next.drop(id)) },
    ];
  if (stage === 'dropped') return [{ name: name('seen again'), happen: always((next) => next.see(id)) }];
  // Reversals of what was given back have tests of their own.
  if (stage === 'given_back') return [];
  const piece = (part ?? 0n) * USD_IN[coin];
  const left = parts - taken;
  const amounts = (whole: bigint): bigint[] => [whole, ...(piece > 0n && piece < whole ? [piece] : [])].filter((one) => one > 0n);
  return [
    ...(stage === 'held' ? deskEvents(id) : []),
    ...(stage === 'reversed' && desk
      ? [{ name: name('back flagged'), uses: 'flags', happen: always((next) => next.comeAgain(id, taken, 'hard')) } as const]
      : []),
    ...amounts(left).map((one): Event => ({
      name: name(`taken back ${one}`),
      uses: 'reversals',
      happen: always((next) => next.reverse(id, one)),
    })),
    ...amounts(taken).map((one): Event => ({
      name: name(`back ${one}`),
      uses: 'backs',
      happen: always((next) => next.comeAgain(id, one)),
    })),
  ];
}

/** Returns the decisions of the desk about a held payment. */
const deskEvents = (id: string): Event[] => [
  { name: `${id} released`, uses: 'desk', happen: (next) => next.release(id) },
  { name: `${id} refused`, uses: 'desk', happen: (next) => next.refuse(id) },
  { name: `${id} papers asked`, uses: 'desk', happen: (next) => next.askPapers(id) },
];

/** Returns all values of an object as text. */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if (value instanceof Date) return String(value.getTime());
  return `(${Object.values(value).map(textOf).join(' ')})`;
}

/** Returns the text by which a node is recognised. The number of events is no part of it. */
function keyOf({ world: { invoice, model, books, now, hasPrice }, left }: Node): string {
  const options = invoice.options.map(({ id, lockUntil, parts }) => [id, lockUntil, parts]);
  const balances = [...books].filter(([, parts]) => parts !== 0n).sort();
  const { state, payments, firstCredit, accepted, mark } = invoice;
  return textOf([
    state,
    payments,
    firstCredit,
    accepted,
    mark,
    options,
    model.payments,
    model.start,
    balances,
    now,
    hasPrice,
    left,
  ]);
}

/** Returns the row by which a step went. Throws if the table permits neither its state nor its postings. */
function rowOf(rows: readonly Row[], { from, event, to, money }: Taken): Row {
  const fitting = rows.filter(
    (row) =>
      row.event === event &&
      row.from.includes(from) &&
      nextStates(row, from).some((next) => next === to || (next === 'same' && to === from)),
  );
  const row = fitting.find((one) => money.every((posting) => one.money.includes(posting)));
  if (row) return row;
  if (fitting.length === 0) throw new Error(`the table does not lead from ${from} to ${to} by ${event}`);
  throw new Error(`${event} in ${from} may not post ${money.filter((one) => !fitting[0]?.money.includes(one)).join(', ')}`);
}

/** Explores breadth first, so that the way to a fault is as short as possible. */
export function explore(bounds: Bounds, { rows = INVOICE_MACHINE.rows, steps = {}, sums = {} }: Broken = {}): Exploration {
  const [found, ids] = [[] as { node: Node; from: number; by: string }[], new Map<string, number>()];
  const [before, states, fired] = [[] as number[][], new Set<string>(), new Set<Row>()];
  const allSums = { ...SUMS, ...sums };
  const result = (fault?: string): Exploration => ({
    ...{ nodes: found.length, states, fired },
    ...(fault !== undefined && { fault }),
  });
  const wayTo = (id: number, fault: string, by?: string): Exploration => {
    const way = by === undefined ? [] : [by];
    for (let at = found[id]; at && at.from >= 0; at = found[at.from]) way.unshift(`${at.by} > ${at.node.world.invoice.state}`);
    return result(`${fault}: ${way.join(', ')}`);
  };
  const add = (node: Node, from: number, by: string): string | undefined => {
    const key = keyOf(node);
    const known = ids.get(key);
    if (known === undefined) {
      ids.set(key, found.push({ node, from, by }) - 1);
      before.push([]);
    }
    if (SURE.has(by)) before[known ?? found.length - 1]?.push(from);
    if (known !== undefined) return undefined;
    states.add(node.world.invoice.state);
    return faultOf(node.world, allSums);
  };
  for (const start of bounds.starts) add(startOf(start, bounds, { ...STEPS, ...steps }), -1, '');
  for (let id = 0; id < found.length; id += 1) {
    const { node } = found[id] as (typeof found)[number];
    for (const { name, uses, happen } of eventsOf(node.world, bounds)) {
      if (uses && node.left[uses] === 0) continue;
      const world = node.world.copy();
      try {
        if (!happen(world)) continue;
        if (world.taken) fired.add(rowOf(rows, world.taken));
      } catch (error) {
        return wayTo(id, (error as Error).message, name);
      }
      const left = uses ? { ...node.left, [uses]: node.left[uses] - 1 } : node.left;
      const fault = add({ world, left }, id, name);
      if (fault !== undefined) return wayTo(found.length - 1, fault);
    }
  }
  const stranded = strandedOf(
    found.map(({ node }) => node.world),
    before,
  );
  return stranded === undefined ? result() : wayTo(stranded, 'it never comes to rest');
}

function startOf(start: Start, bounds: Bounds, steps: Steps): Node {
  const world = new World(start, steps);
  world.choose('BTC');
  const {
    drops = 0,
    flags = 0,
    confirms = 0,
    reversals = 0,
    backs = 0,
    choices = 0,
    closings = 0,
    moves = 0,
    decisions = 0,
    desk = 0,
    marks = 0,
  } = bounds;
  const left = { drops, flags, confirms, reversals, backs, choices, closings, moves, decisions, desk, marks };
  return { world: world.copy(), left };
}

/** Automatic events. They must bring each invoice to rest, even if no rail and no person acts. */
const SURE: ReadonlySet<string> = new Set(['miss', 'time over', 'price', 'hold over', 'prices change', 'time passes']);

/** True if a hold lasts longer than the explored minutes. */
const isHeldOn = (hold: { readonly at: number } | undefined): boolean =>
  hold !== undefined && (MINUTES[hold.at] as number) + HOLD > (MINUTES.at(-1) as number);

/**
 * Returns a node from which sure events lead to no state of rest; undefined if there is none. Payments that are confirmed wait for
 * their rails, and held ones for the desk if their time ends after the explored minutes.
 */
function strandedOf(worlds: readonly World[], before: readonly (readonly number[])[]): number | undefined {
  const waits = ({ model }: World): boolean =>
    model.payments.some(({ stage, confirmedAt, hold }) => isHeldOn(hold) || (stage === 'seen' && confirmedAt !== undefined));
  const rests = (world: World): boolean => INVOICE_MACHINE.rests.has(world.invoice.state) || waits(world);
  const good = new Set([...worlds.keys()].filter((id) => rests(worlds[id] as World)));
  for (const id of good) for (const from of before[id] ?? []) good.add(from);
  return [...worlds.keys()].find((id) => !good.has(id));
}
