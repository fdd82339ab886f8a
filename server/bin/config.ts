// `npm run config`: every environment variable with its default and what it is.

import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { describeConfig, listSettings } from '../platform/index.ts';

const rows = describeConfig();
const widths = { name: widest(rows.map((row) => row.name)), initial: widest(rows.map((row) => row.initial)) };

console.log('Environment\n');
for (const { name, initial, words } of rows.filter((row) => !row.inner)) console.log(line(name, initial, words));
console.log('\nSet by the supervisor for its processes\n');
for (const { name, initial, words } of rows.filter((row) => row.inner)) console.log(line(name, initial, words));

// Rooms declare their settings when they are loaded.
const server = new URL('../', import.meta.url);
for (const room of await readdir(server)) {
  const door = new URL(`${room}/index.ts`, server);
  if (existsSync(door)) await import(door.href);
}
const settings = listSettings();
if (settings.length > 0) console.log('\nSettings, changed by an operator while it runs\n');
for (const { key, initial, words } of settings) console.log(`  ${key} = ${JSON.stringify(initial)}: ${words}`);

function line(name: string, initial: string, words: string): string {
  return `  ${name.padEnd(widths.name)}  ${(initial || '–').padEnd(widths.initial)}  ${words}`;
}

function widest(texts: string[]): number {
  return Math.max(...texts.map((text) => text.length));
}
