// Tests how long a doubt is repeated, and how long an ended send is looked up: days of a rail's answers, in a moment.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Proof } from '../../rails/rail.ts';
import { step } from '../payouts/machine/payout.ts';
import {
  NOW,
  absent,
  ago,
  attempt,
  chain,
  forgetful,
  payout,
  provider,
  terms,
  unknown,
} from '../payouts/machine/payout.testing.ts';

describe('over days', () => {
  /** Returns the minutes after which the same reference is sent again, if nothing is ever found. */
  function resends(proof: Proof, days: number): number[] {
    let one = attempt({ status: 'doubtful', storedAt: NOW, lastSentAt: NOW });
    let mine = payout({ status: 'in_doubt' });
    const sentAt: number[] = [];
    for (let ms = 0; ms <= days * 24 * 60 * 60_000;) {
      const now = new Date(NOW.getTime() + ms);
      const made = step(one, [mine], absent(false), terms({ now, proof }));
      assert.notEqual(made.attempt.status, 'absent', `given up after ${ms} ms`);
      [one, mine] = [made.attempt, made.payouts[0]?.payout ?? mine];
      if (made.isSentAgain) {
        sentAt.push(ms / 60_000);
        const answered = step(one, [mine], unknown, terms({ now, proof }));
        [one, mine] = [answered.attempt, answered.payouts[0]?.payout ?? mine];
      }
      assert.ok(made.nextPoll !== null && made.nextPoll <= 60 * 60_000, 'a doubt is looked up for ever, at least once an hour');
      ms += made.nextPoll;
    }
    return sentAt;
  }

  it('is repeated less and less often over 80 % of the window, and never after', () => {
    const hour = resends(provider, 2);
    assert.ok(hour.length >= 5 && hour.length <= 7, hour.join());
    assert.ok((hour.at(-1) ?? 0) < 48 && (hour.at(-1) ?? 0) > 20, hour.join());
    const month = resends({ lookUp: 'presence', dedupeMinutes: 30 * 24 * 60 }, 60);
    const last = (month.at(-1) ?? 0) / 24 / 60;
    assert.ok(last > 22 && last < 24, `the last after ${last} days`);
    assert.ok(month.length < 45, `${month.length} sends`);
    assert.deepEqual(resends(forgetful, 60), []);
  });

  it('an ended send is looked up for a month, or as long as its provider recognises the reference', () => {
    const polls = (proof: Proof, status: 'refused' | 'absent'): number => {
      for (let ms = 0; ;) {
        const now = new Date(NOW.getTime() + ms);
        const { nextPoll } = step(
          attempt({ status, endedAt: NOW, storedAt: ago(900) }),
          [],
          absent(false),
          terms({ now, proof }),
        );
        if (nextPoll === null) return ms / 24 / 60 / 60_000;
        ms += nextPoll;
      }
    };
    assert.equal(Math.round(polls(provider, 'refused')), 30);
    assert.equal(Math.round(polls(chain, 'absent')), 30);
    assert.equal(Math.round(polls({ lookUp: 'presence', dedupeMinutes: 45 * 24 * 60 }, 'refused')), 45);
  });
});
