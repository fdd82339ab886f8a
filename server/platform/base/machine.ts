// State machines as data. A machine is a table of transitions; the functions here find transitions, check tables and document
// machines.

/** State after a transition; `same`: the state doesn't change. */
export type Next<State extends string> = State | 'same';

/**
 * A transition: if the actor `who` causes `event` in one of the states `from`, the machine goes to one of the states `next`.
 * The transition makes no postings except those that `money` names.
 */
export interface MachineRow<State extends string, Event extends string, Money extends string = string> {
  readonly from: readonly State[];
  readonly event: Event;
  /** The actor: one of the machine's `actors`. */
  readonly who: string;
  readonly next: readonly Next<State>[];
  /** Names of the postings that the transition may make. */
  readonly money: readonly Money[];
  /**
   * Condition of the transition, in words for people. Transitions with the same state and event are tried in the table's order.
   */
  readonly when?: string;
  /** Next states by state of `from`, for states whose next states differ from `next`. */
  readonly nextFrom?: Readonly<Partial<Record<State, readonly Next<State>[]>>>;
}

export interface Machine<State extends string, Event extends string, Row extends MachineRow<State, Event>> {
  /** Name of the object that goes through the states, such as `order`. */
  readonly name: string;
  /** Source file of the machine. */
  readonly file: string;
  /** First states, each with the event that creates the object. */
  readonly begins: readonly { readonly state: State; readonly event: string }[];
  /** All states, each with a sentence that says where the money is. */
  readonly states: Readonly<Record<State, string>>;
  /** States in which an object may stay forever. */
  readonly rests: ReadonlySet<State>;
  /** Names of actors, by the letters that transitions and stored timelines use. */
  readonly actors: Readonly<Record<string, string>>;
  readonly rows: readonly Row[];
}

/** Returns the possible states after the transition `row` from the state `from`. */
export const nextStates = <State extends string>(row: MachineRow<State, string>, from: State): readonly Next<State>[] =>
  row.nextFrom?.[from] ?? row.next;

/** Returns a function that finds the transitions of a state and an event, in the table's order. */
export function rowFinder<State extends string, Event extends string, Row extends MachineRow<State, Event>>(
  rows: readonly Row[],
): (state: State, event: Event) => readonly Row[] {
  const index = new Map<string, Row[]>();
  for (const row of rows)
    for (const state of row.from) {
      const key = `${state} ${row.event}`;
      const known = index.get(key);
      if (known) known.push(row);
      else index.set(key, [row]);
    }
  return (state, event) => index.get(`${state} ${event}`) ?? [];
}

/** A machine of any states and events. */
export type AnyMachine = Machine<string, string, MachineRow<string, string>>;

/**
 * Returns the flaws of a machine's table as sentences:
 * - an unknown state or actor
 * - a state that can't be reached
 * - a state that can't be left and is missing in `rests`
 * - a transition that never happens, since an earlier transition of the same state and event has no condition
 */
export function flaws({ begins, states, rests, actors, rows }: AnyMachine): string[] {
  const known = new Set(Object.keys(states));
  const found: string[] = [];
  const unknown = (state: string, words: string): void => void (known.has(state) || found.push(`${words} ${state}`));
  for (const { state, event } of begins) unknown(state, `${event} begins in an unknown state`);
  for (const state of rests) unknown(state, 'what rests is an unknown state:');
  const unconditional = new Set<string>();
  for (const row of rows) {
    if (!(row.who in actors)) found.push(`${row.event} is made by ${row.who}, whom nobody knows`);
    for (const from of row.from) {
      unknown(from, `${row.event} leaves an unknown state`);
      for (const next of nextStates(row, from)) if (next !== 'same') unknown(next, `${row.event} leads to an unknown state`);
      const key = `${row.event} in ${from}`;
      if (unconditional.has(key)) found.push(`${key} never comes to its later row: an earlier one has no condition`);
      if (row.when === undefined) unconditional.add(key);
    }
  }
  const reached = reachable({ begins, rows });
  for (const state of known) {
    if (!reached.has(state)) found.push(`nothing leads to ${state}`);
    const isLeft = rows.some(
      (row) => row.from.includes(state) && nextStates(row, state).some((next) => next !== 'same' && next !== state),
    );
    if (!isLeft && !rests.has(state)) found.push(`nothing leaves ${state}, which may not rest`);
  }
  return found;
}

