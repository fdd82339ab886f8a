// The desk tool's commands for settings.

import { UsageError } from '../command.ts';
import { MAX_OF_A_DETAIL, wrap } from '../desk-print.ts';
import { quoteRow } from '../desk-rows.ts';
import type { SupportTool } from './desk-support.ts';
import type { Usage } from '../desk-usage.ts';

export const SETTINGS_HELP: readonly Usage[] = [
  ['settings [ROOM]', 'all settings with their values, or those of a room (alarms, exchange …)'],
  ['settings KEY', 'a setting with its bounds and earlier values'],
  [
    'settings KEY VALUE|--version N [--apply --reason "…"]',
    'preview a change; --apply makes it. --version selects an earlier value, 0 the default. Two people if more money may leave, less is proved or less is screened',
  ],
];

const WIDTH = 100;

type Command = (tool: SupportTool, args: readonly string[]) => Promise<void>;

/** Commands by their names. */
export const SETTINGS: Readonly<Record<string, Command>> = {
  async settings(tool, [key, value]) {
    if (key === undefined) return list(tool, '');
    if (value !== undefined || tool.flags.version !== undefined) return change(tool, key, value);
    return key.includes('.') ? showOne(tool, key) : list(tool, `${key}.`);
  },
};

async function list({ client, isJson, show, print }: SupportTool, room: string): Promise<void> {
  const all = (await client.operatorSettings({})).filter((one) => one.key.startsWith(room));
  if (isJson) return show(all);
  if (all.length === 0)
    throw new UsageError(`There are no settings of ${room.slice(0, -1)}. All of them: npm run desk -- settings`);
  for (const { key, value, initial, unit, words } of all) {
    print(`${key} = ${figure(value, unit)}${value === initial ? '' : '  (changed)'}`);
    print(
      wrap(words, WIDTH - 4)
        .map((line) => `    ${line}`)
        .join('\n'),
    );
  }
}

async function showOne({ client, isJson, table, show, print }: SupportTool, key: string): Promise<void> {
  const one = await client.operatorSetting({ key });
  if (isJson) return show(one);
  print(`${one.key}: ${one.words}`);
  print(`  is         ${withUnit(one.value, one.unit)}`);
  print(`  default    ${withUnit(one.initial, one.unit)}`);
  print(`  may be     ${one.bounds}\n`);
  table(
    one.history.map(({ value, ...row }) => ({ ...row, value: figure(value, one.unit) })),
    'It was never changed.',
  );
}

async function change(
  { client, flags, key: idempotency, isJson, table, show, print, need }: SupportTool,
  key: string,
  value?: string,
) {
  const version = flags.version === undefined ? {} : { version: wholeOf(flags.version) };
  const apply = flags.apply ?? false;
  const wanted = { key, ...version, ...(value === undefined ? {} : { value }), apply };
  const made = await client.operatorSettingChange(
    { ...wanted, ...(apply && { reason: need(flags.reason, '--reason') }) },
    idempotency,
  );
  if (isJson) return show(made);
  print(`${key}: ${withUnit(made.before, made.unit)} → ${withUnit(made.after, made.unit)}`);
  print(`  may be     ${made.bounds}`);
  for (const direction of made.prices ?? []) {
    print(`\n${direction.slug}: what customers get`);
    table(direction.quotes.map(quoteRow(direction)));
  }
  const people = made.people === 2 ? 'two people' : 'one person';
  if (made.status === 'preview') print(`Nothing is changed yet. It takes ${people}: --apply --reason "…"`);
  else print(made.status === 'done' ? 'Done.' : `It waits for a second person: npm run desk -- consent ${made.request ?? ''}`);
}

function wholeOf(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError('A version is a number, as settings KEY shows it.');
  return Number.parseInt(text, 10);
}

/** Returns a value with its unit. */
function withUnit(value: string, unit: string | undefined): string {
  if (value === '') return 'nothing';
  if (unit === undefined) return value;
  return /^[[{]/.test(value) ? `${value} (${unit})` : `${value} ${unit}`;
}

/** Returns a value with its unit, shortened to fit a line. */
const figure = (value: string, unit: string | undefined): string =>
  value.length > MAX_OF_A_DETAIL ? `${value.slice(0, MAX_OF_A_DETAIL - 1)}…` : withUnit(value, unit);
