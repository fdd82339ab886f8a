// Bitcoin's own code over an explorer whose answers are short, shared, stale or lies, in a few hundred seeds: what is shown as
// mined is in the chain's very blocks, what is called gone has left them, what a poll doesn't show was told as unread, and
// once the explorer answers well nothing is lost. To see one again: SIM_SEED=17 node --test server/simulation/explorers.test.ts

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMemoryRail } from '../payments/memory.ts';
import { configureLog } from '../platform/index.ts';
import type { Missing, ObservedPayment, Unread, ReceivingAddress } from '../rails/rail.ts';
import { HONEST } from '../rails/testing.ts';
import { type Dice, openDice } from './dice.ts';
import { EXPLORERS, explorerMood, exploring } from './explorer-chain.ts';

const SEEDS = 150;
const STEPS = 40;
const PLACES = 3;
/** Number of polls after which a correct explorer has shown every page. */
const ENOUGH = 12;

class Watched {
  readonly dice: Dice;
  readonly #rail = openMemoryRail({ id: 'bitcoin', currencies: [{ code: 'BTC', unit: 'BTC', payDigits: 8 }] });
  readonly #world = this.#rail.world;
  readonly #explorer = exploring(this.#world, 'BTC');
  readonly #places: ReceivingAddress[] = [];
  readonly #seen = new Map<string, ObservedPayment>();
  /** Block of each payment when it was last shown. */
  readonly #blocks = new Map<string, string | undefined>();
  readonly #paid: { readonly txid: string; readonly to: string }[] = [];
  #mood: (typeof EXPLORERS)[number] = 'honest';

  constructor(seed: number) {
    this.dice = openDice(seed);
    for (let at = 0; at < PLACES; at += 1) {
      const { to } = this.#rail.rail.payin.instruct('BTC', at);
      this.#places.push({ currency: 'BTC', to, sinceHeight: 0 });
    }
    this.#world.mine(12);
  }

  async step(): Promise<string> {
    const { dice } = this;
    const what = dice.weighed([
      [4, 'pay'],
      [4, 'mine'],
      [1, 'reorg'],
      [1, 'spend'],
      [2, 'explorer'],
      [6, 'look'],
    ] as const);
    if (what === 'pay') this.#pay();
    if (what === 'mine') this.#world.mine(dice.int(1, 3));
    if (what === 'reorg') this.#reorg();
    if (what === 'spend') this.#spendTwice();
    if (what === 'explorer') this.#change();
    if (what === 'look') await this.#look();
    return what;
  }

  #pay(): void {
    const { to } = this.dice.pick(this.#places);
    const txid = this.#world.pay(to, BigInt(this.dice.int(10_000, 99_999)), { currency: 'BTC' });
    this.#paid.push({ txid, to });
  }

