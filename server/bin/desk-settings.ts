// The desk tool's part of settings.

import { MOST_OF_A_DETAIL } from './desk-print.ts';
import type { SupportTool } from './desk-support.ts';

export const SETTINGS_HELP = `  settings                                    every setting with its value, and what it is
  settings KEY                                one: what it may be, and what it was before
  settings KEY VALUE | --version N            what a change would be, or (--apply --reason "…") the change: two people where it
                                              lets more out, trusts less proof or screens less; --version 0: what it began with`;

type Command = (tool: SupportTool, args: readonly string[]) => Promise<void>;

/** The commands by their names. */
export const SETTINGS: Readonly<Record<string, Command>> = {
  async settings(tool, [key, value]) {
    if (key === undefined) return list(tool);
    if (value === undefined && tool.flags.version === undefined) return showOne(tool, key);
    return change(tool, key, value);
  },
};

async function list({ client, isJson, table }: SupportTool): Promise<void> {
  const all = await client.operatorSettings({});
  const isChanged = (one: (typeof all)[number]) => one.value !== one.initial;
  table(isJson ? all : all.map((one) => ({ setting: one.key, value: figure(one.value, one.unit), ...(isChanged(one) ? { '': 'changed' } : {}), 'what it is': one.words }))); // prettier-ignore
}

async function showOne({ client, isJson, table, show, print }: SupportTool, key: string): Promise<void> {
  const one = await client.operatorSetting({ key });
  if (isJson) return show(one);
  print(`${one.key}: ${one.words}`);
  print(`  is         ${withUnit(one.value, one.unit)}`);
  print(`  began as   ${withUnit(one.initial, one.unit)}`);
  print(`  may be     ${one.bounds}\n`);
  table(one.history.map(({ value, ...row }) => ({ ...row, value: figure(value, one.unit) })));
}

async function change({ client, flags, key: idempotency, isJson, show, print, need }: SupportTool, key: string, value?: string) {
  const version = flags.version === undefined ? {} : { version: Number.parseInt(flags.version, 10) };
  const apply = flags.apply ?? false;
  const wanted = { key, ...version, ...(value === undefined ? {} : { value }), apply };
  const made = await client.operatorSettingChange(
    { ...wanted, ...(apply && { reason: need(flags.reason, '--reason') }) },
    idempotency,
  );
  if (isJson) return show(made);
  print(`${key}: ${withUnit(made.before, made.unit)}  →  ${withUnit(made.after, made.unit)}`);
  print(`it may be: ${made.bounds}`);
  const people = made.people === 2 ? 'two people' : 'one person';
  if (made.status === 'preview') print(`nothing is changed: it takes ${people} (--apply --reason "…")`);
  else print(made.status === 'done' ? 'done' : `it waits for a second person: request ${made.request ?? ''}`);
}

/** A value with what its figures count. */
const withUnit = (value: string, unit: string | undefined): string => (unit === undefined ? value : `${value} ${unit}`);

/** The same in a column: of a long one its beginning. */
const figure = (value: string, unit: string | undefined): string =>
  value.length > MOST_OF_A_DETAIL ? `${value.slice(0, MOST_OF_A_DETAIL)}…` : withUnit(value, unit);
