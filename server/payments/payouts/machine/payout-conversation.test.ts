import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type RailAnswer, step } from './payout.ts';
import {
  NOW,
  absent,
  accepted,
  attempt,
  chain,
  exists,
  forgetful,
  mined,
  payout,
  pending,
  provider,
  refused,
  terms,
  unknown,
  vague,
} from './payout.testing.ts';

describe('any conversation', () => {
  const answers = fc.oneof(
    fc.constantFrom<RailAnswer>(accepted, refused, unknown, exists, absent(false), absent(true), pending),
    fc
      .record({ confirmations: fc.integer({ min: 1, max: 4 }), ok: fc.boolean() })
      .map(({ confirmations, ok }) => mined(confirmations, ok)),
  );
  const proofs = fc.constantFrom(chain, provider, forgetful, vague);

  it('publishes events in an order that the order machine accepts, and moves money once', () => {
    // Tests which event may follow which: the rows of the order machine.
    const after: Readonly<Record<string, readonly string[]>> = {
      send: ['accepted', 'refused', 'unknown'],
      unknown: ['found', 'absent', 'resend', 'dedupe_over'],
      dedupe_over: ['found', 'absent'],
      resend: ['accepted', 'refused', 'unknown'],
      accepted: ['progress', 'final', 'vanished', 'returned'],
      found: ['progress', 'final', 'vanished', 'returned'],
      progress: ['progress', 'final', 'vanished', 'returned'],
      vanished: ['progress', 'final', 'vanished', 'returned'],
      final: ['returned'],
      refused: [],
      absent: [],
      returned: [],
    };
    fc.assert(
      fc.property(
        fc.array(fc.tuple(answers, fc.integer({ min: 0, max: 40 })), { maxLength: 25 }),
        proofs,
        (conversation, proof) => {
          let one = attempt({ storedAt: NOW });
          let mine = payout();
          let now = NOW;
          const reported = ['send'];
          let fees = 0n;
          for (const [answer, minutes] of conversation) {
            now = new Date(now.getTime() + minutes * 60_000);
            const made = step(one, [mine], answer, terms({ now, proof }));
            for (const { event } of made.payouts[0]?.events ?? []) {
              assert.ok(after[reported.at(-1) ?? '']?.includes(event), `${event} after ${reported.join()}`);
              reported.push(event);
            }
            for (const moved of made.money) if ('parts' in moved) fees += moved.what === 'fee' ? moved.parts : -moved.parts;
            assert.ok(fees === 0n || fees === 1_000n, 'the fee is posted once, and back at most once');
            one = made.attempt;
            mine = made.payouts[0]?.payout ?? mine;
            if (one.endedAt) break;
          }
          if (proof !== provider) assert.ok(!reported.includes('resend'));
          // Without proof nothing ends as absent; a refusal is definite only as the first answer.
          if (proof !== chain) assert.ok(!reported.includes('absent'), reported.join());
          if (proof !== chain && reported.includes('refused')) assert.deepEqual(reported, ['send', 'refused']);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
