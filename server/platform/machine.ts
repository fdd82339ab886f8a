// State machines as data: a table of rows, asked by one function and drawn from the same table.
//
// row   in the state `from`, at the event `event` by `who`, when every guard holds: go to `to` and do `money`
// guard a word whose truth the caller computes; a row without guards matches always

export type Row<State extends string, Event extends string, Who extends string, Guard extends string, Act extends string> = {
  readonly id: string;
  readonly from: State;
  readonly event: Event;
  readonly who: Who;
  readonly guards: readonly Guard[];
  readonly to: State;
  /** Names of the postings and effects; what they do is spelled elsewhere. */
  readonly money: readonly Act[];
};

export type Machine<S extends string, E extends string, W extends string, G extends string, A extends string> = {
  readonly name: string;
  readonly start: S;
  /** Every state with the sentence that says where the money is. */
  readonly states: Readonly<Record<S, string>>;
  readonly rows: readonly Row<S, E, W, G, A>[];
};

/**
 * The row for an event: the first in the table whose guards all hold, or undefined when the state doesn't take the
 * event. `holds` is asked only about the guards of rows that could match.
 */
export function step<S extends string, E extends string, W extends string, G extends string, A extends string>(
  machine: Machine<S, E, W, G, A>,
  state: S,
  event: E,
  holds: (guard: G) => boolean,
): Row<S, E, W, G, A> | undefined {
  return rowsOf(machine, state, event).find((row) => row.guards.every(holds));
}

const indexes = new WeakMap<object, Map<string, unknown[]>>();

function rowsOf<S extends string, E extends string, W extends string, G extends string, A extends string>(
  machine: Machine<S, E, W, G, A>,
  state: S,
  event: E,
): readonly Row<S, E, W, G, A>[] {
  let index = indexes.get(machine);
  if (!index) {
    index = Map.groupBy(machine.rows as readonly unknown[], (row) => {
      const { from, event: on } = row as Row<S, E, W, G, A>;
      return `${from} ${on}`;
    });
    indexes.set(machine, index);
  }
  return (index.get(`${state} ${event}`) ?? []) as Row<S, E, W, G, A>[];
}

/**
 * What is wrong with the table itself, as sentences: a row of an unknown state, an id used twice, a state nobody
 * reaches, a row that an earlier row of the same state and event always wins over.
 */
export function flaws(machine: Machine<string, string, string, string, string>): string[] {
  const known = new Set(Object.keys(machine.states));
  const reached = new Set([machine.start]);
  const ids = new Set<string>();
  const found: string[] = [];
  if (!known.has(machine.start)) found.push(`the start ${machine.start} is no state`);
  for (const row of machine.rows) {
    if (!known.has(row.from)) found.push(`${row.id} leaves an unknown state ${row.from}`);
    if (!known.has(row.to)) found.push(`${row.id} goes to an unknown state ${row.to}`);
    if (ids.has(row.id)) found.push(`the row ${row.id} stands twice`);
    ids.add(row.id);
    const winner = rowsOf(machine, row.from, row.event).find((other) =>
      other.guards.every((guard) => row.guards.includes(guard)),
    );
    if (winner !== row && winner) found.push(`${row.id} never matches: ${winner.id} always comes first`);
  }
  for (let before = -1; before !== reached.size;) {
    before = reached.size;
    for (const row of machine.rows) if (reached.has(row.from)) reached.add(row.to);
  }
  for (const state of known) if (!reached.has(state)) found.push(`nothing leads to ${state}`);
  return found;
}

/** The machine as a page: a Mermaid picture, its states, its rows. Generated; never edited by hand. */
export function draw(machine: Machine<string, string, string, string, string>): string {
  const edges = Map.groupBy(machine.rows, (row) => `${row.from} --> ${row.to}`);
  const picture = [...edges].map(([edge, rows]) => `  ${edge}: ${[...new Set(rows.map((row) => row.event))].join(', ')}`);
  const states = Object.entries(machine.states).map(([state, words]) => `| ${state} | ${words} |`);
  const rows = machine.rows.map(
    ({ id, from, event, who, guards, to, money }) =>
      `| ${[id, from, event, who, guards.join(' and ') || '–', to, money.join(' · ') || '–'].join(' | ')} |`,
  );
  return [
    `# ${machine.name}`,
    '',
    'Drawn from the table in the code by `tools/draw-machines.ts`; a test fails when they differ.',
    '',
    '```mermaid',
    'stateDiagram-v2',
    `  [*] --> ${machine.start}`,
    ...picture,
    '```',
    '',
    '| state | where the money is |',
    '|---|---|',
    ...states,
    '',
    '| row | from | event | who | when | to | money |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
