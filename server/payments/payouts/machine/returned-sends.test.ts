// What came back of a payout that was sent: who bears what is short.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { step } from './payout.ts';
import { NOW, attempt, forgetful, found, payout, terms } from './payout.testing.ts';
import { owedForFind, returnedOf } from './returned-sends.ts';

for (const [body, came, lost, why] of [
  [{}, 100n, 0n, 'all of it, where nobody says how much'],
  [{ back: '97' }, 97n, 3n, 'what the rail kept is the desk’s'],
  [{ back: '97', byReceiver: true }, 97n, 0n, 'unless the receiver is the cause'],
  [{ back: '0' }, 0n, 100n, 'nothing came'],
  [{ back: '101' }, 100n, 0n, 'no more than was sent'],
] as const) {
  test(`${JSON.stringify(body)}: ${why}`, () => assert.deepEqual(returnedOf(body, 100n), { came, lost }));
}

for (const [body, owed, why] of [
  [{ event: 'found_late' }, 100n, 'all of what turned up'],
  [{ event: 'late_back' }, 0n, 'nothing once it came back'],
  [{ event: 'late_back', back: '97' }, 0n, 'what the rail kept is the desk’s'],
  [{ event: 'late_back', back: '97', byReceiver: true }, 3n, 'what the receiver kept'],
  [{ event: 'late_settled' }, 0n, 'nothing once people have settled it'],
  [{ event: 'late_back', back: '97', byReceiver: true, owed: '103' }, 103n, 'what the event says, where it does'],
] as const) {
  test(`owed for a find by ${JSON.stringify(body)}: ${why}`, () => assert.equal(owedForFind({ parts: '100', ...body }), owed));
}

test('what came back of a payout that was returned in part is told with it', () => {
  const sent = attempt({ status: 'final', acceptedAt: NOW });
  const said = { outcome: 'mined', txid: 't', height: 0, confirmations: 2, finalised: true, ok: false, fee: 0n } as const;
  const told = (back?: { parts: bigint; byReceiver?: true }) =>
    step(sent, [payout({ status: 'final' })], found({ ...said, ...(back && { back }) }), terms({ proof: forgetful })).payouts[0]
      ?.events[0];
  assert.deepEqual(told({ parts: 97n }), { event: 'returned', extra: { reason: 'reverted', back: '97' } });
  assert.deepEqual(told({ parts: 97n, byReceiver: true })?.extra, { reason: 'reverted', back: '97', byReceiver: true });
  assert.deepEqual(told(), { event: 'returned', extra: { reason: 'reverted' } });
});
