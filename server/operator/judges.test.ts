// The proof of the books runs the checks of each room that has some.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { judgesOf } from './judges.ts';
import { OWNERS } from './owners.testing.ts';

test('the checks of every room are registered', async () => {
  const server = new URL('../', import.meta.url);
  const found: string[] = [];
  for (const room of await readdir(server)) {
    const door = new URL(`${room}/index.ts`, server);
    if (!existsSync(door)) continue;
    const offered = Object.entries((await import(door.href)) as Record<string, unknown>).filter(([name]) =>
      name.endsWith('Judge'),
    );
    for (const [name, judge] of offered) {
      found.push(name);
      assert.ok((judgesOf(OWNERS) as readonly unknown[]).includes(judge), `${name} of ${room} is asked nothing`);
    }
  }
  assert.deepEqual(found.toSorted(), [
    'affiliateJudge',
    'complianceJudge',
    'couponJudge',
    'earnJudge',
    'moneyOutJudge',
    'orderJudge',
    'paymentsJudge',
    'potJudge',
    'walletJudge',
  ]);
});
