import type { Found, Sent } from '../rails/rail.ts';
import type { PayoutBody, PayoutEvent, PayoutPurpose } from './facts.ts';
import { type Depth, reaches } from './finality.ts';
import type { Owner } from './owner.ts';

/**
 * One sum to be sent. `queued`: nothing was signed, it can be stopped · `preparing`: taken, perhaps signed · `sending`: an
 * attempt is stored and perhaps out · `in_doubt`: no clear answer · `sent`: the rail has it · `final` ·
 * `failed`: it did not happen or came back · `stopped`: taken back while queued.
 */
export interface Payout {
  readonly id: string;
  readonly owner: Owner;
  readonly purpose: PayoutPurpose;
  readonly currency: string;
  readonly unit: string;
  readonly parts: bigint;
  readonly status: 'queued' | 'preparing' | 'sending' | 'in_doubt' | 'sent' | 'final' | 'failed' | 'stopped';
  readonly attemptId: string | null;
  readonly txid: string | null;
  readonly reason: string | null;
  readonly confirmations: number;
  readonly dedupeOver: boolean;
}

/**
 * One signed send. `stored`: kept, perhaps out · `doubtful`: sent without a clear answer · `sent` · `final` ·
 * `refused`: a definite no · `absent`: can never happen any more · `replaced`: another spends the same, or did.
 */
export interface SendAttempt {
  readonly id: string;
  readonly purpose: 'payout' | 'fuel' | 'collect';
  readonly status: 'stored' | 'doubtful' | 'sent' | 'final' | 'refused' | 'absent' | 'replaced';
  /** The network's fee is known when it is sent (inputs less outputs), or only when it is mined (gas used). */
  readonly feeKnown: 'sent' | 'mined';
  readonly feePosted: boolean;
  readonly fee: bigint;
  /** It was made in place of another that spends the same. */
  readonly isReplacement: boolean;
  /** People have decided one of its payouts as not sent: its bytes never go out again. */
  readonly isFrozen: boolean;
  readonly txid: string | null;
  readonly height: number | null;
  readonly confirmations: number;
  readonly tries: number;
  readonly storedAt: Date;
  readonly lastSentAt: Date | null;
  readonly acceptedAt: Date | null;
  readonly missingSince: Date | null;
}

/** What the rail answered: to a send, or to a look-up. */
export type Answer = { readonly of: 'send'; readonly said: Sent } | { readonly of: 'find'; readonly said: Found };

export interface StepTerms {
  readonly now: Date;
  /** `always`: the same bytes can happen only once, whenever they are sent. Else milliseconds of the rail's promises. */
  readonly doubt: 'always' | { readonly dedupeMs: number; readonly settleMs: number };
  readonly maySend: boolean;
  /** Another attempt that spends the same happened or still may: this one's absence proves nothing about its payouts. */
  readonly hasRival: boolean;
  /** The depth asked of each payout by its sum, and of the whole attempt. */
  readonly depthOf: (payout: Payout | undefined) => Depth;
  /** Confirmations after its depth for which a final attempt is still looked for. */
  readonly follow: number;
}

export interface PayoutChange {
  readonly payout: Payout;
  readonly events: readonly { readonly event: PayoutEvent; readonly extra?: Partial<PayoutBody> }[];
}

/** What of a step has to be posted: the fee now known, an accepted fee that never was, a sweep's leaving and arriving. */
export type Money =
  | { readonly what: 'fee' | 'fee_back'; readonly parts: bigint }
  | { readonly what: 'left' | 'arrived' | 'back' };

