// `npm run config`: lists all environment variables and settings with their defaults. `npm run config -- NAME`: explains how to
// set up one payment system, with an example of its file.

import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { describeConfig, listSettings } from '../platform/index.ts';
import { RAIL_NAMES, RAIL_NEEDS, providerExample } from '../rails/index.ts';
import { UsageError, runCommand, wrap } from '../terminal/index.ts';

const WIDTH = 92;

async function main(): Promise<void> {
  const [rail, surplus] = process.argv.slice(2);
  if (surplus !== undefined) throw new UsageError(`“${surplus}” has no place here: npm run config -- NAME`);
  return rail === undefined ? showAll() : showRail(rail);
}

async function showAll(): Promise<void> {
  const rows = describeConfig();
  console.log('Environment\n');
  for (const row of rows.filter(({ isInternal }) => !isInternal)) show(row.name, row.initial, row.words);
  console.log('\nSet by the supervisor for its processes\n');
  for (const row of rows.filter(({ isInternal }) => isInternal)) show(row.name, row.initial, row.words);

  // Rooms declare their settings when they are loaded.
  const server = new URL('../', import.meta.url);
  for (const room of await readdir(server)) {
    const index = new URL(`${room}/index.ts`, server);
    if (existsSync(index)) await import(index.href);
  }
  const settings = listSettings();
  if (settings.length > 0) console.log('\nSettings, changed while it runs: npm run desk -- settings\n');
  for (const { key, initial, words } of settings) show(key, JSON.stringify(initial), words);
  console.log(`\nHow one payment system is set up: npm run config -- NAME, of ${RAIL_NAMES.join(', ')}`);
}

function show(name: string, initial: string, words: string): void {
  console.log(`  ${name}${initial === '' ? '' : ` = ${initial}`}`);
  for (const line of wrap(words, WIDTH)) console.log(`      ${line}`);
}

/** Prints explanations to standard error, so that the example alone can be redirected into a file. */
async function showRail(rail: string): Promise<void> {
  const found = await providerExample(rail);
  if (found) {
    const file = `KURS_DATA/providers/${rail}.json`;
    say(`${file} sets ${rail} up. An example is below; write your own values into it.\n`);
    for (const { path, description, where, initial } of found.fields)
      report(path, `${description}. ${initial === undefined ? `Where: ${where}.` : `Left out, it is ${initial} (${where}).`}`);
    say(`\nWrite the example: npm run --silent config -- ${rail} > "$KURS_DATA/providers/${rail}.json"; then chmod 600 it.`);
    say(
      'Settings are read at each start: restart once the file is right. If one is not set up, the command rails of the desk says why.\n',
    );
    return console.log(JSON.stringify(found.example, null, 2));
  }
  const variables = describeConfig().filter((row) => row.rail === rail);
  if (variables.length === 0)
    throw new UsageError(`There is no payment system called ${rail}. Known ones: ${RAIL_NAMES.join(', ')}`);
  const needed = RAIL_NEEDS.get(rail) ?? [];
  say(`Variables of the environment set ${rail} up; it needs ${needed.join(' and ')}. docs/rails.md explains them.`);
  say(
    'They are read at each start: restart once they are right. If one is not set up, the command rails of the desk says why.\n',
  );
  for (const { name, initial, words } of variables) {
    for (const line of wrap(words, WIDTH)) console.log(`# ${line}`);
    console.log(`${needed.includes(name) ? '' : '# '}${name}=${initial}`);
  }
}

const say = (words: string): boolean => process.stderr.write(`${words}\n`);

function report(name: string, words: string): void {
  say(`  ${name}`);
  for (const line of wrap(words, WIDTH)) say(`      ${line}`);
}

await runCommand(main);
