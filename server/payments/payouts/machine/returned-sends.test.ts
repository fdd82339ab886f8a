// Tests how much of a sent payout came back, and who bears the missing part.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { step } from './payout.ts';
import { NOW, attempt, forgetful, found, payout, terms } from './payout.testing.ts';
import { owedForFind, returnedOf } from './returned-sends.ts';

for (const [body, came, lost, why] of [
  [{}, 100n, 0n, 'all of it, if no amount is reported'],
  [{ back: '97' }, 97n, 3n, 'the desk bears what the rail retained'],
  [{ back: '97', isBorneByReceiver: true }, 97n, 0n, 'unless the receiver is the cause'],
  [{ back: '0' }, 0n, 100n, 'nothing came'],
  [{ back: '101' }, 100n, 0n, 'no more than was sent'],
] as const) {
  test(`${JSON.stringify(body)}: ${why}`, () => assert.deepEqual(returnedOf(body, 100n), { came, lost }));
}

test('a find is owed as its event says, and nothing for other events', () => {
  assert.equal(owedForFind({ owed: '103' }), 103n);
  assert.equal(owedForFind({}), 0n);
});

test('the event of a partial return has the amount that came back', () => {
  const sent = attempt({ status: 'final', acceptedAt: NOW });
  const said = { outcome: 'mined', txid: 't', height: 0, confirmations: 2, isFinalised: true, ok: false, fee: 0n } as const;
  const reported = (back?: { parts: bigint; isBorneByReceiver?: true }) =>
    step(sent, [payout({ status: 'final' })], found({ ...said, ...(back && { back }) }), terms({ proof: forgetful })).payouts[0]
      ?.events[0];
  assert.deepEqual(reported({ parts: 97n }), { event: 'returned', extra: { reason: 'reverted', back: '97' } });
  assert.deepEqual(reported({ parts: 97n, isBorneByReceiver: true })?.extra, {
    reason: 'reverted',
    back: '97',
    isBorneByReceiver: true,
  });
  assert.deepEqual(reported(), { event: 'returned', extra: { reason: 'reverted' } });
});
