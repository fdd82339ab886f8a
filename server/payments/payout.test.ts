import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Found, Sent } from '../rails/rail.ts';
import { type Answer, type Payout, type SendAttempt, type StepTerms, step } from './payout.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const ago = (minutes: number): Date => new Date(NOW.getTime() - minutes * 60_000);

const attempt = (given: Partial<SendAttempt> = {}): SendAttempt => ({
  id: 'a',
  purpose: 'payout',
  status: 'stored',
  feeKnown: 'sent',
  feePosted: false,
  fee: 1_000n,
  isReplacement: false,
  isFrozen: false,
  txid: null,
  height: null,
  confirmations: 0,
  tries: 0,
  storedAt: ago(1),
  lastSentAt: null,
  acceptedAt: null,
  missingSince: null,
  ...given,
});

const payout = (given: Partial<Payout> = {}): Payout => ({
  id: 'p',
  owner: { kind: 'order', id: 'o' },
  purpose: 'payout',
  currency: 'BTC',
  unit: 'BTC',
  parts: 1n,
  status: 'sending',
  attemptId: 'a',
  txid: null,
  reason: null,
  confirmations: 0,
  dedupeOver: false,
  ...given,
});

const terms = (given: Partial<StepTerms> = {}): StepTerms => ({
  now: NOW,
  doubt: 'always',
  maySend: true,
  hasRival: false,
  depthOf: () => ({ confirmations: 2, finalised: false }),
  follow: 100,
  ...given,
});

const sent = (said: Sent): Answer => ({ of: 'send', said });
const found = (said: Found): Answer => ({ of: 'find', said });
const mined = (confirmations: number, ok = true): Answer =>
  found({ outcome: 'mined', txid: 't', height: 9, confirmations, finalised: false, ok, fee: 700n });
