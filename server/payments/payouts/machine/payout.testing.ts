// Attempts, payouts and answers of rails as plain values, for tests of `step`.

import type { Found, Proof, Sent } from '../../../rails/rail.ts';
import type { RailAnswer, Payout, SendAttempt, StepTerms } from './payout.ts';

export const NOW = new Date(Date.UTC(2026, 10, 20, 12));
export const ago = (minutes: number): Date => new Date(NOW.getTime() - minutes * 60_000);

export const chain: Proof = { lookUp: 'presence and absence', dedupeMinutes: 0 };
export const provider: Proof = { lookUp: 'presence', dedupeMinutes: 60 };
export const forgetful: Proof = { lookUp: 'presence', dedupeMinutes: 0 };
export const vague: Proof = { lookUp: 'nothing', dedupeMinutes: 0 };

export const attempt = (given: Partial<SendAttempt> = {}): SendAttempt => ({
  id: 'a',
  purpose: 'payout',
  status: 'stored',
  feeKnown: 'sent',
  isFeePosted: false,
  fee: 1_000n,
  isReplacement: false,
  isFrozen: false,
  isKnown: false,
  txid: null,
  height: null,
  confirmations: 0,
  tries: 0,
  storedAt: ago(1),
  lastSentAt: null,
  acceptedAt: null,
  missingSince: null,
  endedAt: null,
  ...given,
});

export const payout = (given: Partial<Payout> = {}): Payout => ({
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
  isDedupeOver: false,
  isFoundLate: false,
  ...given,
});

export const terms = (given: Partial<StepTerms> = {}): StepTerms => ({
  now: NOW,
  proof: chain,
  maySend: true,
  hasRival: false,
  depthOf: () => ({ confirmations: 2, isFinalised: false }),
  follow: 100,
  ...given,
});

export const sent = (said: Sent): RailAnswer => ({ of: 'send', said });
export const found = (said: Found): RailAnswer => ({ of: 'find', said });
export const mined = (confirmations: number, ok = true): RailAnswer =>
  found({ outcome: 'mined', txid: 't', height: 9, confirmations, isFinalised: false, ok, fee: 700n });
export const absent = (isConclusive: boolean): RailAnswer => found({ outcome: 'absent', isConclusive });
export const accepted = sent({ outcome: 'accepted', txid: 't' });
export const refused = sent({ outcome: 'refused', reason: 'no' });
export const unknown = sent({ outcome: 'unknown', reason: 'no answer' });
export const exists = sent({ outcome: 'exists', reason: 'used' });
export const pending = found({ outcome: 'pending', txid: 't' });
