import assert from 'node:assert/strict';
import { test } from 'node:test';
import { caseRow, couponRow, potRow } from './desk-rows.ts';

const MADE = {
  state: 'live',
  taken: 1,
  left: '3.00',
  held: '0.50',
  max: '5.00',
  made_by: ['olga', 'oleg'],
  made_at: '2026-11-26T22:49:55.123Z',
} satisfies Partial<Parameters<typeof couponRow>[0]>;

test('a coupon’s row has units: its value, uses of how many, and what it may still cost', () => {
  assert.deepEqual(
    couponRow({ ...MADE, code: 'FIVE', kind: 'fixed', value: '5.00', uses: 1, until: '2026-12-01T00:00:00.000Z' }),
    {
      ...{ code: 'FIVE', kind: 'fixed', state: 'live', gives: '5.00 USD', used: '1 of 1' },
      ...{ left: '3.00 USD', held: '0.50 USD', max: '5.00 USD', until: '2026-12-01 00:00:00' },
      ...{ 'made by': 'olga, oleg', 'made at': '2026-11-26 22:49:55' },
    },
  );
  const percent = couponRow({ ...MADE, code: 'THIRTY', kind: 'percent', percent: '30' });
  assert.deepEqual([(percent as { gives: string }).gives, (percent as { used: string }).used], ['30 %', '1']);
  assert.equal((couponRow({ ...MADE, code: 'LATE', kind: 'late' }) as { gives: string }).gives, '', 'what is left of it');
});

test('sums of pots and of rewards that wait for people have their unit', () => {
  assert.deepEqual(potRow({ pot: 'earn', left: '499.975000' }), { pot: 'earn', left: '499.975 USDT' });
  const one = {
    id: '1',
    order: 'KX-7F3Q-2M8C',
    affiliate: 'ann@example.org',
    tier: 1,
    reason: 'email',
    at: MADE.made_at,
  } as const;
  assert.deepEqual(caseRow({ ...one, amount: '0.689900' }), { ...one, amount: '0.6899 USDT' });
});
