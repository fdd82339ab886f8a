// What happens to rewards in one transaction: the affiliates and the pot are locked, rewards made and moved, and what they post is
// handed over to its unit of work.

import { REWARD_UNIT } from '@kurs/money';
import type { UnitOfWork } from '../collecting/index.ts';
import { openAmong } from '../auth/index.ts';
import { type Tx, newId } from '../platform/index.ts';
import { lockPot, potAccount } from '../pots/index.ts';
import {
  type Affiliate,
  type DayCounted,
  countDays,
  lockAffiliates,
  saveAffiliates,
  usualAffiliate,
} from '../referrals/index.ts';
import { turnDownUnsent } from '../wallets/index.ts';
import type { ReferredOrder } from './referred-order.ts';
import { type Reward, availableOf, earned, givenUp, matured, nextOf, repaid, takenBack } from './reward.ts';
import { addRewards, saveStates, waitingCounts } from './reward-store.ts';

/** Rewards as one transaction changes them. */
export class Rewarding {
  readonly #unit: UnitOfWork;
  readonly #tx: Tx;
  readonly #affiliates: Map<string, Affiliate>;
  /** Those whose accounts are not closed. */
  readonly #open: ReadonlySet<string>;
  /** Whether something waits for the pot: then nothing new is given before it. */
  #isWaiting: boolean;
  readonly #made: Reward[] = [];
  readonly #moved = new Map<string, Reward>();
  readonly #owing = new Set<string>();
  /** Holders whose unsent withdrawals of rewards were turned down in this transaction. */
  readonly #turnedDown = new Set<string>();
  readonly #days: DayCounted[] = [];

  private constructor(
    unit: UnitOfWork,
    { affiliates, open, isWaiting }: { affiliates: Map<string, Affiliate>; open: ReadonlySet<string>; isWaiting: boolean },
  ) {
    this.#unit = unit;
    this.#tx = unit.tx;
    this.#affiliates = affiliates;
    this.#open = open;
    this.#isWaiting = isWaiting;
  }

  /** Locks the pot, if anything may be taken from it or go back, and the affiliates. */
  static async open(unit: UnitOfWork, holders: readonly string[], { pot = true } = {}): Promise<Rewarding> {
    if (pot) await lockPot(unit.tx, 'affiliate');
    const isWaiting = pot && (await waitingCounts(unit.tx)).waiting > 0;
    const affiliates = await lockAffiliates(unit.tx, holders);
    // An account is closed behind the same lock: whether it is open is read once that is ours.
    return new Rewarding(unit, { affiliates, open: await openAmong(unit.tx, holders), isWaiting });
  }

  /** True if an affiliate can earn: their account is not closed. */
  isOpen(holderId: string): boolean {
    return this.#open.has(holderId);
  }

  /** An affiliate as they stand. */
  affiliate(holderId: string): Affiliate {
    return this.#affiliates.get(holderId) ?? usualAffiliate(holderId);
  }

  /** Why people decide about a reward of an affiliate: what is shared, else that they are suspended; undefined for neither. */
  reasonFor(holderId: string, shared: string | undefined): string | undefined {
    return shared ?? (this.affiliate(holderId).suspendedAt ? 'suspended' : undefined);
  }

  /** Makes a reward: a case where there is a reason, else pending if the pot reaches, else waiting. */
  async make(wanted: Omit<Reward, 'id' | 'state' | 'madeAt' | 'givenUp'>, at: { readonly campaign: string }): Promise<Reward> {
    const reward: Reward = {
      ...wanted,
      id: newId(),
      givenUp: 0n,
      state: wanted.reason === undefined ? 'waiting' : 'case',
      madeAt: this.#tx.now,
    };
    const made = reward.state === 'waiting' && !this.#isWaiting && (await this.#reaches(reward)) ? this.#fill(reward) : reward;
    this.#made.push(made);
    if (made.state === 'waiting') this.#isWaiting = true;
    if (made.state !== 'case') this.count(made, 1n, at);
    return made;
  }

  /** Counts a reward among what its affiliate's day brought, or takes it off. */
  count({ holderId, parts, tier }: Reward, sign: 1n | -1n, { campaign }: { readonly campaign: string }): void {
    this.#days.push({ holderId, campaign: tier === 1 ? campaign : '', at: this.#tx.now, reward: sign * parts });
  }

  /** Counts a completed order and what was kept of it among what its affiliate's day brought, or takes it off. */
  countOrder(
    { affiliate: holderId, campaign, profit = 0n }: Pick<ReferredOrder, 'affiliate' | 'campaign' | 'profit'>,
    sign: 1n | -1n,
  ): void {
    this.#days.push({ holderId, campaign, at: this.#tx.now, orders: sign === 1n ? 1 : -1, profit: sign * profit });
  }