export interface Step {
  readonly attempt: SendAttempt;
  readonly payouts: readonly PayoutChange[];
  readonly money: readonly Money[];
  /** The same bytes are to go out again now. */
  readonly sendAgain: boolean;
  /** Milliseconds until the next look; null: nobody needs to look any more. */
  readonly nextLook: number | null;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** A chain that neither takes nor shows a transaction for so long is told as doubt, so that people may decide. */
const QUIET_DOUBT_MS = 60 * MINUTE;
/** Of a dedupe window only so much is used (A9). */
const DEDUPE_SHARE = { numerator: 4, denominator: 5 };
const MOST_RESENDS = 5;
/** So long what a provider has done is still looked at, at doubling intervals: some tell nobody when it comes back (O8). */
const RETURNS_MS = 30 * 24 * 60 * MINUTE;

const backoff = (tries: number): number => Math.min(5 * MINUTE, SECOND * 2 ** Math.min(tries, 9));

/** What an answer of the rail does to an attempt and its payouts. Pure; the caller stores all of it in one transaction. */
export function step(attempt: SendAttempt, payouts: readonly Payout[], { of, said }: Answer, terms: StepTerms): Step {
  const made = new Making(attempt, payouts, terms);
  if (of === 'send') made.sent(said as Sent);
  else made.found(said as Found);
  return made.result();
}

/** A step in the making; nobody else sees it. */
class Making {
  readonly #terms: StepTerms;
  #attempt: SendAttempt;
  #payouts: PayoutChange[];
  readonly #money: Money[] = [];
  #sendAgain = false;
  #nextLook: number | null = null;

  constructor(attempt: SendAttempt, payouts: readonly Payout[], terms: StepTerms) {
    this.#attempt = attempt;
    this.#payouts = payouts.map((payout) => ({ payout, events: [] }));
    this.#terms = terms;
  }

  result(): Step {
    return {
      attempt: this.#attempt,
      payouts: this.#payouts,
      money: this.#money,
      sendAgain: this.#sendAgain,
      nextLook: this.#nextLook,
    };
  }

  sent(said: Sent): void {
    const { now, doubt } = this.#terms;
    this.#set({ lastSentAt: now, tries: this.#attempt.tries + 1 });
    if (said.outcome === 'accepted') return this.#accept(said.txid);
    // A provider's "no" is definite to the first request alone: what it refuses again it may have done before, when its
    // answer was lost (for want of the very money that it has sent). The look-up decides about that.
    if (said.outcome === 'refused' && doubt !== 'always' && this.#attempt.status === 'stored') {
      return this.#fail('refused', said.reason, false);
    }
    // A chain's "no" is proof only once the look-up says that it can never happen: that is asked next.
    this.#nextLook = backoff(this.#attempt.tries);
    if (this.#isOut()) return;
    this.#set({ status: 'doubtful' });
    if (doubt !== 'always' || this.#isQuietTooLong()) this.#tellDoubt(said.reason);
  }

  found(said: Found): void {
    if (said.outcome === 'mined') return this.#mined(said);
    // What it gave way to can't happen any more: it is out again, alone.
    if (this.#attempt.status === 'replaced' && !this.#terms.hasRival) this.#set({ status: 'sent' });
    if (said.outcome === 'pending') {
      if (this.#attempt.status === 'replaced') return void (this.#nextLook = MINUTE);
      this.#set({ missingSince: null, height: null, confirmations: 0 });
      return this.#accept(said.txid);
    }
    if (said.conclusive) return this.#never();
    this.#absent();
  }

  #set(change: Partial<SendAttempt>): void {
    this.#attempt = { ...this.#attempt, ...change };
  }

  /** Changes the payouts that stand in one of these states and tells an event of each. */
  #each(
    from: readonly Payout['status'][],
    change: (payout: Payout) => Partial<Payout>,
    event?: PayoutEvent | ((payout: Payout) => PayoutEvent | undefined),
    extra: Partial<PayoutBody> = {},
  ): void {
    this.#payouts = this.#payouts.map((each) => {
      const { payout, events } = each;
      if (!from.includes(payout.status)) return each;
      const name = typeof event === 'function' ? event(payout) : event;
      return { payout: { ...payout, ...change(payout) }, events: name ? [...events, { event: name, extra }] : events };
    });
  }

  #isOut(): boolean {
    return this.#attempt.status === 'sent' || this.#attempt.status === 'final' || this.#attempt.status === 'replaced';
  }

