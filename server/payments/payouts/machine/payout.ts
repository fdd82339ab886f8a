import type { Found, Proof, Sent } from '../../../rails/rail.ts';
import type { PayoutBody, PayoutEvent, PayoutPurpose } from '../../rails/event-bodies.ts';
import { type Depth, decidingHeight, firstHeight, isReported, reaches } from '../../rails/finality.ts';
import type { Owner } from '../../rails/owner.ts';
import type { PayoutBooks } from '../rows/payout-accounts.ts';
import { type PayoutStatus, nextStatus } from './payout-machine.ts';
import { resendMinutes } from './resend.ts';
import { shortOf } from './returned-sends.ts';
import { DAY, HOUR, IN_BLOCK_MS, LATE_FIND_MS, MINUTE, QUIET_DOUBT_MS, RETURNS_MS, SECOND, backoff } from './waiting-times.ts';

/** One amount to be sent to one account. The file `payout-machine.ts` has the states of a payout. */
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
  readonly isDedupeOver: boolean;
  /** True if the payout had failed before its send was found late. */
  readonly isFoundLate: boolean;
  /** Accounts and kinds of the journals that the payments room posts for this payout. If absent, the owner posts all journals. */
  readonly books?: PayoutBooks | undefined;
  /** MAC of `books`, as stored. */
  readonly booksMac?: string | null;
}

/**
 * One signed send.
 *
 * - `stored`: stored, perhaps sent
 * - `doubtful`: sent without a clear answer
 * - `sent`: accepted by the rail
 * - `final`: confirmed deeply enough
 * - `refused`: definitely not sent
 * - `absent`: proven never to happen
 * - `replaced`: another send with the same inputs may happen, or did
 */
export interface SendAttempt {
  readonly id: string;
  readonly purpose: 'payout' | 'fuel' | 'collect';
  readonly status: 'stored' | 'doubtful' | 'sent' | 'final' | 'refused' | 'absent' | 'replaced';
  /**
   * Moment at which the network's fee is known: when the attempt is sent (inputs less outputs), or when it is mined (gas used).
   */
  readonly feeKnown: 'sent' | 'mined';
  readonly isFeePosted: boolean;
  readonly fee: bigint;
  /** True if the attempt replaces another one with the same inputs. */
  readonly isReplacement: boolean;
  /** True if people have decided that one of its payouts was not sent. The attempt's bytes are never sent again. */
  readonly isFrozen: boolean;
  /**
   * True if the provider said that the attempt's reference was used before. Then something may have been sent, so the attempt
   * never ends as refused.
   */
  readonly isKnown: boolean;
  readonly txid: string | null;
  readonly height: number | null;
  readonly confirmations: number;
  readonly tries: number;
  readonly storedAt: Date;
  readonly lastSentAt: Date | null;
  readonly acceptedAt: Date | null;
  readonly missingSince: Date | null;
  /** Time at which the attempt was refused or ruled out, or people decided that it was not sent. */
  readonly endedAt: Date | null;
}

/**
 * A rail's answer when a send is made (`send`) or looked up (`find`). `by`: the transaction that rules the send out, if the rail
 * names one.
 */
export type RailAnswer = ({ readonly of: 'send'; readonly said: Sent } | { readonly of: 'find'; readonly said: Found }) & {
  readonly by?: string;
};

export interface StepTerms {
  readonly now: Date;
  /** Proof that the rail's look-ups can give about this attempt. */
  readonly proof: Proof;
  readonly maySend: boolean;
  /**
   * True if another attempt with the same inputs has happened or may still happen. Then the absence of this attempt doesn't prove
   * that its payouts were not sent.
   */
  readonly hasRival: boolean;
  /** Returns the depth that a payout needs by its amount; for undefined, the depth that the whole attempt needs. */
  readonly depthOf: (payout: Payout | undefined) => Depth;
  /** Number of further confirmations, after the needed depth, for which a final attempt is still looked up. */
  readonly follow: number;
}

