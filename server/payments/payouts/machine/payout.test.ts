import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Answer, type Payout, type SendAttempt, type StepTerms, step } from './payout.ts';
import {
  NOW,
  absent,
  accepted,
  ago,
  attempt,
  chain,
  exists,
  forgetful,
  found,
  mined,
  payout,
  pending,
  provider,
  refused,
  terms,
  unknown,
  vague,
} from './payout.testing.ts';

/** `attempt status | payout status | events | money | again` after one answer. */
function outcome(a: Partial<SendAttempt>, p: Partial<Payout>, answer: Answer, t: Partial<StepTerms> = {}): string {
  const made = step(attempt(a), [payout(p)], answer, terms(t));
  const [first] = made.payouts;
  return [
    made.attempt.status,
    first?.payout.status,
    first?.events.map(({ event }) => event).join() ?? '',
    made.money.map((moved) => ('parts' in moved ? `${moved.what} ${moved.parts}` : moved.what)).join(),
    made.sendAgain ? 'again' : '',
  ].join(' | ');
}

describe('what an answer does to an attempt and its payout', () => {
  const out = { status: 'sent', acceptedAt: ago(1), feePosted: true } as const;
  const failed = { status: 'failed' } as const;
  const doubt = { status: 'doubtful', lastSentAt: ago(1) } as const;
  const ended = { status: 'refused', isFrozen: true, lastSentAt: ago(9), endedAt: ago(5) } as const;
  const cases: readonly (readonly [string, Partial<SendAttempt>, Partial<Payout>, Answer, Partial<StepTerms>, string])[] = [
    ['accepted', {}, {}, accepted, {}, 'sent | sent | accepted | left,fee 1000 | '],
    ['accepted again', out, { status: 'sent' }, accepted, {}, 'sent | sent |  |  | '],
    ['gas is not known when it is sent', { feeKnown: 'mined' }, {}, accepted, {}, 'sent | sent | accepted | left | '],
    ['a chain’s refusal is not believed alone', {}, {}, refused, {}, 'doubtful | sending |  |  | '],
    ['a provider’s refusal is', {}, {}, refused, { proof: provider }, 'refused | failed | refused |  | '],
    ['but not of what it was asked before', doubt, {}, refused, { proof: provider }, 'doubtful | in_doubt | unknown |  | '],
    ['unclear on a chain: no doubt', {}, {}, unknown, {}, 'doubtful | sending |  |  | '],
    [
      'unclear for over an hour: told, so that people may decide',
      { storedAt: ago(61) },
      {},
      unknown,
      {},
      'doubtful | in_doubt | unknown |  | ',
    ],
    ['unclear at a provider', {}, {}, unknown, { proof: provider }, 'doubtful | in_doubt | unknown |  | '],
    ['unclear, but it had been accepted', out, { status: 'sent' }, unknown, {}, 'sent | sent |  |  | '],
    ['found waiting', doubt, {}, pending, {}, 'sent | sent | accepted | left,fee 1000 | '],
    [
      'found when in doubt',
      doubt,
      { status: 'in_doubt' },
      found({ outcome: 'pending', txid: 't' }),
      {},
      'sent | sent | found | left,fee 1000 | ',
    ],
    ['mined, not deep', out, { status: 'sent' }, mined(1), {}, 'sent | sent | progress |  | '],
    [
      'the same depth again',
      { ...out, confirmations: 1 },
      { status: 'sent', confirmations: 1 },
      mined(1),
      {},
      'sent | sent |  |  | ',
    ],
    ['mined and deep', out, { status: 'sent' }, mined(2), {}, 'final | final | final | arrived | '],
    [
      'mined before we knew it was out',
      { feeKnown: 'mined' },
      {},
      mined(2),
      {},
      'final | final | accepted,final | left,fee 700,arrived | ',
    ],
    [
      'reverted, not deep: a reorg may still make it happen',
      out,
      { status: 'sent' },
      mined(1, false),
      {},
      'sent | sent |  |  | ',
    ],
    [
      'reverted, as deep as its sum asks: sent anew it could happen twice',
      out,
      { status: 'sent' },
      mined(2, false),
      {},
      'sent | sent |  |  | ',
    ],
    ['reverted, beyond every reorg', out, { status: 'sent' }, mined(102, false), {}, 'final | failed | returned | back | '],
    [
      'given back with its fee by a provider, after it was done',
      { ...out, status: 'final', feeKnown: 'mined', fee: 700n },
      { status: 'final' },
      found({ outcome: 'mined', txid: 't', height: 0, confirmations: 2, finalised: true, ok: false, fee: 0n }),
      { proof: forgetful, follow: 0 },
      'final | failed | returned | fee_back 700,back | ',
    ],
    [
      'mined again at another price',
      { ...out, feeKnown: 'mined', fee: 1_000n },
      { status: 'sent' },
      mined(1),
      {},
      'sent | sent | progress | fee_back 300 | ',
    ],
    ['gone from the chain', out, { status: 'sent' }, absent(false), {}, 'sent | sent | vanished |  | again'],
    ['still gone', { ...out, missingSince: ago(1) }, { status: 'sent' }, absent(false), {}, 'sent | sent |  |  | again'],
    ['gone while a switch is off', out, { status: 'sent' }, absent(false), { maySend: false }, 'sent | sent | vanished |  | '],
    [
      'gone after it was final',
      { ...out, status: 'final' },
      { status: 'final' },
      absent(false),
      {},
      'final | final |  |  | again',
    ],
    ['ruled out before it was accepted', doubt, {}, absent(true), {}, 'absent | failed | refused |  | '],
    ['ruled out when in doubt', doubt, { status: 'in_doubt' }, absent(true), {}, 'absent | failed | absent |  | '],
    [
      'ruled out after it was accepted',
      out,
      { status: 'sent' },
      absent(true),
      {},
      'absent | failed | returned | fee_back 1000,back | ',
    ],
    [
      'ruled out after it was final',
      { ...out, status: 'final' },
      { status: 'final' },
      absent(true),
      {},
      'absent | failed | returned | fee_back 1000 | ',
    ],
    [
      'ruled out by its own replacement',
      out,
      { status: 'sent' },
      absent(true),
      { hasRival: true },
      'replaced | sent |  | fee_back 1000 | ',
    ],
    [
      'the replaced one wins',
      { ...out, status: 'replaced' },
      { status: 'sent' },
      mined(2),
      {},
      'final | final | final | arrived | ',
    ],
    [
      'given up for another, which may still happen',
      { ...out, status: 'replaced' },
      { status: 'sent' },
      absent(false),
      { hasRival: true },
      'replaced | sent |  |  | ',
    ],
    [
      'given up for another that never can: out again, and told as gone',
      { ...out, status: 'replaced' },
      { status: 'sent' },
      absent(false),
      {},
      'sent | sent | vanished |  | again',
    ],
    [
      'given up for another, both ruled out',
      { ...out, status: 'replaced' },
      { status: 'sent' },
      absent(true),
      {},
      'absent | failed | returned | fee_back 1000,back | ',
    ],
    [
      'the other, which never was accepted, is ruled out last',
      { ...doubt, isReplacement: true },
      { status: 'sent' },
      absent(true),
      {},
      'absent | failed | returned | back | ',
    ],
    [
      'not there at a provider, in the window',
      doubt,
      { status: 'in_doubt' },
      absent(false),
      { proof: provider },
      'doubtful | sending | resend |  | again',
    ],
    [
      'in the window while a switch is off',
      doubt,
      { status: 'in_doubt' },
      absent(false),
      { proof: provider, maySend: false },
      'doubtful | in_doubt |  |  | ',
    ],
    ['after a crash at a provider', {}, {}, absent(false), { proof: provider }, 'doubtful | sending | unknown,resend |  | again'],
    [
      'beyond 80 % of the window',
      { ...doubt, storedAt: ago(48), lastSentAt: ago(20) },
      { status: 'in_doubt' },
      absent(false),
      { proof: provider },
      'doubtful | in_doubt | dedupe_over |  | ',
    ],
    ['frozen by people, on a chain', { ...doubt, isFrozen: true }, {}, absent(false), {}, 'doubtful | sending |  |  | '],
    [
      'frozen by people, in the window',
      { ...doubt, isFrozen: true },
      { status: 'in_doubt' },
      absent(false),
      { proof: provider },
      'doubtful | in_doubt |  |  | ',
    ],
    [
      'told once',
      { ...doubt, storedAt: ago(48), lastSentAt: ago(20) },
      { status: 'in_doubt', dedupeOver: true },
      absent(false),
      { proof: provider },
      'doubtful | in_doubt |  |  | ',
    ],
    [
      'beyond the window, however long ago: no time that passes proves that it was not sent',
      { ...doubt, storedAt: ago(70 * 24 * 60), lastSentAt: ago(70 * 24 * 60) },
      { status: 'in_doubt' },
      absent(false),
      { proof: provider },
      'doubtful | in_doubt | dedupe_over |  | ',
    ],
    [
      'a provider that shows only what there is can rule nothing out, whatever it says',
      doubt,
      { status: 'in_doubt' },
      absent(true),
      { proof: forgetful },
      'doubtful | in_doubt | dedupe_over |  | ',
    ],
    ['the reference was used: there is something', {}, {}, exists, { proof: provider }, 'doubtful | in_doubt | unknown |  | '],
    ['a no after that means nothing', { isKnown: true }, {}, refused, { proof: provider }, 'doubtful | in_doubt | unknown |  | '],
    [
      'used, and shown by the look-up',
      { ...doubt, isKnown: true },
      { status: 'in_doubt' },
      pending,
      { proof: provider },
      'sent | sent | found | left,fee 1000 | ',
    ],
    [
      'what is shown where nothing is proven',
      doubt,
      { status: 'in_doubt' },
      mined(1),
      { proof: vague },
      'doubtful | in_doubt | dedupe_over |  | ',
    ],
    [
      'people said no, and it turns up',
      ended,
      failed,
      pending,
      { proof: provider },
      'sent | failed | found_late | left,fee 1000 | ',
    ],
    [
      'turned up and done',
      ended,
      failed,
      mined(2),
      { proof: provider },
      'final | failed | found_late | left,fee 1000,arrived | ',
    ],
    [
      'an answer that comes after that',
      ended,
      failed,
      accepted,
      { proof: provider },
      'sent | failed | found_late | left,fee 1000 | ',
    ],
    ['turned up before: told once', out, { ...failed, foundLate: true }, mined(2), {}, 'final | failed |  | arrived | '],
    [
      'one that was ruled out is mined after all',
      { ...ended, status: 'absent' },
      failed,
      mined(1),
      {},
      'sent | failed | found_late | left,fee 1000 | ',
    ],
    [
      'one that was given up for another, too',
      { ...out, status: 'replaced' },
      failed,
      mined(1),
      {},
      'sent | failed | found_late |  | ',
    ],
    ['shown as undone, it is no find', ended, failed, mined(102, false), {}, 'final | failed |  | left,fee 1000,back | '],
    [
      'turned up, and came back',
      { ...out, status: 'final' },
      { ...failed, foundLate: true },
      mined(102, false),
      { proof: forgetful, follow: 0 },
      'final | failed | late_back | back | ',
    ],
    [
      'what is shown of what it told itself',
      out,
      { status: 'sent' },
      mined(2),
      { proof: vague },
      'final | final | final | arrived | ',
    ],
    [
      'an answer that comes after people said no',
      ended,
      { status: 'failed' },
      unknown,
      { proof: provider },
      'refused | failed |  |  | ',
    ],
    [
      'not there after people said no',
      ended,
      { status: 'failed' },
      absent(false),
      { proof: provider },
      'refused | failed |  |  | ',
    ],
    ['ruled out once more', { ...ended, status: 'absent' }, { status: 'failed' }, absent(true), {}, 'absent | failed |  |  | '],
    [
      'a provider forgets what it had accepted',
      out,
      { status: 'sent' },
      absent(false),
      { proof: provider },
      'sent | sent |  |  | ',
    ],
  ];
  for (const [name, a, p, answer, t, expected] of cases) it(name, () => assert.equal(outcome(a, p, answer, t), expected));
});