const absent = (conclusive: boolean): Answer => found({ outcome: 'absent', conclusive });
const accepted = sent({ outcome: 'accepted', txid: 't' });
const refused = sent({ outcome: 'refused', reason: 'no' });
const unknown = sent({ outcome: 'unknown', reason: 'no answer' });
const provider = { dedupeMs: 60 * 60_000, settleMs: 30 * 60_000 };

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
  const doubt = { status: 'doubtful', lastSentAt: ago(1) } as const;
  const cases: readonly (readonly [string, Partial<SendAttempt>, Partial<Payout>, Answer, Partial<StepTerms>, string])[] = [
    ['accepted', {}, {}, accepted, {}, 'sent | sent | accepted | left,fee 1000 | '],
    ['accepted again', out, { status: 'sent' }, accepted, {}, 'sent | sent |  |  | '],
    ['gas is not known when it is sent', { feeKnown: 'mined' }, {}, accepted, {}, 'sent | sent | accepted | left | '],
    ['a chain’s refusal is not believed alone', {}, {}, refused, {}, 'doubtful | sending |  |  | '],
    ['a provider’s refusal is', {}, {}, refused, { doubt: provider }, 'refused | failed | refused |  | '],
    ['but not of what it was asked before', doubt, {}, refused, { doubt: provider }, 'doubtful | in_doubt | unknown |  | '],
    ['unclear on a chain: no doubt', {}, {}, unknown, {}, 'doubtful | sending |  |  | '],
    [
      'unclear for over an hour: told, so that people may decide',
      { storedAt: ago(61) },
      {},
      unknown,
      {},
      'doubtful | in_doubt | unknown |  | ',
    ],
    ['unclear at a provider', {}, {}, unknown, { doubt: provider }, 'doubtful | in_doubt | unknown |  | '],
    ['unclear, but it had been accepted', out, { status: 'sent' }, unknown, {}, 'sent | sent |  |  | '],
    ['found waiting', doubt, {}, found({ outcome: 'pending', txid: 't' }), {}, 'sent | sent | accepted | left,fee 1000 | '],
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
      { doubt: { dedupeMs: 0, settleMs: 0 }, follow: 0 },
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
      { doubt: provider },
      'doubtful | sending | resend |  | again',
    ],
    [
      'in the window while a switch is off',
      doubt,
      { status: 'in_doubt' },
      absent(false),
      { doubt: provider, maySend: false },
      'doubtful | in_doubt |  |  | ',
    ],
    ['after a crash at a provider', {}, {}, absent(false), { doubt: provider }, 'doubtful | sending | unknown,resend |  | again'],
    [
      'beyond 80 % of the window',
      { ...doubt, storedAt: ago(48), lastSentAt: ago(20) },
      { status: 'in_doubt' },
      absent(false),
      { doubt: provider },
      'doubtful | in_doubt | dedupe_over |  | ',
    ],
    ['frozen by people, on a chain', { ...doubt, isFrozen: true }, {}, absent(false), {}, 'doubtful | sending |  |  | '],
    [
      'frozen by people, in the window',
      { ...doubt, isFrozen: true },
      { status: 'in_doubt' },
      absent(false),
      { doubt: provider },
      'doubtful | in_doubt |  |  | ',
    ],
    [
      'told once',
      { ...doubt, storedAt: ago(48), lastSentAt: ago(20) },
      { status: 'in_doubt', dedupeOver: true },
      absent(false),
      { doubt: provider },
      'doubtful | in_doubt |  |  | ',
    ],
    [
      'beyond the window, settled',
      { ...doubt, storedAt: ago(70), lastSentAt: ago(30) },
      { status: 'in_doubt' },
      absent(false),
      { doubt: provider },
      'absent | failed | absent |  | ',
    ],
    [
      'a provider forgets what it had accepted',
      out,
      { status: 'sent' },
      absent(false),
      { doubt: provider },
      'sent | sent |  |  | ',
    ],
  ];
  for (const [name, a, p, answer, t, expected] of cases) it(name, () => assert.equal(outcome(a, p, answer, t), expected));

  it('is sent at most five more times inside the window', () => {
    assert.match(outcome({ status: 'doubtful', tries: 4 }, { status: 'in_doubt' }, absent(false), { doubt: provider }), /resend/);
    assert.doesNotMatch(
      outcome({ status: 'doubtful', tries: 5 }, { status: 'in_doubt' }, absent(false), { doubt: provider }),
      /resend/,
    );
  });
});

describe('any conversation', () => {
  const answers = fc.oneof(
    fc.constantFrom<Answer>(accepted, refused, unknown, absent(false), absent(true), found({ outcome: 'pending', txid: 't' })),
    fc
      .record({ confirmations: fc.integer({ min: 1, max: 4 }), ok: fc.boolean() })
      .map(({ confirmations, ok }) => mined(confirmations, ok)),
  );
  const doubts = fc.constantFrom<StepTerms['doubt']>('always', provider, { dedupeMs: 0, settleMs: 60_000 });

  it('tells events in an order that the order machine accepts, and moves money once', () => {
    // Which event may follow which: the machine's rows of money.md §3.
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
        doubts,
        (conversation, doubt) => {
          let one = attempt({ storedAt: NOW });
          let mine = payout();
          let now = NOW;
          const told = ['send'];
          let fees = 0n;
          for (const [answer, minutes] of conversation) {
            now = new Date(now.getTime() + minutes * 60_000);
            const made = step(one, [mine], answer, terms({ now, doubt }));
            for (const { event } of made.payouts[0]?.events ?? []) {
              assert.ok(after[told.at(-1) ?? '']?.includes(event), `${event} after ${told.join()}`);
              told.push(event);
            }
            for (const moved of made.money) if ('parts' in moved) fees += moved.what === 'fee' ? moved.parts : -moved.parts;
            assert.ok(fees === 0n || fees === 1_000n, 'the fee is posted once, and back at most once');
            one = made.attempt;
            mine = made.payouts[0]?.payout ?? mine;
            if (made.nextLook === null) break;
          }
          if (doubt !== 'always' && doubt.dedupeMs === 0) assert.ok(!told.includes('resend'));
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
