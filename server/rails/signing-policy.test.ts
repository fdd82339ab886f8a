import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ApprovedPayout, type Question, type SignedEntry, check, totalLeaving } from './signing-policy.ts';
import type { ReadOutput } from './signer.ts';

const A: ApprovedPayout = {
  id: 'A',
  rail: 'chain',
  currency: 'COIN',
  to: { address: 'alice' },
  parts: 100n,
  status: 'preparing',
};
const B: ApprovedPayout = { ...A, id: 'B', to: { address: 'bob' }, parts: 70n };
const toA: ReadOutput = { currency: 'COIN', to: 'alice', parts: 100n };
const toB: ReadOutput = { currency: 'COIN', to: 'bob', parts: 70n };
const change: ReadOutput = { currency: 'COIN', to: 'us', parts: 900n, own: 'change' };

interface Case {
  outputs?: readonly ReadOutput[];
  spends?: readonly string[];
  fee?: bigint;
  requested?: readonly string[];
  purpose?: 'payout' | 'fuel' | 'sweep';
  payouts?: readonly ApprovedPayout[];
  related?: readonly SignedEntry[];
  recent?: readonly SignedEntry[];
}

const entry = (payouts: readonly string[], spends: readonly string[], leaves = '100'): SignedEntry => ({
  at: '2026-01-01T00:00:00.000Z',
  rail: 'chain',
  txid: `tx of ${spends.join()}`,
  payouts,
  spends,
  raw: '0x',
  fee: { currency: 'COIN', parts: '1' },
  pays: [],
  leaves: { COIN: leaves },
});

function question(given: Case): Question {
  return {
    request: { rail: 'chain', purpose: given.purpose ?? 'payout', payouts: given.requested ?? ['A'] },
    reading: {
      outputs: given.outputs ?? [toA, change],
      spends: given.spends ?? ['x'],
      fee: { currency: 'COIN', parts: given.fee ?? 5n },
    },
    account: (payout) => payout.to['address'],
    payouts: new Map((given.payouts ?? [A, B]).map((payout) => [payout.id, payout])),
    related: given.related ?? [],
    recent: given.recent ?? given.related ?? [],
    limits: { daily: new Map([['COIN', 1000n]]), maxFee: 10n },
  };
}

const verdict = (given: Case): string => {
  const answer = check(question(given));
  return answer.ok ? 'ok' : answer.reason;
};

const status = (payout: ApprovedPayout, value: string): ApprovedPayout => ({ ...payout, status: value });

