// The proof of the books runs the checks of each room that has some.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { checksOf } from './checks.ts';
import { OWNERS } from './owners.testing.ts';

test('the checks of every room are registered', async () => {
  const server = new URL('../', import.meta.url);
  const found: string[] = [];
  for (const room of await readdir(server)) {
    const index = new URL(`${room}/index.ts`, server);
    if (!existsSync(index)) continue;
    const offered = Object.entries((await import(index.href)) as Record<string, unknown>).filter(
      ([name, value]) => name.endsWith('Check') && typeof value === 'object',
    );
    for (const [name, check] of offered) {
      found.push(name);
      assert.ok((checksOf(OWNERS) as readonly unknown[]).includes(check), `${name} of ${room} is asked nothing`);
    }
  }
  assert.deepEqual(found.toSorted(), [
    'affiliateCheck',
    'complianceCheck',
    'couponCheck',
    'earnCheck',
    'gateCheck',
    'moneyOutCheck',
    'orderCheck',
    'paymentsCheck',
    'potCheck',
    'walletCheck',
  ]);
});