export interface PayoutChange {
  readonly payout: Payout;
  readonly events: readonly { readonly event: PayoutEvent; readonly extra?: Partial<PayoutBody> }[];
}

/**
 * Amount that a step has to post. `fee`: the fee is known · `fee_back`: the fee was posted, but not charged · `left`, `arrived`,
 * `back`: a sweep's amount left, arrived, or is back where it was.
 */
export type Money =
  | { readonly what: 'fee' | 'fee_back'; readonly parts: bigint }
  | { readonly what: 'left' | 'arrived' | 'back' };

export interface Step {
  readonly attempt: SendAttempt;
  readonly payouts: readonly PayoutChange[];
  readonly money: readonly Money[];
  /** True if the same bytes are to be sent again now. */
  readonly isSentAgain: boolean;
  /** Pause before the next look-up in ms; null: no more look-ups. */
  readonly nextPoll: number | null;
  /** Height of the chain from which look-ups may change something; null if each block may. */
  readonly pollHeight: number | null;
}

/**
 * Returns the effects of a rail's answer on an attempt and its payouts. Pure: the caller stores all effects in one transaction.
 */
export function step(attempt: SendAttempt, payouts: readonly Payout[], { of, said }: RailAnswer, terms: StepTerms): Step {
  const made = new Making(attempt, payouts, terms);
  if (of === 'send') made.sent(said as Sent);
  else made.found(said as Found);
  return made.result();
}

