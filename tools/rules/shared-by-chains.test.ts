// The rails of EVM and TRON share one folder, with addresses and deposits only.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = 'server/rails/account-chain';
const CHAINS = new Set(['evm', 'tron']);

const railOf = (path: string): string | undefined => /^server\/rails\/([^/]+)\//.exec(path)?.[1];

/** The files of `server/rails` that a rail's sources import from outside its folder, with the rails that do. */
function usedByRails(): Map<string, Set<string>> {
  const users = new Map<string, Set<string>>();
  for (const from of globSync('server/rails/*/**/*.ts', { cwd: ROOT })) {
    if (/\.(test|testing|contract)\.ts$/.test(from)) continue;
    const rail = railOf(from) ?? '';
    for (const [, name = ''] of readFileSync(join(ROOT, from), 'utf8').matchAll(/ from '(\.[^']+)'/g)) {
      const to = relative(ROOT, join(ROOT, dirname(from), name));
      if (to.startsWith('server/rails/') && railOf(to) !== rail) users.set(to, (users.get(to) ?? new Set()).add(rail));
    }
  }
  return users;
}

test('EVM and TRON share addresses and deposits at most', () => {
  const used = [...usedByRails()];
  assert.ok(used.some(([path]) => path === 'server/rails/rail.ts'));
  const shared = used.filter(([, by]) => [...by].every((rail) => CHAINS.has(rail))).map(([path]) => path);
  assert.deepEqual(shared.toSorted(), [`${FOLDER}/addresses.ts`, `${FOLDER}/deposits.ts`, `${FOLDER}/internal-transfers.ts`]);
});
