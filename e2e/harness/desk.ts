import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, createClient, httpTransport } from '@kurs/contract/client';
import type { System } from './system.ts';

/** The people that the sandbox's desk begins with: two operators, then a compliance pair. */
export type Person = 'olga' | 'oleg' | 'clara' | 'karl';

/** A client that asks as a person of the desk. */
export async function deskOf(system: System, person: Person): Promise<Client> {
  const keys = JSON.parse(await readFile(join(system.data, 'keys/desk.json'), 'utf8')) as { name: string; key: string }[];
  const key = keys.find(({ name }) => name === person)?.key ?? '';
  return createClient(httpTransport({ base: system.url, clientId: 'web', locale: () => 'en', token: () => key }));
}

/** How many orders there are, of all customers or of those whose number or e-mail holds a text. */
export async function countOrders(system: System, q?: string): Promise<number> {
  const desk = await deskOf(system, 'olga');
  return (await desk.operatorOrders(q === undefined ? {} : { q })).meta.total;
}

/** `npm run desk -- <words> --json`; gives what it prints. */
export async function deskTool<T>(system: System, ...words: string[]): Promise<T> {
  const { code, output } = await system.tool('desk.ts', ...words, '--json');
  assert.equal(code, 0, `desk ${words.join(' ')}: ${output}`);
  return JSON.parse(output) as T;
}

/** An action that takes a reason, as somebody; gives what became of it. */
export async function actAs(system: System, person: Person, ...words: string[]): Promise<string> {
  const reason = `journey: ${words.join(' ')}`;
  return (await deskTool<{ status: string }>(system, ...words, '--as', person, '--reason', reason)).status;
}
