// Actions of the owner of a seed's stores, and of those whom they refund: balances move to the wallet and back, by hand and daily;
// refunds are made, claimed wholly and in parts, decided by the desk, and cancelled, and payouts of claims come back. They have their own dice, so that they shift nobody else's story.

import { settlementAbout } from '@kurs/contract';
import { type Money, format, money } from '@kurs/money';
import { makeCode } from '../../auth/index.ts';
import { alone } from '../../collecting/index.ts';
import { decideAsDesk } from '../../gate/index.ts';
import { refundSecret } from '../../gate/testing.ts';
import type { Context } from '../../platform/index.ts';
import { type Dice, openDice } from '../dice.ts';
import type { Process, World } from '../world.ts';
import { refusable } from './customers.ts';
import { MERCHANT } from './stores.ts';

const UNITS = ['BTC', 'USDT'] as const;
const METHODS = ['BTC', 'USDT_ERC20'] as const;
/** Blocks of the deepest payout that a reorg removes. */
const LATEST = 20;
const SESSION = `session of ${MERCHANT.id}`;

/** The stores' owner, and claimants of refunds, in one seed. */
export class StoreOwner {
  readonly #world: World;
  readonly #dice: Dice;

  constructor(world: World) {
    this.#world = world;
    this.#dice = openDice(world.seed ^ 0x6f3e);
  }