  #reorg(): void {
    const gone = this.#world.reorg(this.dice.int(1, 4), true);
    for (const tx of gone) if (this.dice.chance(0.7)) this.#world.restore(tx);
  }

  /** A waiting payment's coins go elsewhere. */
  #spendTwice(): void {
    const waiting = this.#paid.filter(({ txid }) => this.#world.status(txid) && !this.#isMined(txid));
    if (waiting.length > 0) this.#world.doubleSpend(this.dice.pick(waiting).txid);
  }

  #change(): void {
    const { name, tricks } = explorerMood(this.dice);
    this.#mood = name;
    this.#explorer.tricks = tricks;
    this.#world.lag = this.dice.chance(0.2) ? 2 : 0;
  }

  #isMined(txid: string): boolean {
    return this.#world.status(txid)?.block !== undefined;
  }

  async #look(): Promise<void> {
    const unread = new Map<string, Unread>();
    const polled = this.#explorer.payin.observe(this.#places, (left) => void unread.set(left.to, left));
    // A server with a lower height than before can't be read on: that shows nothing, and counts for nothing.
    const shown = await polled.catch((error: unknown) => (assert.match(String(error), /no block at/), undefined));
    if (!shown) return;
    for (const one of shown) this.#mustBeThere(one);
    for (const [at, address] of this.#places.entries()) {
      const left = unread.get(address.to);
      if (!left) this.#mustBeWhole(address, shown);
      const { readOn: _, ...bare } = address;
      this.#places[at] = { ...bare, ...(left?.readOn !== undefined && { readOn: left.readOn }) };
    }
    const missing = [...this.#seen.values()].filter(({ key }) => !shown.some((one) => one.key === key));
    for (const one of shown) this.#seen.set(one.key, one);
    for (const { txid } of shown) this.#blocks.set(txid, this.#world.status(txid)?.block?.hash);
    await this.#ask(missing);
  }

  /** A payment shown as mined is in that block, and at least as deep as shown. */
  #mustBeThere({ txid, status }: ObservedPayment): void {
    if (status.at !== 'block') return;
    const { block, confirmations } = this.#world.status(txid) ?? {};
    assert.ok(block?.height === status.height, `${txid} is shown at ${status.height}, and is at ${block?.height}`);
    assert.ok(status.confirmations <= (confirmations ?? 0), `${txid} is shown deeper than it is`);
  }

  /** If an address was read completely by an explorer that hides nothing, every mined payment is shown. */
  #mustBeWhole(address: ReceivingAddress, shown: readonly ObservedPayment[]): void {
    if (this.#mood === 'hiding' || this.#mood === 'stale' || this.#mood === 'lying' || address.readOn !== undefined) return;
    for (const { txid } of this.#paid.filter(({ to, txid }) => to === address.to && this.#isMined(txid)))
      assert.ok(
        shown.some((one) => one.txid === txid),
        `${txid} is neither shown nor told as unread`,
      );
  }

  /** A payment reported as gone has left its block, or its coins are spent in another one. */
  async #ask(missing: readonly ObservedPayment[]): Promise<void> {
    const requests = missing.map(({ status, inputs = [], ...one }): Missing => {
      const block = status.at === 'block' ? { block: { height: status.height, hash: status.hash } } : {};
      return { ...one, inputs, ...block };
    });
    for (const [at, fate] of (await this.#explorer.payin.seek(requests)).entries()) {
      const { txid, status } = missing[at] as ObservedPayment;
      if (fate.is === 'there' && fate.sighting) this.#mustBeThere(fate.sighting);
      if (fate.is !== 'gone') continue;
      const block = this.#world.status(txid)?.block;
      const isWhereItWas = status.at === 'block' && block !== undefined && block.hash === this.#blocks.get(txid);
      assert.ok(!isWhereItWas, `${txid} is called gone by ${fate.by.kind}, and is where it was`);
      assert.ok(fate.by.kind === 'block' || !block, `${txid} is called spent elsewhere, and is mined`);
    }
  }

  /** The explorer answers correctly again: every payment in a block is shown within some polls. */
  async rest(): Promise<void> {
    this.#explorer.tricks = HONEST;
    this.#mood = 'honest';
    this.#world.lag = 0;
    this.#world.mine(1);
    const found = new Set<string>();
    for (let polls = 0; polls < ENOUGH; polls += 1) {
      await this.#look();
      for (const one of this.#seen.values()) if (one.status.at === 'block') found.add(one.txid);
    }
    for (const { txid } of this.#paid) assert.ok(!this.#isMined(txid) || found.has(txid), `${txid} is lost`);
  }
}

test(`${SEEDS} seeds of ${STEPS} steps: nothing is shown that the chain doesn't have, and nothing is lost`, async () => {
  configureLog({ sink: () => {} });
  const only = process.env['SIM_SEED'];
  const [first, last] = only === undefined ? [1, SEEDS] : [Number(only), Number(only)];
  for (let seed = first; seed <= last; seed += 1) {
    const watched = new Watched(seed);
    const steps: string[] = [];
    try {
      for (let step = 0; step < STEPS; step += 1) steps.push(await watched.step());
      await watched.rest();
    } catch (cause) {
      throw new Error(`seed ${seed}: ${(cause as Error).message} (${steps.slice(-8).join(', ')})`, { cause });
    }
  }
});