describe('any conversation', () => {
  const answers = fc.oneof(
    fc.constantFrom<Answer>(accepted, refused, unknown, exists, absent(false), absent(true), pending),
    fc
      .record({ confirmations: fc.integer({ min: 1, max: 4 }), ok: fc.boolean() })
      .map(({ confirmations, ok }) => mined(confirmations, ok)),
  );
  const proofs = fc.constantFrom(chain, provider, forgetful, vague);

  it('tells events in an order that the order machine accepts, and moves money once', () => {
    // Which event may follow which: the rows of the order machine.
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
          const told = ['send'];
          let fees = 0n;
          for (const [answer, minutes] of conversation) {
            now = new Date(now.getTime() + minutes * 60_000);
            const made = step(one, [mine], answer, terms({ now, proof }));
            for (const { event } of made.payouts[0]?.events ?? []) {
              assert.ok(after[told.at(-1) ?? '']?.includes(event), `${event} after ${told.join()}`);
              told.push(event);
            }
            for (const moved of made.money) if ('parts' in moved) fees += moved.what === 'fee' ? moved.parts : -moved.parts;
            assert.ok(fees === 0n || fees === 1_000n, 'the fee is posted once, and back at most once');
            one = made.attempt;
            mine = made.payouts[0]?.payout ?? mine;
            if (one.endedAt) break;
          }
          if (proof !== provider) assert.ok(!told.includes('resend'));
          // Without proof nothing ends as absent; a definite no counts only as the first word.
          if (proof !== chain) assert.ok(!told.includes('absent'), told.join());
          if (proof !== chain && told.includes('refused')) assert.deepEqual(told, ['send', 'refused']);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
