// Draws the machines of the product from their data into docs/machines/. `node tools/draw-machines.ts` writes the
// pictures; a test fails while a picture and its data differ.

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { GUARDS, ORDER_STATES, RESTING, ROWS, type Row, STATE_WORDS, WORDS, nextOf } from '../server/exchange/index.ts';

const FOLDER = new URL('../docs/machines/', import.meta.url);

const ACTORS = {
  C: 'customer (secret token; money acts also a mailed code)',
  R: 'fact from a rail',
  S: 'system, timer',
  O: 'operator',
  O2: 'two operators',
  K: 'compliance',
  K2: 'two of compliance',
} as const;

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
  const cells = [number, from, row.event, row.who, GUARDS[row.guard].words || '–', nextWords(row), row.money.join(' ') || '–'];
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
    `Who: ${Object.entries(ACTORS)
      .map(([letter, words]) => `${letter} ${words}`)
      .join(' · ')}.`,
    '',
    '| row | from | event | who | when | to | postings |',
    '|---|---|---|---|---|---|---|',
    ...ROWS.map((row, index) => tableRow(row, index + 1)),
    '',
  ].join('\n');
}

/** Every page by its file name. */
export const PAGES: Readonly<Record<string, () => string>> = { 'order.md': drawOrderMachine };

/** Where a page lies. */
export const pathOf = (name: string): string => fileURLToPath(new URL(name, FOLDER));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, draw] of Object.entries(PAGES)) writeFileSync(pathOf(name), draw());
}
