// Changes rewards in one transaction: locks the affiliates and the pot, makes and moves rewards, and passes their postings to the
// unit of work.

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

/** Rewards that one transaction changes. */
export class Rewarding {
  readonly #unit: UnitOfWork;
  readonly #tx: Tx;
  readonly #affiliates: Map<string, Affiliate>;
  /** Affiliates with open accounts. */
  readonly #open: ReadonlySet<string>;
  /** True if rewards wait for the pot: new ones then wait behind them. */
  #isWaiting: boolean;
  readonly #made: Reward[] = [];
  readonly #moved = new Map<string, Reward>();
  readonly #owing = new Set<string>();
  /** Holders whose unsent withdrawals of rewards were refused in this transaction. */
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

  /** Locks the affiliates, and the pot if rewards may be taken from it or go back. */
  static async open(unit: UnitOfWork, holders: readonly string[], { pot = true } = {}): Promise<Rewarding> {
    if (pot) await lockPot(unit.tx, 'affiliate');
    const isWaiting = pot && (await waitingCounts(unit.tx)).waiting > 0;
    const affiliates = await lockAffiliates(unit.tx, holders);
    // Closing an account takes the same lock, so its status is read after we have it.
    return new Rewarding(unit, { affiliates, open: await openAmong(unit.tx, holders), isWaiting });
  }

  /** True if an affiliate can earn: their account is not closed. */
  isOpen(holderId: string): boolean {
    return this.#open.has(holderId);
  }

  /** Returns an affiliate's current row. */
  affiliate(holderId: string): Affiliate {
    return this.#affiliates.get(holderId) ?? usualAffiliate(holderId);
  }

  /** Returns why people decide about a reward: shared identities, or the affiliate's suspension; undefined if neither applies. */
  reasonFor(holderId: string, shared: string | undefined): string | undefined {
    return shared ?? (this.affiliate(holderId).suspendedAt ? 'suspended' : undefined);
  }

  /** Makes a reward: a case if there is a reason, otherwise pending if the pot has enough money, otherwise waiting. */
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

  /** Adds a reward to its affiliate's daily results, or subtracts it. */
  count({ holderId, parts, tier }: Reward, sign: 1n | -1n, { campaign }: { readonly campaign: string }): void {
    this.#days.push({ holderId, campaign: tier === 1 ? campaign : '', at: this.#tx.now, reward: sign * parts });
  }

  /** Adds a completed order and its profit to its affiliate's daily results, or subtracts them. */
  countOrder(
    { affiliate: holderId, campaign, profit = 0n }: Pick<ReferredOrder, 'affiliate' | 'campaign' | 'profit'>,
    sign: 1n | -1n,
  ): void {
    this.#days.push({ holderId, campaign, at: this.#tx.now, orders: sign === 1n ? 1 : -1, profit: sign * profit });
  }

  /** Pays a waiting reward, the oldest first. Returns false if the pot has too little money. */
  async fill(reward: Reward): Promise<boolean> {
    if (!(await this.#reaches(reward))) return false;
    this.#move(this.#fill(reward));
    return true;
  }

  /** Makes a reward available whose waiting days are over, after it has repaid its affiliate's debt. */
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
   * Takes a reward back. If it had matured, all unsent withdrawals of its affiliate's rewards are refused first, as for a deposit
   * that is taken back. The missing rest is owed. Returns false if the reward had ended already. `name`: the product's, for
   * letters.
   */
  async takeBack(reward: Reward, name: string): Promise<boolean> {
    if (reward.state === 'available') await this.#turnDown(reward.holderId, name);
    return this.#back(reward, 'reversed');
  }

  /**
   * Gives up all rewards of an affiliate whose account is closed, after repaying their debt. Returns the minor units of the
   * matured ones: the caller posts them.
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
   * Repays an affiliate's debt from rewards that came back, such as those of a failed withdrawal. Unsent withdrawals of rewards
   * are refused first. `name`: the product's, for letters.
   */
  async settle(holderId: string, name: string): Promise<void> {
    if (this.affiliate(holderId).owed === 0n) return;
    await this.#turnDown(holderId, name);
    await this.repay(holderId);
  }

  /** Repays an affiliate's debt from their matured rewards. */
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

  /** Applies people's decision of a case. A paid case is paid at once if the pot has enough money and nothing waits. */
  async decide(reward: Reward, event: 'pay' | 'refuse', at: { readonly campaign: string }): Promise<Reward | undefined> {
    const state = nextOf(reward, event);
    if (state === undefined) return undefined;
    const decided = { ...reward, state };
    const now = state === 'waiting' && !this.#isWaiting && (await this.#reaches(decided)) ? this.#fill(decided) : decided;
    if (event === 'pay') this.count(now, 1n, at);
    this.#move(now);
    return now;
  }

  /** Writes the changes. */
  async save(): Promise<void> {
    // Reversed rewards are written first: they make room for new ones of the same order.
    await saveStates(this.#tx, [...this.#moved.values()]);
    await addRewards(
      this.#tx,
      this.#made.map((one) => this.#moved.get(one.id) ?? one),
    );
    await saveAffiliates(
      this.#tx,
      [...this.#owing].toSorted().map((id) => this.affiliate(id)),
    );
    // Counts of a closed account are deleted with it.
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