/** Builds the result of `step`. */
class Making {
  readonly #terms: StepTerms;
  #attempt: SendAttempt;
  #payouts: PayoutChange[];
  readonly #money: Money[] = [];
  #isSentAgain = false;
  #nextPoll: number | null = null;
  #pollHeight: number | null = null;

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
      isSentAgain: this.#isSentAgain,
      nextPoll: this.#nextPoll,
      pollHeight: this.#pollHeight,
    };
  }

  sent(said: Sent): void {
    this.#set({ lastSentAt: this.#terms.now, tries: this.#attempt.tries + 1 });
    if (said.outcome === 'accepted') return this.#accept(said.txid);
    if (said.outcome === 'exists') this.#set({ isKnown: true });
    // A provider's refusal is definite only for the first request. A repeated request may be refused because the first one
    // succeeded, lost its answer and used up the money. Then the look-up decides.
    if (said.outcome === 'refused' && !this.#happensOnce() && this.#attempt.status === 'stored' && !this.#attempt.isKnown) {
      return this.#fail('refused', said.reason, false);
    }
    if (this.#hasEnded()) return void (this.#nextPoll = this.#endedWait());
    // A chain's refusal proves nothing until the look-up says that the send can never happen. So the next look-up comes soon.
    this.#nextPoll = this.#happensOnce() ? backoff(this.#attempt.tries) : this.#doubtWait();
    if (this.#isOut()) return;
    this.#set({ status: 'doubtful' });
    if (!this.#happensOnce() || this.#isQuietTooLong()) this.#reportDoubt(said.reason, said.outcome === 'exists');
  }

  found(said: Found): void {
    if (this.#provesNothing()) return this.#stayInDoubt('the look-up proves nothing here');
    if (said.outcome === 'mined') return this.#mined(said);
    if (this.#hasEnded() && said.outcome === 'absent') return void (this.#nextPoll = this.#endedWait());
    // The replacement can't happen any more, so only this attempt can.
    if (this.#attempt.status === 'replaced' && !this.#terms.hasRival) this.#set({ status: 'sent' });
    if (said.outcome === 'pending') {
      if (this.#attempt.status === 'replaced') return void (this.#nextPoll = MINUTE);
      this.#set({ missingSince: null, height: null, confirmations: 0 });
      return this.#accept(said.txid);
    }
    if (said.isConclusive && this.#happensOnce()) return this.#never();
    this.#absent();
  }

  /**
   * True if the same bytes can happen only once, even if they are sent several times. The look-up can then also prove that they
   * never happen.
   */
  #happensOnce(): boolean {
    return this.#terms.proof.lookUp === 'presence and absence';
  }

  /** True if look-ups prove nothing and the rail never accepted the send: any send that they show may then be another one. */
  #provesNothing(): boolean {
    return this.#terms.proof.lookUp === 'nothing' && !this.#attempt.acceptedAt;
  }

  /** True if the attempt was ended as not sent, by its rail or by people. */
  #hasEnded(): boolean {
    return this.#attempt.status === 'refused' || this.#attempt.status === 'absent';
  }

  #set(change: Partial<SendAttempt>): void {
    this.#attempt = { ...this.#attempt, ...change };
  }

  /**
   * Applies to each payout the first of `events` that is possible in its status. If no event is possible, the payout stays
   * unchanged.
   */
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

  /** Records that the rail accepted the send. `isGood`: false if the rail shows the send as mined without effect. */
  #accept(txid: string, isGood = true): void {
    this.#nextPoll = this.#nextWait();
    if (isGood) this.#turnUp(txid);
    if (this.#isOut()) return;
    if (!this.#attempt.acceptedAt && !this.#attempt.isReplacement) this.#money.push({ what: 'left' });
    const acceptedAt = this.#attempt.acceptedAt ?? this.#terms.now;
    this.#set({ status: 'sent', txid, acceptedAt, missingSince: null, endedAt: null });
    if (this.#attempt.feeKnown === 'sent') this.#postFee(this.#attempt.fee);
    this.#take(txid);
  }

  /**
   * Returns the pause before the next look-up of an accepted send, in ms. A chain's next block comes soon. At a provider, the
   * receiver may take days to claim the money.
   */
  #nextWait(): number {
    const age = this.#age();
    return this.#happensOnce() ? 5 * SECOND : Math.max(5 * SECOND, Math.min(15 * MINUTE, age / 4));
  }

  /** Returns the pause before the next look-up of a send in doubt, in ms. The pause grows to an hour, and look-ups never end. */
  #doubtWait(): number {
    return Math.max(5 * SECOND, Math.min(HOUR, this.#age() / 4));
  }

  /**
   * Returns the pause before the next look-up of an ended send, in ms; null if there are no more look-ups. Such a send may be
   * found late. So look-ups go on for a month, and at least while the provider recognises the send's reference.
   */
  #endedWait(): number | null {
    const { now, proof } = this.#terms;
    const since = now.getTime() - (this.#attempt.endedAt ?? now).getTime();
    if (proof.lookUp === 'nothing' || since >= Math.max(LATE_FIND_MS, proof.dedupeMinutes * MINUTE)) return null;
    return Math.min(DAY, Math.max(HOUR, since));
  }

  /**
   * Returns the pause before the next look-up of a final send, in ms; null if there are no more look-ups. A provider may return
   * the money weeks later.
   */
  #lateWait(): number | null {
    const age = this.#age();
    return this.#happensOnce() || age >= RETURNS_MS ? null : Math.max(HOUR, age);
  }

  #age(): number {
    return this.#terms.now.getTime() - this.#attempt.storedAt.getTime();
  }

  /** Marks the payouts of an accepted attempt as sent. */
  #take(txid: string): void {
    this.#happens(['found', 'accepted'], { txid, attemptId: this.#attempt.id }, { txid });
  }

  /**
   * If the payouts had been treated as not sent, marks them as found late. Their money had gone back to their owners, so people
   * have to decide.
   */
  #turnUp(txid: string): void {
    this.#payouts = this.#payouts.map((each) => {
      const { payout, events } = each;
      if (nextStatus(payout.status, 'found_late') === undefined || payout.isFoundLate) return each;
      return { payout: { ...payout, isFoundLate: true }, events: [...events, { event: 'found_late', extra: { txid } }] };
    });
  }

  /**
   * Records the send's fee for posting. If a fee is posted already, records only the difference. The fee changes if the send is
   * mined again after a reorg, or if the provider returns the fee with the money.
   */
  #postFee(parts: bigint): void {
    const more = parts - (this.#attempt.isFeePosted ? this.#attempt.fee : 0n);
    if (more === 0n) return;
    this.#set({ isFeePosted: true, fee: parts });
    this.#money.push(more > 0n ? { what: 'fee', parts: more } : { what: 'fee_back', parts: -more });
  }

  #mined(said: Found & { outcome: 'mined' }): void {
    const before = this.#attempt;
    if (before.status === 'replaced' || this.#hasEnded()) {
      // The attempt had been treated as absent or replaced, and happened after all.
      if (before.status === 'absent' && (before.acceptedAt || before.isReplacement)) this.#money.push({ what: 'left' });
      this.#set({ status: 'stored' });
    }
    this.#accept(said.txid, said.ok);
    if (this.#attempt.feeKnown === 'mined') this.#postFee(said.fee);
    const { height, confirmations, isFinalised } = said;
    this.#set({ height, confirmations, missingSince: null });
    if (said.ok) this.#confirm(said.txid, confirmations, isFinalised);
    const whole = this.#terms.depthOf(undefined);
    const isFollowed = confirmations < whole.confirmations + this.#terms.follow;
    // A send mined without effect could still succeed if a reorg mines it again. So it fails only when it is too deep for a
    // reorg.
    if (!said.ok) return isFinalised || !isFollowed ? this.#revert(said) : undefined;
    if (!reaches(whole, confirmations, isFinalised))
      return this.#happensOnce() ? this.#waitFor(whole, height, confirmations) : undefined;
    if (before.status !== 'final') {
      this.#set({ status: 'final' });
      this.#money.push({ what: 'arrived' });
    }
    this.#nextPoll = isFollowed ? MINUTE : this.#lateWait();
  }

  /**
   * Schedules the next look-up of a send whose block is not deep enough yet. The block that makes it deep enough makes the send
   * due.
   */
  #waitFor(whole: Depth, height: number, confirmations: number): void {
    const open = this.#payouts.flatMap(({ payout }) => (payout.status === 'final' ? [] : this.#terms.depthOf(payout)));
    this.#pollHeight = firstHeight([whole, ...open].map((depth) => decidingHeight(height, confirmations, depth.confirmations)));
    if (this.#pollHeight !== null) this.#nextPoll = IN_BLOCK_MS;
  }

  #confirm(txid: string, confirmations: number, isFinalised: boolean): void {
    this.#payouts = this.#payouts.map((each) => {
      const { payout, events } = each;
      const depth = this.#terms.depthOf(payout);
      const isFinal = reaches(depth, confirmations, isFinalised);
      const event: PayoutEvent = isFinal ? 'final' : 'progress';
      const status = nextStatus(payout.status, event);
      if (status === undefined || (!isFinal && !isReported(payout.confirmations, confirmations))) return each;
      return {
        payout: { ...payout, txid, attemptId: this.#attempt.id, confirmations, status },
        events: [...events, { event, extra: { txid, confirmations, needed: depth.confirmations } }],
      };
    });
  }

  /** Records a send that was mined without effect and is too deep for a reorg: its fee is spent, and its money never left. */
  #revert({ back }: Found & { outcome: 'mined' }): void {
    this.#nextPoll = null;
    this.#set({ status: 'final' });
    this.#money.push({ what: 'back' });
    this.#failPayouts('reverted', false, back && shortOf(back));
  }

  /** Records that the attempt can never happen any more. */
  #never(): void {
    // A deep reorg may make even a final send impossible. If that is a sweep, which carries no payouts, it is not ended but sent
    // again. If it carries payouts, it ends.
    if (this.#attempt.status === 'final' && this.#payouts.length === 0) return this.#absent();
    if (this.#attempt.isFeePosted && this.#attempt.fee > 0n) this.#money.push({ what: 'fee_back', parts: this.#attempt.fee });
    this.#set({ isFeePosted: false });
    if (this.#terms.hasRival) return this.#set({ status: 'replaced' });
    // Only the first of several attempts with the same inputs posts the amount as left. When the last attempt is ruled out, the
    // amount is posted back.
    if (this.#attempt.status === 'sent' || this.#attempt.isReplacement) this.#money.push({ what: 'back' });
    this.#fail('absent', 'another transaction spent the same', true);
  }

  /** Ends the attempt without effect. Its payouts fail, each by the event that fits its status. */
  #fail(status: 'refused' | 'absent', reason: string, isTransient: boolean): void {
    this.#set({ status, endedAt: this.#terms.now });
    this.#nextPoll = this.#endedWait();
    this.#failPayouts(reason, isTransient);
  }

  #failPayouts(reason: string, isTransient: boolean, short: Partial<PayoutBody> = {}): void {
    const extra = { reason, ...(isTransient && { isTransient: true as const }) };
    this.#happens(['returned'], { reason }, { ...extra, ...short });
    this.#happens(['absent', 'refused'], { reason }, extra);
    this.#payouts = this.#payouts.map((each) => {
      const { payout, events } = each;
      if (!payout.isFoundLate) return each;
      const back = { event: 'late_back', extra: { ...extra, ...short } } as const;
      return { payout: { ...payout, isFoundLate: false }, events: [...events, back] };
    });
  }

  /** Records that the look-up doesn't show the attempt. This alone doesn't prove that the attempt can't happen. */
  #absent(): void {
    const { now } = this.#terms;
    const { status, missingSince } = this.#attempt;
    if (status === 'replaced') return void (this.#nextPoll = MINUTE);
    this.#nextPoll = this.#happensOnce() ? backoff(this.#attempt.tries) : this.#nextWait();
    if (this.#happensOnce()) {
      this.#isSentAgain = this.#maySend();
      if (status === 'sent' && !missingSince) this.#happens(['vanished'], { confirmations: 0 });
      if (status === 'sent' || status === 'final') this.#set({ missingSince: missingSince ?? now, height: null });
      else if (this.#isQuietTooLong()) this.#reportDoubt('neither taken nor shown for an hour');
      return;
    }
    if (status === 'final') this.#nextPoll = this.#lateWait();
    else if (status !== 'sent') this.#stayInDoubt('not found yet');
  }

  /**
   * Records that a provider's send is in doubt. Time never ends the doubt. While the provider certainly recognises the reference,
   * the same request is repeated with growing pauses, because its answer is then reliable. After that only look-ups or people
   * decide.
   */
  #stayInDoubt(reason: string): void {
    if (this.#hasEnded()) return void (this.#nextPoll = this.#endedWait());
    this.#set({ status: 'doubtful' });
    this.#nextPoll = this.#doubtWait();
    this.#reportDoubt(reason);
    if (this.#age() >= (resendMinutes(this.#terms.proof) ?? 0) * MINUTE) return this.#reportWindowOver();
    if (!this.#maySend() || !this.#isTimeToAsk()) return;
    this.#happens(['resend']);
    this.#isSentAgain = true;
  }

  #reportWindowOver(): void {
    this.#payouts = this.#payouts.map((each) => {
      const { payout, events } = each;
      if (payout.isDedupeOver || nextStatus(payout.status, 'dedupe_over') === undefined) return each;
      return { payout: { ...payout, isDedupeOver: true }, events: [...events, { event: 'dedupe_over', extra: {} }] };
    });
  }

  /** True if it is time to repeat the request with the same reference. Pauses double, from a minute to a day. */
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

  /**
   * Marks the payouts as in doubt. `isNews`: true to give the new reason, which people see, also to payouts that are in doubt
   * already.
   */
  #reportDoubt(reason: string, isNews = false): void {
    if (isNews)
      this.#payouts = this.#payouts.map(({ payout, events }) => ({
        payout: payout.status === 'in_doubt' ? { ...payout, reason } : payout,
        events,
      }));
    this.#happens(['unknown'], { reason }, { reason });
  }
}
