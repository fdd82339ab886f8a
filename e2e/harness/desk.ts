import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, createClient, httpTransport } from '@kurs/contract/client';
import type { System } from './system.ts';

/** Operators of the sandbox's desk: two operators, then two compliance officers. */
export type Person = 'olga' | 'oleg' | 'clara' | 'karl';

/** Returns a client with the key of one of the desk's people. */
export async function deskOf(system: System, person: Person): Promise<Client> {
  const keys = JSON.parse(await readFile(join(system.data, 'keys/desk.json'), 'utf8')) as { name: string; key: string }[];
  const key = keys.find(({ name }) => name === person)?.key ?? '';
  return createClient(httpTransport({ base: system.consoleUrl, clientId: 'web', locale: () => 'en', token: () => key }));
}

/** Returns the number of all orders, or of those whose number or e-mail contains `q`. */
export async function countOrders(system: System, q?: string): Promise<number> {
  const desk = await deskOf(system, 'olga');
  return (await desk.operatorOrders(q === undefined ? {} : { q })).meta.total;
}

/** Runs `npm run desk -- <words> --json` and returns its output. */
export async function deskTool<T>(system: System, ...words: string[]): Promise<T> {
  const { code, output } = await system.tool('desk.ts', ...words, '--json');
  assert.equal(code, 0, `desk ${words.join(' ')}: ${output}`);
  return JSON.parse(output) as T;
}

/** Runs an action that requires a reason as one of the desk's people, and returns its status. */
export async function actAs(system: System, person: Person, ...words: string[]): Promise<string> {
  const reason = `journey: ${words.join(' ')}`;
  return (await deskTool<{ status: string }>(system, ...words, '--as', person, '--reason', reason)).status;
}