function reachable({ begins, rows }: Pick<AnyMachine, 'begins' | 'rows'>): Set<string> {
  const reached = new Set(begins.map(({ state }) => state));
  for (let before = -1; before !== reached.size;) {
    before = reached.size;
    for (const row of rows)
      for (const from of row.from)
        if (reached.has(from)) for (const next of nextStates(row, from)) if (next !== 'same') reached.add(next);
  }
  return reached;
}

/** A transition from more states than this is shown as "every other state", and is left out of the picture. */
const MANY = 12;
const isWide = (row: MachineRow<string, string>): boolean => row.from.length > MANY;

/** Additions to a machine's page in docs/machines. */
export interface Drawing {
  /** Further columns of the table of states: their titles, and functions that return the cell of a state. */
  readonly columns?: readonly { readonly title: string; readonly of: (state: string) => string }[];
  /** Sentences under the diagram. */
  readonly notes?: readonly string[];
  /** Returns the description of a posting; by default its name. */
  readonly moneyWords?: (money: string) => string;
}

/**
 * Returns a machine's page as Markdown: a Mermaid diagram, the states, the transitions. The page is generated; never edit it.
 */
export function draw(machine: AnyMachine, { columns = [], notes = [], moneyWords = (money) => money }: Drawing = {}): string {
  const { name, file, begins, states, rests, actors, rows } = machine;
  const list = Object.entries(states);
  const cells = (...each: readonly string[]): string => `| ${each.join(' | ')} |`;
  const rule = (width: number): string => `|${'---|'.repeat(width)}`;
  return [
    `# The ${name} machine`,
    '',
    `Drawn from the table in \`${file}\` by \`tools/draw-machines.ts\`; a test fails when they differ. ${list.length} states, ${rows.length} rows. What no row takes changes nothing.`,
    '',
    '```mermaid',
    'stateDiagram-v2',
    ...begins.map(({ state, event }) => `  [*] --> ${state}: ${event}`),
    ...edges(rows),
    ...list.flatMap(([state]) => (rests.has(state) ? [`  ${state} --> [*]`] : [])),
    '```',
    '',
    ...notes.flatMap((note) => [note, '']),
    cells('state', ...columns.map(({ title }) => title), 'where the money is', 'may rest'),
    rule(columns.length + 3),
    ...list.map(([state, words]) => cells(state, ...columns.map(({ of }) => of(state)), words, rests.has(state) ? 'yes' : '')),
    '',
    cells('row', 'from', 'event', 'who', 'when', 'to', 'postings'),
    rule(7),
    ...rows.map((row, index) =>
      cells(
        ...[String(index + 1), isWide(row) ? 'every other state' : row.from.join(', '), row.event, actors[row.who] ?? row.who],
        ...[row.when || '–', nextWords(row), row.money.map(moneyWords).join(', ') || '–'],
      ),
    ),
    '',
  ].join('\n');
}

/** Returns the diagram's edges, one for each pair of states, such as `choosing --> queued: take_short, …`. */
function edges(rows: readonly MachineRow<string, string>[]): string[] {
  const found = new Map<string, Set<string>>();
  for (const row of rows.filter((one) => !isWide(one)))
    for (const from of row.from)
      for (const to of nextStates(row, from)) {
        if (to === 'same' || to === from) continue;
        const edge = `${from} --> ${to}`;
        found.set(edge, (found.get(edge) ?? new Set()).add(row.event));
      }
  return [...found].map(([edge, events]) => `  ${edge}: ${[...events].join(', ')}`);
}

/** Returns the next states of a transition in words, followed by those that apply only to some states. */
function nextWords({ next, nextFrom = {} }: MachineRow<string, string>): string {
  const special = Object.entries(nextFrom).map(([from, states]) => `from ${from}: ${(states as readonly string[]).join(' / ')}`);
  return [next.join(' / '), ...special].join('; ');
}
