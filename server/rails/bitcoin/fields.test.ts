import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';

const text = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/** Returns the names of all fields of a message, at any depth. */
function namesIn(message: unknown): string[] {
  if (Array.isArray(message)) return message.flatMap(namesIn);
  if (typeof message !== 'object' || message === null) return [];
  return Object.entries(message).flatMap(([name, value]) => [name, ...namesIn(value)]);
}

it('lists every field of the documented messages in the README, as read or as not read', () => {
  const [read = '', left = ''] = text('README.md').split('What matters and is not read:');
  const named = (part: string): Set<string> => new Set([...part.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name ?? ''));
  const messages = ['address-txs', 'address-utxo', 'outspend'].map(
    (name) => JSON.parse(text(`fixtures/${name}.json`)) as unknown,
  );
  const fields = new Set(namesIn(messages));
  assert.deepEqual(
    [...fields].filter((name) => !named(read).has(name) && !named(left).has(name)),
    [],
  );
  const parsed = text('answers.ts');
  const isRead = (name: string): boolean => new RegExp(`\\b${name}(?::|,| })`).test(parsed);
  assert.deepEqual(
    [...fields].filter((name) => named(read).has(name) !== isRead(name)),
    [],
    'and no other is read',
  );
});
