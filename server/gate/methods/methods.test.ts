// The order in which methods are listed. No database.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CurrencyInfo } from '../../payments/index.ts';
import { type Method, byCost } from './methods.ts';

const method = (code: string, more: Omit<Method, 'info'>): Method => ({ info: { code } as CurrencyInfo, ...more });

test('open methods come first, each part in the order of its costs', () => {
  const methods = [
    method('closed', { closed: 'off' }),
    method('dear', { cost: 300n }),
    method('small', { cost: 1n, closed: 'too_small' }),
    method('cheap', { cost: 20n }),
    method('free', { cost: 0n }),
    method('middle', { cost: 100n }),
  ];
  assert.deepEqual(
    byCost(methods).map(({ info }) => info.code),
    ['free', 'cheap', 'middle', 'dear', 'closed', 'small'],
  );
});
