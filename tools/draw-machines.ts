// Draws the machines of the product from their data into docs/machines/. `node tools/draw-machines.ts` writes the
// pictures; a test fails while a picture and its data differ.

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  type Actor,
  GUARDS,
  ORDER_STATES,
  RESTING,
  ROWS,
  type Row,
  STATE_WORDS,
  WORDS,
  nextOf,
} from '../server/exchange/index.ts';
import { PAYOUT_MACHINE } from '../server/payments/index.ts';
import { draw } from '../server/platform/index.ts';
import { WITHDRAWAL_PLACES, WITHDRAWAL_POSTINGS, WITHDRAWAL_TABLE } from '../server/wallets/index.ts';

const FOLDER = new URL('../docs/machines/', import.meta.url);

/** Who makes an event happen, by the letters that histories keep. */
const ACTORS: Readonly<Record<Actor, string>> = {
  C: 'customer',
  R: 'rail',
  S: 'system',
  O: 'operator',
  O2: 'two operators',
  K: 'compliance',
  K2: 'two of compliance',
};
const OF_CUSTOMERS = 'A customer needs the order’s secret, and for what moves money a mailed code too.';

/** More states than this in one row are drawn as one box: any state. */
const MANY = 12;

const isWide = (row: Row): boolean => row.from.length > MANY;

/** `choosing --> queued: take_short, …`, one edge per pair of states. */
function edges(rows: readonly Row[]): string[] {
  const found = new Map<string, Set<string>>();
  for (const row of rows.filter((one) => !isWide(one))) {
    for (const from of row.from) {
      for (const next of nextOf(row, from)) {
        const to = next === 'same' ? from : next;
        if (to === from) continue;
        const key = `${from} --> ${to}`;
        found.set(key, (found.get(key) ?? new Set()).add(row.event));
      }
    }
  }
  return [...found].map(([edge, events]) => `  ${edge}: ${[...events].join(', ')}`);
}

function tableRow(row: Row, number: number): string {
  const from = isWide(row) ? 'every other state' : row.from.join(', ');
  const cells = [
    number,
    from,
    row.event,
    ACTORS[row.who],
    GUARDS[row.guard].words || '–',
    nextWords(row),
    row.money.join(', ') || '–',
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Where a row comes to; what holds only from one of its states is said with it. */
function nextWords({ next, nextFrom = {} }: Row): string {
  const special = Object.entries(nextFrom).map(([from, states]) => `from ${from}: ${states.join(' / ')}`);
  return [next.join(' / '), ...special].join('; ');
}

/** The order machine as a page: picture, states, rows. */
export function drawOrderMachine(): string {
  const ends = ORDER_STATES.filter((state) => RESTING.has(state)).map((state) => `  ${state} --> [*]`);
  return [
    '# The order machine',
    '',
    `Drawn from the table in \`server/exchange/rows.ts\` by \`tools/draw-machines.ts\`; a test fails when they differ. ${ORDER_STATES.length} states, ${ROWS.length} rows.`,
    '',
    '```mermaid',
    'stateDiagram-v2',
    '  [*] --> awaiting: place',
    ...edges(ROWS),
    ...ends,
    '```',
    '',
    'Facts that are accepted in every other state and leave it as it is stand in the table only.',
    '',
    '| state | customer reads | where the money is | may rest |',
    '|---|---|---|---|',
    ...ORDER_STATES.map((state) => `| ${state} | ${WORDS[state]} | ${STATE_WORDS[state]} | ${RESTING.has(state) ? 'yes' : ''} |`),
    '',
    'Rail: what a payment system tells. System: the product itself, often by a timer. ' + OF_CUSTOMERS,
    '',
    '| row | from | event | who | when | to | postings |',
    '|---|---|---|---|---|---|---|',
    ...ROWS.map((row, index) => tableRow(row, index + 1)),
    '',
  ].join('\n');
}

/** Who tells a withdrawal what happened, where it isn't its rail. */
const WITHDRAWAL_ACTORS: Readonly<Record<string, string>> = {
  approve: 'operator, or two',
  reject: 'operator',
  cancel: 'customer',
};

/** The withdrawal machine as a page: picture, states, steps. */
export function drawWithdrawalMachine(): string {
  const steps = Object.entries(WITHDRAWAL_TABLE).flatMap(([from, events]) =>
    Object.entries(events).map(([event, { next, post }]) => ({ from, event, next, post })),
  );
  const drawn = new Map<string, string[]>();
  for (const { from, event, next } of steps) {
    const edge = `${from} --> ${next}`;
    drawn.set(edge, [...(drawn.get(edge) ?? []), event]);
  }
  const states = Object.entries(WITHDRAWAL_PLACES);
  const ends = states.filter(([state]) => !steps.some(({ from }) => from === state) || state === 'done');
  return [
    '# The withdrawal machine',
    '',
    `Drawn from the table in \`server/wallets/withdrawal.ts\` by \`tools/draw-machines.ts\`; a test fails when they differ. ${states.length} states, ${steps.length} steps. What stands nowhere changes nothing.`,
    '',
    '```mermaid',
    'stateDiagram-v2',
    '  [*] --> queued: ask, within what goes by itself',
    '  [*] --> approving: ask, above it',
    ...[...drawn].map(([edge, events]) => `  ${edge}: ${events.join(', ')}`),
    ...ends.map(([state]) => `  ${state} --> [*]`),
    '```',
    '',
    'Asked, it posts the hold (`wallet → wallet:held`); what nobody has to look at posts the hold and the payout intent at once.',
    '',
    '| state | where the money is |',
    '|---|---|',
    ...states.map(([state, place]) => `| ${state} | ${place} |`),
    '',
    '| from | event | who | to | posting |',
    '|---|---|---|---|---|',
    ...steps.map(({ from, event, next, post }) => {
      const who = WITHDRAWAL_ACTORS[event] ?? 'rail';
      return `| ${[from, event, who, next, post ? WITHDRAWAL_POSTINGS[post] : '–'].join(' | ')} |`;
    }),
    '',
  ].join('\n');
}

/** Every page by its file name. */
export const PAGES: Readonly<Record<string, () => string>> = {
  'order.md': drawOrderMachine,
  'payout.md': () => draw(PAYOUT_MACHINE),
  'withdrawal.md': drawWithdrawalMachine,
};

/** Where a page lies. */
export const pathOf = (name: string): string => fileURLToPath(new URL(name, FOLDER));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, draw] of Object.entries(PAGES)) writeFileSync(pathOf(name), draw());
}