  /** Perhaps one of them acts. Returns what happened, or undefined. */
  async move(): Promise<string | undefined> {
    const dice = this.#dice;
    if (!dice.chance(0.4)) return undefined;
    const step = dice.weighed([
      [3, this.#toWallet],
      [1, this.#toStore],
      [0.5, this.#daily],
      [4, this.#refund],
      [4, this.#claim],
      [0.5, this.#cancel],
      [1, this.#decide],
      [1.5, this.#bounce],
    ] as const);
    return step();
  }

  /** Makes a call, during which the process may die. */
  async #call(what: string, name: string, work: (process: Process) => Promise<unknown>): Promise<string> {
    const [dice, world] = [this.#dice, this.#world];
    const awaits = dice.chance(world.mood.deaths) ? dice.int(0, 40) : Infinity;
    await world.ground.poll();
    return refusable(what, async () => {
      const lived = await world.live(name, async (process) => void (await work(process)), awaits);
      if (lived) world.tally.fault(name);
      return lived ? '' : 'and we die of it';
    });
  }

  #owner({ db }: Process): Context {
    const { id, email } = MERCHANT;
    return { ...this.#world.visitor(db, 300), user: { id, email, isEmailVerified: true, sessionId: SESSION } };
  }

  /** Returns balances above zero, each with its store. */
  #balances(): { readonly store: string; readonly sum: Money }[] {
    return this.#world.shops.flatMap(({ id: store }) =>
      UNITS.flatMap((unit) => {
        const parts = this.#world.auditor.shown(`merchant:${store}:${unit}`);
        return parts > 0n ? [{ store, sum: money(unit, parts) }] : [];
      }),
    );
  }

  #someOf({ unit, parts }: Money): Money {
    return money(unit, this.#dice.chance(0.4) ? parts : (parts * BigInt(this.#dice.int(5, 95))) / 100n);
  }

  /** Returns the mailed code for a move. */
  #code(direction: 'to_wallet' | 'to_store', wanted: Parameters<typeof settlementAbout>[1]): Promise<string> {
    const subject = [MERCHANT.id, SESSION, settlementAbout(direction, wanted)].join(' ');
    return this.#world.ground.db.tx((tx) => makeCode(tx, { purpose: 'money_out', subject }));
  }

  readonly #toWallet = async (): Promise<string | undefined> => {
    const all = this.#balances();
    if (all.length === 0) return undefined;
    const { store, sum } = this.#dice.pick(all);
    const [unit, amount] = [sum.unit, format(this.#someOf(sum))];
    return this.#call(`the owner moves ${amount} ${unit} to the wallet`, 'moving a balance', async (process) => {
      const otp = await this.#code('to_wallet', { store, unit, amount });
      await process.calls.settlementMake({ store, currency: unit, amount, otp }, this.#owner(process));
    });
  };

  readonly #toStore = async (): Promise<string | undefined> => {
    const [dice, { auditor, shops }] = [this.#dice, this.#world];
    const unit = dice.pick(UNITS);
    const parts = auditor.shown(`wallet:${MERCHANT.id}:${unit}`);
    if (parts <= 0n) return undefined;
    const [{ id: store }, amount] = [dice.pick(shops), format(this.#someOf(money(unit, parts)))];
    return this.#call(`the owner moves ${amount} ${unit} back to a store`, 'moving a balance back', async (process) => {
      const otp = await this.#code('to_store', { store, unit, amount });
      await process.calls.settlementMoveBack({ store, currency: unit, amount, otp }, this.#owner(process));
    });
  };

  readonly #daily = async (): Promise<string | undefined> => {
    const [{ id: store }, on] = [this.#dice.pick(this.#world.shops), this.#dice.chance(0.6)];
    return this.#call(`daily moves go ${on ? 'on' : 'off'}`, 'switching daily moves', (process) =>
      process.calls.settlementDaily({ store, on }, this.#owner(process)),
    );
  };

  /** Refunds an invoice, wholly or in part, or a sum without one. */
  readonly #refund = async (): Promise<string | undefined> => {
    const [dice, { auditor, shops }] = [this.#dice, this.#world];
    const settled = auditor.invoices.all.filter(({ state }) => state === 'settled');
    const invoice = settled.length > 0 && dice.chance(0.8) ? dice.pick(settled) : undefined;
    const paid = invoice?.payments.reduce((all, { credit }) => all + credit, 0n) ?? BigInt(dice.int(1_000, 40_000));
    const amount = format(money('USD', dice.chance(0.6) ? paid : (paid * BigInt(dice.int(5, 95))) / 100n));
    const store = invoice?.store.id ?? dice.pick(shops).id;
    const request = { store, amount, currency: 'USD', ...(invoice && { invoice: invoice.id }) };
    return this.#call(`a refund of ${amount} USD is made`, 'making a refund', (process) =>
      process.calls.refundMake(request, this.#owner(process)),
    );
  };

  readonly #claim = async (): Promise<string | undefined> => {
    const [dice, world] = [this.#dice, this.#world];
    const { open } = world.auditor.stores;
    if (open.length === 0) return undefined;
    const refund = dice.pick(open);
    const [rest] = refund.rests;
    if (!rest) return undefined;
    const method = dice.pick(METHODS);
    const part = dice.chance(0.3) ? { unit: rest.unit, amount: format(this.#someOf(money(rest.unit as 'BTC', rest.parts))) } : {};
    const to = { ...world.chainOf(method).memory.receiver() };
    const token = refundSecret(world.ground.sender.tokens, refund.id);
    return this.#call(`a refund is claimed in ${method}`, 'claiming a refund', (process) =>
      process.calls.refundClaim({ id: refund.id, token, method, to, ...part }, world.visitor(process.db, 330)),
    );
  };

  /** One or two people of the desk approve or reject a claim that waits for them, also one that takes more people. */
  readonly #decide = async (): Promise<string | undefined> => {
    const [dice, { auditor, ground }] = [this.#dice, this.#world];
    const waiting = auditor.stores.claims.filter(({ state }) => state === 'approving');
    if (waiting.length === 0) return undefined;
    const { id } = dice.pick(waiting);
    const [action, by] = [dice.chance(0.75) ? 'approve' : 'reject', dice.chance(0.8) ? ['ann', 'bob'] : ['ann']] as const;
    return this.#call(`desk: ${action} the claim ${id}`, 'a word on a claim', ({ db }) =>
      alone(db, (unit) => decideAsDesk(unit, ground.sender, { id, action, reason: 'simulated', by })),
    );
  };

  /** The payout of a claim is removed by a reorg, and fails when the same bytes come again: the money is back. */
  readonly #bounce = async (): Promise<string | undefined> => {
    const [dice, world] = [this.#dice, this.#world];
    const sent = world.auditor.stores.claims.flatMap(({ id, currency, txid }) => {
      const chain = world.chainOf(currency);
      const depth = txid === undefined ? 0 : chain.depthOf(txid);
      return chain.isChain && depth > 0 && depth <= LATEST ? [{ id, chain, depth, txid }] : [];
    });
    if (sent.length === 0) return undefined;
    const { id, chain, depth, txid } = dice.pick(sent);
    chain.reorg(depth, (one) => one.id === txid);
    chain.mine(1);
    chain.memory.world.inject('send', { kind: 'lie' });
    world.tally.fault('the payout of a claim comes back');
    return `the payout of the claim ${id} bounces`;
  };

  readonly #cancel = async (): Promise<string | undefined> => {
    const { open } = this.#world.auditor.stores;
    if (open.length === 0) return undefined;
    const { id, store } = this.#dice.pick(open);
    return this.#call('a refund is cancelled', 'cancelling a refund', (process) =>
      process.calls.refundCancel({ store: store.id, id }, this.#owner(process)),
    );
  };
}
