import type { Found, Proof, Sent } from '../../../rails/rail.ts';
import type { PayoutBody, PayoutEvent, PayoutPurpose } from '../../rails/event-bodies.ts';
import { type Depth, decidingHeight, firstHeight, isTold, reaches } from '../../rails/finality.ts';
import type { Owner } from '../../rails/owner.ts';
import type { PayoutBooks } from '../rows/payout-accounts.ts';
import { type PayoutStatus, nextStatus } from './payout-machine.ts';
import { resendMinutes } from './resend.ts';
import { shortOf } from './returned-sends.ts';
import { DAY, HOUR, IN_BLOCK_MS, LATE_FIND_MS, MINUTE, QUIET_DOUBT_MS, RETURNS_MS, SECOND, backoff } from './waiting-times.ts';

/** One sum to be sent; its states stand in `payout-machine.ts`. */
export interface Payout {
  readonly id: string;
  readonly owner: Owner;
  readonly purpose: PayoutPurpose;
  readonly currency: string;
  readonly unit: string;
  readonly parts: bigint;
  readonly status: PayoutStatus;
  readonly attemptId: string | null;
  readonly txid: string | null;
  readonly reason: string | null;
  readonly confirmations: number;
  readonly dedupeOver: boolean;
  /** It failed, and what it was to send turned up as sent. */
  readonly foundLate: boolean;
  /** What payments posts of it; without any, its owner posts all of it. With the MAC that it was stored with. */
  readonly books?: PayoutBooks | undefined;
  readonly booksMac?: string | null;
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
  /** Its provider said that the reference was used: there is something, so it never ends as absent. */
  readonly isKnown: boolean;
  readonly txid: string | null;
  readonly height: number | null;
  readonly confirmations: number;
  readonly tries: number;
  readonly storedAt: Date;
  readonly lastSentAt: Date | null;
  readonly acceptedAt: Date | null;
  readonly missingSince: Date | null;
  /** When it was refused, ruled out, or decided by people as not sent. */
  readonly endedAt: Date | null;
}

/**
 * What the rail answered: to a send, or to a look-up. `by`: the transaction that rules the send out, where the rail names it.
 */
export type Answer = ({ readonly of: 'send'; readonly said: Sent } | { readonly of: 'find'; readonly said: Found }) & {
  readonly by?: string;
};

