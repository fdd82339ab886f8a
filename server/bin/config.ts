// `npm run config`: every environment variable with its default and what it is.

import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { describeConfig, listSettings } from '../platform/index.ts';
import { wrap } from '../terminal/index.ts';

const rows = describeConfig();
console.log('Environment\n');
for (const row of rows.filter(({ inner }) => !inner)) show(row.name, row.initial, row.words);
console.log('\nSet by the supervisor for its processes\n');
for (const row of rows.filter(({ inner }) => inner)) show(row.name, row.initial, row.words);

// Rooms declare their settings when they are loaded.
const server = new URL('../', import.meta.url);
for (const room of await readdir(server)) {
  const door = new URL(`${room}/index.ts`, server);
  if (existsSync(door)) await import(door.href);
}
const settings = listSettings();
if (settings.length > 0) console.log('\nSettings, changed while it runs: npm run desk -- settings\n');
for (const { key, initial, words } of settings) show(key, JSON.stringify(initial), words);

function show(name: string, initial: string, words: string): void {
  console.log(`  ${name}${initial === '' ? '' : ` = ${initial}`}`);
  for (const line of wrap(words, 92)) console.log(`      ${line}`);
}
