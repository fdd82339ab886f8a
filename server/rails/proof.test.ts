// Proof that each rail can give of a send, and the time for which its provider knows a reference, by the providers' documents.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bitcoinPayout } from './bitcoin/payout.ts';
import { evmPayout } from './evm/payouts/payout.ts';
import { payoutOf as moneygo } from './moneygo/payout.ts';
import { payeerPayout } from './payeer/payout.ts';
import { paypalPayout } from './paypal/payout.ts';
import { perfectMoneyPayout } from './perfectmoney/payout.ts';
import { PROVIDER_NAMES } from './providers.ts';
import type { Payout, Proof } from './rail.ts';
import { tronPayout } from './tron/payout.ts';
import { payoutOf as volet } from './volet/payout.ts';
import { payoutOf as webmoney } from './webmoney/payout.ts';

const DAY = 24 * 60;
const none = {} as never;
const paypal = paypalPayout(none, none, none);

const TABLE: readonly (readonly [string, Pick<Payout, 'proof'>, string, Proof['lookUp'], number])[] = [
  ['bitcoin', bitcoinPayout({ config: {} } as never), '', 'presence and absence', 0],
  ['evm', evmPayout(none, none), '', 'presence and absence', 0],
  ['tron', tronPayout(none, none), '', 'presence and absence', 0],
  ['paypal', paypal, JSON.stringify({ kind: 'payout' }), 'presence', 30 * DAY],
  ['paypal', paypal, JSON.stringify({ kind: 'refund' }), 'presence', 45 * DAY],
  ['webmoney', webmoney([], none), '', 'presence', 60],
  ['payeer', payeerPayout(none, none), '', 'presence', 0],
  ['volet', volet([], none), '', 'presence', 0],
  ['moneygo', moneygo([], none), '', 'presence', 0],
  ['perfectmoney', perfectMoneyPayout(none, none), '', 'nothing', 0],
];

test('only chains prove absence, and a reference is repeated only while its provider promises to know it', () => {
  for (const [name, payout, raw, lookUp, dedupeMinutes] of TABLE)
    assert.deepEqual(payout.proof({ raw }), { lookUp, dedupeMinutes }, `${name} ${raw}`);
  const stated = new Set(TABLE.map(([name]) => name));
  // Nebulox takes payments and sends none.
  for (const name of PROVIDER_NAMES) assert.ok(name === 'nebulox' || stated.has(name), name);
});