const CASES: readonly [string, Case, string][] = [
  ['one payout with change', {}, 'ok'],
  ['two payouts of one batch', { outputs: [toB, toA, change], requested: ['A', 'B'] }, 'ok'],
  ['two equal payouts', { outputs: [toA, toA], requested: ['A', 'C'], payouts: [A, { ...A, id: 'C' }] }, 'ok'],
  ['a replacement while it is sent', { payouts: [status(A, 'sent')], related: [entry(['A'], ['x'])] }, 'ok'],
  ['a child that spends our own change', { outputs: [change], requested: [], spends: ['y'] }, 'ok'],
  ['a sweep to ourselves', { outputs: [{ ...toA, to: 'us', own: 'hot' }], requested: [], purpose: 'sweep' }, 'ok'],

  ['a forged output beside a real one', { outputs: [toA, { ...toA, to: 'mallory' }] }, 'output_not_approved'],
  ['another account', { outputs: [{ ...toA, to: 'mallory' }] }, 'output_not_approved'],
  ['a larger sum', { outputs: [{ ...toA, parts: 101n }] }, 'output_not_approved'],
  ['a smaller sum', { outputs: [{ ...toA, parts: 99n }] }, 'output_not_approved'],
  ['another currency', { outputs: [{ ...toA, currency: 'GOLD' }] }, 'output_not_approved'],
  ['one payout paid twice in one transaction', { outputs: [toA, toA] }, 'output_not_approved'],
  ['a payout that it does not pay', { outputs: [toA], requested: ['A', 'B'] }, 'payout_not_paid'],
  ['a payout named twice', { outputs: [toA, toA], requested: ['A', 'A'] }, 'not_approved'],
  ['an unknown payout', { payouts: [] }, 'not_approved'],
  ['a payout of another rail', { payouts: [{ ...A, rail: 'other' }] }, 'not_approved'],
  ...['queued', 'stopped', 'failed', 'final', 'whatever'].map((word): [string, Case, string] => [
    `a payout that is ${word}`,
    { payouts: [status(A, word)] },
    'not_approved',
  ]),
  ['outputs to others in a sweep', { outputs: [toA], requested: [], purpose: 'sweep' }, 'not_our_own'],
  ['a payout in a fuel transaction', { outputs: [toA], purpose: 'fuel' }, 'not_our_own'],
  ['outputs to others without a payout', { outputs: [toA], requested: [] }, 'output_not_approved'],

  ['a fee above the cap', { fee: 11n }, 'fee_cap'],
  ['over the cap of the day', { recent: [entry(['Z'], ['z'], '896')] }, 'daily_cap'],
  ['just within the cap of the day', { recent: [entry(['Z'], ['z'], '895')] }, 'ok'],
  ['a currency without a cap', { outputs: [{ ...toA, currency: 'GOLD' }], payouts: [{ ...A, currency: 'GOLD' }] }, 'daily_cap'],
  ['a replacement counts once', { payouts: [status(A, 'sent')], related: [entry(['A'], ['x'], '950')] }, 'ok'],

  ['the same payout with another spend', { related: [entry(['A'], ['w'])] }, 'signed_before'],
  [
    'a spend shared with one earlier transaction, but not with another',
    { related: [entry(['A'], ['x', 'w']), entry(['A'], ['w'])] },
    'signed_before',
  ],
  [
    'spends shared with every earlier transaction',
    { spends: ['x', 'w'], related: [entry(['A'], ['x']), entry(['A'], ['w'])] },
    'ok',
  ],
  ['a spend of another, unfinished payout', { related: [entry(['B'], ['x'])] }, 'spend_taken'],
  [
    'a spend of another that is queued again',
    { payouts: [A, status(B, 'queued')], related: [entry(['B'], ['x'])] },
    'spend_taken',
  ],
  ['a batch that leaves one of its payouts out', { related: [entry(['A', 'B'], ['x'])] }, 'spend_taken'],
  ['a spend of a payout that was stopped', { payouts: [A, status(B, 'stopped')], related: [entry(['B'], ['x'])] }, 'ok'],
  ['an entry of another rail', { related: [{ ...entry(['A'], ['w']), rail: 'other' }] }, 'ok'],
];

for (const [words, given, expected] of CASES) {
  test(`${words}: ${expected}`, () => assert.equal(verdict(given), expected));
}

test('a refused second signature names the spends of the first one', () => {
  const answer = check(question({ related: [entry(['A'], ['w'])] }));
  assert.ok(!answer.ok);
  assert.deepEqual(answer.spends, ['w']);
});

test('counts outputs to others and the fee as leaving', () => {
  const answer = check(question({ outputs: [toA, change] }));
  assert.deepEqual(answer, { ok: true, leaves: { COIN: '105' } });
});

test('counts only the largest of transactions that exclude each other, by currency', () => {
  const given = [
    entry(['A'], ['x'], '100'),
    entry(['A'], ['x', 'y'], '120'),
    entry(['B'], ['z'], '7'),
    { ...entry([], ['x'], '40'), rail: 'other' },
  ];
  assert.deepEqual(totalLeaving(given), new Map([['COIN', 167n]]));
});

test('counts the ends of a chain of shared spends apart, since both can be mined', () => {
  const chain = [entry(['A'], ['x']), entry(['A'], ['x', 'y']), entry(['A'], ['y', 'z']), entry(['B'], ['z'])];
  assert.deepEqual(totalLeaving(chain), new Map([['COIN', 200n]]));
});

test('never counts less than transactions without a shared spend can take', () => {
  const spends = fc.uniqueArray(fc.constantFrom('v', 'w', 'x', 'y', 'z'), { minLength: 1 });
  const entries = fc.array(fc.tuple(spends, fc.integer({ min: 1, max: 100 })), { maxLength: 8 });
  fc.assert(
    fc.property(entries, (list) => {
      const given = list.map(([used, parts]) => entry(['A'], used, `${parts}`));
      assert.ok((totalLeaving(given).get('COIN') ?? 0n) >= mostMined(given));
    }),
  );
});

/** Returns the largest amount of transactions that share no spend, found by trying all of them. */
function mostMined([first, ...rest]: readonly SignedEntry[]): bigint {
  if (!first) return 0n;
  const beside = rest.filter(({ spends }) => !spends.some((spend) => first.spends.includes(spend)));
  const [without, including] = [mostMined(rest), BigInt(first.leaves['COIN'] ?? '0') + mostMined(beside)];
  return without > including ? without : including;
}