  /** Gives a reward that waits, the oldest first; false where the pot doesn't reach. */
  async fill(reward: Reward): Promise<boolean> {
    if (!(await this.#reaches(reward))) return false;
    this.#move(this.#fill(reward));
    return true;
  }

  /** A reward's days are over: what its affiliate owes is repaid from it. */
  mature(reward: Reward): void {
    const state = nextOf(reward, 'matured');
    if (state === undefined) return;
    const affiliate = this.affiliate(reward.holderId);
    const { journal, owed } = matured(newId(), reward, affiliate.owed);
    this.#owe(affiliate, owed);
    this.#unit.post(journal);
    this.#move({ ...reward, state });
  }

  /**
   * Takes a reward back. Where it had matured, its affiliate's unsent withdrawals of rewards are turned down first: all of them, as
   * a deposit that is taken back does. What is not there even then is owed. False where it came to nothing already. `name`: the
   * product's, for letters.
   */
  async takeBack(reward: Reward, name: string): Promise<boolean> {
    if (reward.state === 'available') await this.#turnDown(reward.holderId, name);
    return this.#back(reward, 'reversed');
  }

  /**
   * Gives up all rewards of an affiliate whose account is closed, once what they owe is repaid. Returns the parts that stood there
   * of matured ones: their posting is the caller's.
   */
  async giveUp(holderId: string, rewards: readonly Reward[]): Promise<bigint> {
    for (const reward of rewards) if (reward.state !== 'available') await this.#back(reward, 'closed');
    await this.repay(holderId);
    const there = await this.#unit.shown(availableOf(holderId));
    const matured = rewards.filter(({ state }) => state === 'available');
    for (const reward of givenUp(matured, there)) this.#move(reward);
    return there;
  }

  /**
   * Repays what an affiliate owes from rewards that came back to them, such as those of a withdrawal that failed. Unsent
   * withdrawals of rewards are turned down first. `name`: the product's, for letters.
   */
  async settle(holderId: string, name: string): Promise<void> {
    if (this.affiliate(holderId).owed === 0n) return;
    await this.#turnDown(holderId, name);
    await this.repay(holderId);
  }

  /** Repays what an affiliate owes from the matured rewards that stand there. */
  async repay(holderId: string): Promise<void> {
    const affiliate = this.affiliate(holderId);
    if (affiliate.owed === 0n) return;
    const { journal, owed } = repaid(newId(), affiliate, await this.#unit.shown(availableOf(holderId)));
    this.#owe(affiliate, owed);
    this.#unit.post(journal);
  }

  async #turnDown(holderId: string, name: string): Promise<void> {
    if (this.#turnedDown.has(holderId)) return;
    this.#turnedDown.add(holderId);
    await turnDownUnsent(this.#unit, name, { holderId, unit: REWARD_UNIT, source: 'affiliate' });
  }

  async #back(reward: Reward, event: 'reversed' | 'closed'): Promise<boolean> {
    const state = nextOf(reward, event);
    if (state === undefined) return false;
    if (reward.state === 'pending' || reward.state === 'available') {
      const affiliate = this.affiliate(reward.holderId);
      const { journal, lacks } = takenBack(newId(), reward, await this.#unit.shown(availableOf(reward.holderId)));
      this.#owe(affiliate, affiliate.owed + lacks);
      this.#unit.post(journal);
    }
    this.#move({ ...reward, state });
    return true;
  }

  /** People have decided a case. One that is paid is given at once where the pot reaches and nothing waits. */
  async decide(reward: Reward, event: 'pay' | 'refuse', at: { readonly campaign: string }): Promise<Reward | undefined> {
    const state = nextOf(reward, event);
    if (state === undefined) return undefined;
    const decided = { ...reward, state };
    const now = state === 'waiting' && !this.#isWaiting && (await this.#reaches(decided)) ? this.#fill(decided) : decided;
    if (event === 'pay') this.count(now, 1n, at);
    this.#move(now);
    return now;
  }

  /** Writes what changed. */
  async save(): Promise<void> {
    // What is reversed makes room for what is earned anew.
    await saveStates(this.#tx, [...this.#moved.values()]);
    await addRewards(
      this.#tx,
      this.#made.map((one) => this.#moved.get(one.id) ?? one),
    );
    await saveAffiliates(
      this.#tx,
      [...this.#owing].toSorted().map((id) => this.affiliate(id)),
    );
    // What was counted for a closed account is forgotten with it.
    await countDays(
      this.#tx,
      this.#days.filter(({ holderId }) => this.#open.has(holderId)),
    );
  }

  async #reaches({ parts }: Reward): Promise<boolean> {
    return (await this.#unit.shown(potAccount('affiliate'))) >= parts;
  }

  #fill(reward: Reward): Reward {
    this.#unit.post(earned(newId(), reward));
    return { ...reward, state: nextOf(reward, 'filled') ?? reward.state };
  }

  #move(reward: Reward): void {
    this.#moved.set(reward.id, reward);
  }

  #owe(affiliate: Affiliate, owed: bigint): void {
    if (owed === affiliate.owed) return;
    this.#affiliates.set(affiliate.holderId, { ...affiliate, owed });
    this.#owing.add(affiliate.holderId);
  }
}