  #accept(txid: string): void {
    this.#nextLook = this.#nextWait();
    if (this.#isOut()) return;
    if (!this.#attempt.acceptedAt && !this.#attempt.isReplacement) this.#money.push({ what: 'left' });
    this.#set({ status: 'sent', txid, acceptedAt: this.#attempt.acceptedAt ?? this.#terms.now, missingSince: null });
    if (this.#attempt.feeKnown === 'sent') this.#postFee(this.#attempt.fee);
    this.#take(txid);
  }

  /** A chain's next block comes soon; what a provider still waits for (a receiver who has to claim it) may take days. */
  #nextWait(): number {
    const age = this.#age();
    return this.#terms.doubt === 'always' ? 5 * SECOND : Math.max(5 * SECOND, Math.min(15 * MINUTE, age / 4));
  }

  /** Of what was done: a provider may give it back weeks later. */
  #lateWait(): number | null {
    const age = this.#age();
    return this.#terms.doubt === 'always' || age >= RETURNS_MS ? null : Math.max(60 * MINUTE, age);
  }

  #age(): number {
    return this.#terms.now.getTime() - this.#attempt.storedAt.getTime();
  }

  /** The payouts of an attempt that is out: sent. */
  #take(txid: string): void {
    this.#each(
      ['preparing', 'sending', 'in_doubt'],
      () => ({ status: 'sent', txid, attemptId: this.#attempt.id }),
      ({ status }) => (status === 'in_doubt' ? 'found' : 'accepted'),
      { txid },
    );
  }

  /** What it has cost: anew where the rail now says otherwise (mined again after a reorg, given back with the money). */
  #postFee(parts: bigint): void {
    const more = parts - (this.#attempt.feePosted ? this.#attempt.fee : 0n);
    if (more === 0n) return;
    this.#set({ feePosted: true, fee: parts });
    this.#money.push(more > 0n ? { what: 'fee', parts: more } : { what: 'fee_back', parts: -more });
  }

  #mined(said: Found & { outcome: 'mined' }): void {
    const before = this.#attempt;
    if (before.status === 'replaced' || before.status === 'absent' || before.status === 'refused') {
      // It was given up for another that spends the same, and won after all.
      this.#set({ status: 'stored' });
    }
    this.#accept(said.txid);
    if (this.#attempt.feeKnown === 'mined') this.#postFee(said.fee);
    const { height, confirmations, finalised } = said;
    this.#set({ height, confirmations, missingSince: null });
    if (said.ok) this.#confirm(said.txid, confirmations, finalised);
    const whole = this.#terms.depthOf(undefined);
    const isFollowed = confirmations < whole.confirmations + this.#terms.follow;
    // Mined once more after a reorg it could succeed, so only what is beyond every reorg may be paid anew.
    if (!said.ok) return finalised || !isFollowed ? this.#revert() : undefined;
    if (!reaches(whole, confirmations, finalised)) return;
    if (before.status !== 'final') {
      this.#set({ status: 'final' });
      this.#money.push({ what: 'arrived' });
    }
    this.#nextLook = isFollowed ? MINUTE : this.#lateWait();
  }

  #confirm(txid: string, confirmations: number, finalised: boolean): void {
    this.#payouts = this.#payouts.map((each) => {
      const { payout, events } = each;
      if (payout.status !== 'sent') return each;
      const depth = this.#terms.depthOf(payout);
      const isFinal = reaches(depth, confirmations, finalised);
      if (!isFinal && payout.confirmations === confirmations) return each;
      const event: PayoutEvent = isFinal ? 'final' : 'progress';
      return {
        payout: { ...payout, txid, attemptId: this.#attempt.id, confirmations, status: isFinal ? 'final' : 'sent' },
        events: [...events, { event, extra: { txid, confirmations, needed: depth.confirmations } }],
      };
    });
  }

  /** Mined without effect, beyond a reorg: the fee is spent, the money never left. */
  #revert(): void {
    this.#nextLook = null;
    this.#set({ status: 'final' });
    this.#money.push({ what: 'back' });
    this.#failPayouts('reverted', false);
  }

  /** It can never happen any more. */
  #never(): void {
    // A sweep that had arrived is only sent again; a payout whose final transaction lost against another is not out.
    if (this.#attempt.status === 'final' && this.#payouts.length === 0) return this.#absent();
    if (this.#attempt.feePosted && this.#attempt.fee > 0n) this.#money.push({ what: 'fee_back', parts: this.#attempt.fee });
    this.#set({ feePosted: false });
    if (this.#terms.hasRival) return this.#set({ status: 'replaced' });
    // The last of those that spend the same takes back what the first of them had taken along.
    if (this.#attempt.status === 'sent' || this.#attempt.isReplacement) this.#money.push({ what: 'back' });
    this.#fail('absent', 'another transaction spent the same', true);
  }

  /** A definite end without effect: the payouts fail, by the words that fit how far they had come. */
  #fail(status: 'refused' | 'absent', reason: string, passing: boolean): void {
    this.#set({ status });
    this.#nextLook = null;
    this.#failPayouts(reason, passing);
  }

  #failPayouts(reason: string, passing: boolean): void {
    const extra = { reason, ...(passing && { passing: true as const }) };
    const change = (): Partial<Payout> => ({ status: 'failed', reason });
    this.#each(['sent', 'final'], change, 'returned', extra);
    this.#each(['in_doubt'], change, 'absent', extra);
    this.#each(['preparing', 'sending'], change, 'refused', extra);
  }

  /** The look-up doesn't show it, which proves nothing by itself. */
  #absent(): void {
    const { now, doubt } = this.#terms;
    const { status, missingSince } = this.#attempt;
    if (status === 'replaced') return void (this.#nextLook = MINUTE);
    this.#nextLook = backoff(this.#attempt.tries);
    if (doubt === 'always') {
      this.#sendAgain = this.#maySend();
      if (status === 'sent' && !missingSince) this.#each(['sent'], () => ({ confirmations: 0 }), 'vanished');
      if (status === 'sent' || status === 'final') this.#set({ missingSince: missingSince ?? now, height: null });
      else if (this.#isQuietTooLong()) this.#tellDoubt('neither taken nor shown for an hour');
      return;
    }
    if (status === 'final') this.#nextLook = this.#lateWait();
    else if (status !== 'sent') this.#lookUpAgain(doubt);
  }

  /** A provider without a signed transaction: its settle time and its dedupe window decide (A9). */
  #lookUpAgain(doubt: { readonly dedupeMs: number; readonly settleMs: number }): void {
    const { now } = this.#terms;
    const { storedAt, lastSentAt, tries } = this.#attempt;
    this.#set({ status: 'doubtful' });
    this.#tellDoubt('not found yet');
    const inWindow = this.#age() * DEDUPE_SHARE.denominator < doubt.dedupeMs * DEDUPE_SHARE.numerator;
    if (inWindow && tries < MOST_RESENDS && !this.#attempt.isFrozen) {
      if (!this.#maySend()) return;
      this.#each(['in_doubt'], () => ({ status: 'sending' }), 'resend');
      this.#sendAgain = true;
      return;
    }
    if (now.getTime() - (lastSentAt ?? storedAt).getTime() >= doubt.settleMs) {
      return this.#fail('absent', 'not found after the settle time', true);
    }
    if (!inWindow)
      this.#each(
        ['in_doubt'],
        () => ({ dedupeOver: true }),
        (p) => (p.dedupeOver ? undefined : 'dedupe_over'),
      );
  }

  #maySend(): boolean {
    return this.#terms.maySend && !this.#attempt.isFrozen;
  }

  #isQuietTooLong(): boolean {
    return this.#terms.now.getTime() - this.#attempt.storedAt.getTime() >= QUIET_DOUBT_MS;
  }

  #tellDoubt(reason: string): void {
    this.#each(['sending'], () => ({ status: 'in_doubt', reason }), 'unknown', { reason });
  }
}