export interface StepTerms {
  readonly now: Date;
  /** What the rail can prove of this attempt. */
  readonly proof: Proof;
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
  /** The height of the chain from which on a look decides something; null: each block may. */
  readonly lookHeight: number | null;
}

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
  #lookHeight: number | null = null;

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
      lookHeight: this.#lookHeight,
    };
  }

  sent(said: Sent): void {
    this.#set({ lastSentAt: this.#terms.now, tries: this.#attempt.tries + 1 });
    if (said.outcome === 'accepted') return this.#accept(said.txid);
    if (said.outcome === 'exists') this.#set({ isKnown: true });
    // A provider's "no" is definite to the first request alone: what it refuses again it may have done before, when its
    // answer was lost (for want of the very money that it has sent). The look-up decides about that.
    if (said.outcome === 'refused' && !this.#happensOnce() && this.#attempt.status === 'stored' && !this.#attempt.isKnown) {
      return this.#fail('refused', said.reason, false);
    }
    if (this.#hasEnded()) return void (this.#nextLook = this.#endedWait());
    // A chain's "no" is proof only once the look-up says that it can never happen: that is asked next.
    this.#nextLook = this.#happensOnce() ? backoff(this.#attempt.tries) : this.#doubtWait();
    if (this.#isOut()) return;
    this.#set({ status: 'doubtful' });
    if (!this.#happensOnce() || this.#isQuietTooLong()) this.#tellDoubt(said.reason, said.outcome === 'exists');
  }

  found(said: Found): void {
    if (this.#provesNothing()) return this.#stayInDoubt('the look-up proves nothing here');
    if (said.outcome === 'mined') return this.#mined(said);
    if (this.#hasEnded() && said.outcome === 'absent') return void (this.#nextLook = this.#endedWait());
    // What it gave way to can't happen any more: it is out again, alone.
    if (this.#attempt.status === 'replaced' && !this.#terms.hasRival) this.#set({ status: 'sent' });
    if (said.outcome === 'pending') {
      if (this.#attempt.status === 'replaced') return void (this.#nextLook = MINUTE);
      this.#set({ missingSince: null, height: null, confirmations: 0 });
      return this.#accept(said.txid);
    }
    if (said.conclusive && this.#happensOnce()) return this.#never();
    this.#absent();
  }

  /** Whether the same bytes can happen only once, whenever they are sent: then a look-up can rule them out, too. */
  #happensOnce(): boolean {
    return this.#terms.proof.lookUp === 'presence and absence';
  }

  /** Whether what a look-up says means nothing: nobody told us that this was done, and what is shown may be another's. */
  #provesNothing(): boolean {
    return this.#terms.proof.lookUp === 'nothing' && !this.#attempt.acceptedAt;
  }

  /** It was ended as not sent, be it by its rail or by people. */
  #hasEnded(): boolean {
    return this.#attempt.status === 'refused' || this.#attempt.status === 'absent';
  }

  #set(change: Partial<SendAttempt>): void {
    this.#attempt = { ...this.#attempt, ...change };
  }

  /** Applies to each payout the first of these events that its state takes; payouts that take none stay as they are. */
  #happens(events: readonly PayoutEvent[], change: Partial<Payout> = {}, extra: Partial<PayoutBody> = {}): void {
    this.#payouts = this.#payouts.map((each) => {
      const event = events.find((one) => nextStatus(each.payout.status, one) !== undefined);
      if (event === undefined) return each;
      const status = nextStatus(each.payout.status, event) as PayoutStatus;
      return { payout: { ...each.payout, ...change, status }, events: [...each.events, { event, extra }] };
    });
  }

  #isOut(): boolean {
    return this.#attempt.status === 'sent' || this.#attempt.status === 'final' || this.#attempt.status === 'replaced';
  }

  /** `isGood`: it is shown as what it was to be, not as undone. */
  #accept(txid: string, isGood = true): void {
    this.#nextLook = this.#nextWait();
    if (isGood) this.#turnUp(txid);
    if (this.#isOut()) return;
    if (!this.#attempt.acceptedAt && !this.#attempt.isReplacement) this.#money.push({ what: 'left' });
    const acceptedAt = this.#attempt.acceptedAt ?? this.#terms.now;
    this.#set({ status: 'sent', txid, acceptedAt, missingSince: null, endedAt: null });
    if (this.#attempt.feeKnown === 'sent') this.#postFee(this.#attempt.fee);
    this.#take(txid);
  }

  /** A chain's next block comes soon; what a provider still waits for (a receiver who has to claim it) may take days. */
  #nextWait(): number {
    const age = this.#age();
    return this.#happensOnce() ? 5 * SECOND : Math.max(5 * SECOND, Math.min(15 * MINUTE, age / 4));
  }

  /** What is in doubt is looked at ever more seldom, and never given up. */
  #doubtWait(): number {
    return Math.max(5 * SECOND, Math.min(HOUR, this.#age() / 4));
  }

  /** What has ended may turn up: it is looked at for a month, or for as long as its provider knows the reference. */
  #endedWait(): number | null {
    const { now, proof } = this.#terms;
    const since = now.getTime() - (this.#attempt.endedAt ?? now).getTime();
    if (proof.lookUp === 'nothing' || since >= Math.max(LATE_FIND_MS, proof.dedupeMinutes * MINUTE)) return null;
    return Math.min(DAY, Math.max(HOUR, since));
  }

  /** A finished send: a provider may return it weeks later. */
  #lateWait(): number | null {
    const age = this.#age();
    return this.#happensOnce() || age >= RETURNS_MS ? null : Math.max(HOUR, age);
  }

  #age(): number {
    return this.#terms.now.getTime() - this.#attempt.storedAt.getTime();
  }

  /** The payouts of an attempt that is out: sent. */
  #take(txid: string): void {
    this.#happens(['found', 'accepted'], { txid, attemptId: this.#attempt.id }, { txid });
  }

  /** Payouts that had counted as not sent are sent after all: their money had gone back, so people have to look. */
  #turnUp(txid: string): void {
    this.#payouts = this.#payouts.map((each) => {
      const { payout, events } = each;
      if (nextStatus(payout.status, 'found_late') === undefined || payout.foundLate) return each;
      return { payout: { ...payout, foundLate: true }, events: [...events, { event: 'found_late', extra: { txid } }] };
    });
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
    if (before.status === 'replaced' || this.#hasEnded()) {
      // It was given up, for another that spends the same or for good, and happened after all.
      if (before.status === 'absent' && (before.acceptedAt || before.isReplacement)) this.#money.push({ what: 'left' });
      this.#set({ status: 'stored' });
    }
    this.#accept(said.txid, said.ok);
    if (this.#attempt.feeKnown === 'mined') this.#postFee(said.fee);
    const { height, confirmations, finalised } = said;
    this.#set({ height, confirmations, missingSince: null });
    if (said.ok) this.#confirm(said.txid, confirmations, finalised);
    const whole = this.#terms.depthOf(undefined);
    const isFollowed = confirmations < whole.confirmations + this.#terms.follow;
    // Mined once more after a reorg it could succeed, so only what is beyond every reorg may be paid anew.
    if (!said.ok) return finalised || !isFollowed ? this.#revert(said) : undefined;
    if (!reaches(whole, confirmations, finalised))
      return this.#happensOnce() ? this.#waitFor(whole, height, confirmations) : undefined;
    if (before.status !== 'final') {
      this.#set({ status: 'final' });
      this.#money.push({ what: 'arrived' });
    }
    this.#nextLook = isFollowed ? MINUTE : this.#lateWait();
  }

  /** It is in a block, and not as deep as is asked: the block that decides makes it due. */
  #waitFor(whole: Depth, height: number, confirmations: number): void {
    const open = this.#payouts.flatMap(({ payout }) => (payout.status === 'final' ? [] : this.#terms.depthOf(payout)));
    this.#lookHeight = firstHeight([whole, ...open].map((depth) => decidingHeight(height, confirmations, depth.confirmations)));
    if (this.#lookHeight !== null) this.#nextLook = IN_BLOCK_MS;
  }

  #confirm(txid: string, confirmations: number, finalised: boolean): void {
    this.#payouts = this.#payouts.map((each) => {
      const { payout, events } = each;
      const depth = this.#terms.depthOf(payout);
      const isFinal = reaches(depth, confirmations, finalised);
      const event: PayoutEvent = isFinal ? 'final' : 'progress';
      const status = nextStatus(payout.status, event);
      if (status === undefined || (!isFinal && !isTold(payout.confirmations, confirmations))) return each;
      return {
        payout: { ...payout, txid, attemptId: this.#attempt.id, confirmations, status },
        events: [...events, { event, extra: { txid, confirmations, needed: depth.confirmations } }],
      };
    });
  }

  /** Mined without effect, beyond a reorg: the fee is spent, the money never left. */
  #revert({ back }: Found & { outcome: 'mined' }): void {
    this.#nextLook = null;
    this.#set({ status: 'final' });
    this.#money.push({ what: 'back' });
    this.#failPayouts('reverted', false, back && shortOf(back));
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
  #fail(status: 'refused' | 'absent', reason: string, transient: boolean): void {
    this.#set({ status, endedAt: this.#terms.now });
    this.#nextLook = this.#endedWait();
    this.#failPayouts(reason, transient);
  }

  #failPayouts(reason: string, transient: boolean, short: Partial<PayoutBody> = {}): void {
    const extra = { reason, ...(transient && { passing: true as const }) };
    this.#happens(['returned'], { reason }, { ...extra, ...short });
    this.#happens(['absent', 'refused'], { reason }, extra);
    this.#payouts = this.#payouts.map((each) => {
      const { payout, events } = each;
      if (!payout.foundLate) return each;
      const back = { event: 'late_back', extra: { ...extra, ...short } } as const;
      return { payout: { ...payout, foundLate: false }, events: [...events, back] };
    });
  }

  /** The look-up doesn't show it, which proves nothing by itself. */
  #absent(): void {
    const { now } = this.#terms;
    const { status, missingSince } = this.#attempt;
    if (status === 'replaced') return void (this.#nextLook = MINUTE);
    this.#nextLook = this.#happensOnce() ? backoff(this.#attempt.tries) : this.#nextWait();
    if (this.#happensOnce()) {
      this.#sendAgain = this.#maySend();
      if (status === 'sent' && !missingSince) this.#happens(['vanished'], { confirmations: 0 });
      if (status === 'sent' || status === 'final') this.#set({ missingSince: missingSince ?? now, height: null });
      else if (this.#isQuietTooLong()) this.#tellDoubt('neither taken nor shown for an hour');
      return;
    }
    if (status === 'final') this.#nextLook = this.#lateWait();
    else if (status !== 'sent') this.#stayInDoubt('not found yet');
  }

  /**
   * A provider's doubt: no time that passes ends it. As long as the provider surely knows the reference the same is sent
   * again, ever more seldom: that is the question to which it tells the truth. After that only the look-up or people end it.
   */
  #stayInDoubt(reason: string): void {
    if (this.#hasEnded()) return void (this.#nextLook = this.#endedWait());
    this.#set({ status: 'doubtful' });
    this.#nextLook = this.#doubtWait();
    this.#tellDoubt(reason);
    if (this.#age() >= (resendMinutes(this.#terms.proof) ?? 0) * MINUTE) return this.#tellWindowOver();
    if (!this.#maySend() || !this.#isTimeToAsk()) return;
    this.#happens(['resend']);
    this.#sendAgain = true;
  }

  #tellWindowOver(): void {
    this.#payouts = this.#payouts.map((each) => {
      const { payout, events } = each;
      if (payout.dedupeOver || nextStatus(payout.status, 'dedupe_over') === undefined) return each;
      return { payout: { ...payout, dedupeOver: true }, events: [...events, { event: 'dedupe_over', extra: {} }] };
    });
  }

  /** The pauses between sends of the same reference double: from a minute to a day. */
  #isTimeToAsk(): boolean {
    const { storedAt, lastSentAt } = this.#attempt;
    const [since, last] = [storedAt.getTime(), (lastSentAt ?? storedAt).getTime()];
    return this.#terms.now.getTime() - last >= Math.min(DAY, Math.max(MINUTE, last - since));
  }

  #maySend(): boolean {
    return this.#terms.maySend && !this.#attempt.isFrozen;
  }

  #isQuietTooLong(): boolean {
    return this.#terms.now.getTime() - this.#attempt.storedAt.getTime() >= QUIET_DOUBT_MS;
  }

  /** `isNews`: what is in doubt already has a new reason, which people see. */
  #tellDoubt(reason: string, isNews = false): void {
    if (isNews)
      this.#payouts = this.#payouts.map(({ payout, events }) => ({
        payout: payout.status === 'in_doubt' ? { ...payout, reason } : payout,
        events,
      }));
    this.#happens(['unknown'], { reason }, { reason });
  }
}
