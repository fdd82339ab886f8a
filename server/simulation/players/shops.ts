// Actions of stores' members and their buyers in a seed's world: they make invoices, choose methods and choose again, pay right,
// short, too much, late, twice, in parts and in another coin, and cancel. Payments are taken back. They have their own dice, so
// that they shift nobody else's story.

import { format, money } from '@kurs/money';
import type { Context } from '../../platform/index.ts';
import { type Dice, openDice } from '../dice.ts';
import type { Process, World } from '../world.ts';
import { refusable } from './customers.ts';
import { remember, report } from './outside-events.ts';
import { MERCHANT } from './stores.ts';

type Invoice = World['auditor']['invoices']['all'][number];
type Option = Invoice['options'][number];

const HOUR = 3_600_000;
const METHODS = ['BTC', 'USDT_ERC20'] as const;
/** Most invoices that wait for their buyers. */
const MAX_OPEN = 6;
/** Depth up to which a payment is taken back: shallow on the chain of accounts. */
const [DEEPEST, LATEST] = [6, 20];

/** Smallest payments that rails show, in parts of the unit. */
const DUST: Readonly<Record<string, bigint>> = { BTC: 600n, USDT: 10_000n };

/** Weight with which buyers pay an invoice, by its state. */
const EAGER: Readonly<Record<string, number>> = {
  open: 16,
  confirming: 3,
  short: 8,
  settled: 1,
  expired: 2,
  cancelled: 2,
  invalid: 2,
};

/** Stores' members and buyers, in one seed. */
export class Shops {
  readonly #world: World;
  readonly #dice: Dice;
  /** Invoices in the answers to their makers, the newest last. */
  readonly #made: { readonly id: string; readonly store: string; readonly buyer: number }[] = [];

  constructor(world: World) {
    this.#world = world;
    this.#dice = openDice(world.seed ^ 0x540b);
  }

  /** Perhaps one of them acts. Returns what happened, or undefined. */
  async move(): Promise<string | undefined> {
    const [dice, { chains, time }] = [this.#dice, this.#world.mood];
    if (!dice.chance(0.5)) return undefined;
    const step = dice.weighed([
      [4, this.#make],
      [6, this.#choose],
      [9, this.#pay],
      [0.5, this.#cancel],
      [2, this.#decide],
      [0.5, this.#leaveEmail],
      [2.5, this.#look],
      [1.2 * chains, this.#takeBack],
      [0.8 * chains, this.#takeInPart],
      [2.5, this.#replace],
      [0.8 * time, this.#waitForEnd],
    ] as const);
    return step();
  }

  /** Returns the invoices that somebody knows, in their state at the last check. */
  #invoices(...states: readonly string[]): Invoice[] {
    return this.#made.flatMap(({ id }) => {
      const found = this.#world.auditor.invoices.find(id);
      return found && (states.length === 0 || states.includes(found.state)) ? [found] : [];
    });
  }

  #name({ id }: { readonly id: string }): string {
    return `invoice ${this.#made.findIndex((one) => one.id === id) + 1}`;
  }

  /** Makes a call of a member or a buyer, during which the process may die. */
  async #call(what: string, name: string, work: (process: Process) => Promise<unknown>): Promise<string> {
    const [dice, world] = [this.#dice, this.#world];
    const awaits = dice.chance(world.mood.deaths) ? dice.int(0, 30) : Infinity;
    await world.ground.poll();
    return refusable(what, async () => {
      const lived = await world.live(name, async (process) => void (await work(process)), awaits);
      return lived ? '' : 'and we die of it';
    });
  }

  #member({ db }: Process): Context {
    const { id, email } = MERCHANT;
    const user = { id, email, isEmailVerified: true, sessionId: `session of ${id}` };
    return { ...this.#world.visitor(db, 300), user };
  }

  #buyer({ db }: Process, id: string): Context {
    return this.#world.visitor(db, 310 + (this.#made.find((one) => one.id === id)?.buyer ?? 0));
  }

  readonly #make = async (): Promise<string | undefined> => {
    const [dice, world] = [this.#dice, this.#world];
    if (this.#invoices('open').length >= MAX_OPEN) return undefined;
    const store = dice.pick(world.shops);
    const usd = dice.weighed([
      [6, dice.int(20, 400)],
      [3, dice.int(400, 3_000)],
      [1, dice.int(3_000, 15_000)],
    ]);
    const isTopUp = dice.chance(0.3);
    const buyer = dice.int(1, 12);
    const request = {
      ...{ store: store.id, lines: [], metadata: { cart: buyer }, life_minutes: dice.pick([15, 30, 60, 600]) },
      ...(!isTopUp && { amount: `${usd}.${dice.int(10, 99)}` }),
      ...(dice.chance(0.7) && { email: `buyer${buyer}@example.org` }),
    };
    const what = `${store.name}: makes ${isTopUp ? 'a top-up' : `an invoice of ${request.amount}`}`;
    const method = dice.chance(0.7) ? { method: dice.pick(METHODS) } : {};
    const made = await this.#call(what, 'making an invoice', async (process) => {
      const { id } = await process.calls.invoiceMake({ ...request, ...(!isTopUp && method) }, this.#member(process));
      this.#made.push({ id, store: store.id, buyer });
    });
    await world.poll();
    const invoice = this.#invoices('open').at(-1);
    if (!invoice || !dice.chance(0.5)) return made;
    const paid = await this.#payTo(invoice);
    if (dice.chance(0.5)) await world.live('watching', (process) => process.run('payments:watch', 'events'));
    return `${made}; ${paid ?? 'nobody pays'}`;
  };

  /** A buyer chooses a method, another one than before, or the same again: of all that is due, or of a part. */
  readonly #choose = async (): Promise<string | undefined> => {
    const [dice, { auditor }] = [this.#dice, this.#world];
    const open = this.#invoices('open', 'short');
    if (open.length === 0) return undefined;
    const invoice = dice.weighed(open.map((one) => [one.options.length === 0 ? 6 : 1, one] as const));
    const { id, terms } = invoice;
    const method = dice.pick(METHODS);
    const isPart = dice.chance(terms.amount === undefined ? 0.7 : 0.2);
    const half = terms.amount === undefined ? 5_000n : terms.amount / 3n;
    const request = { id, method, ...(isPart && { amount: format(money(terms.currency, half)) }) };
    return this.#call(`${this.#name(invoice)}: chooses ${method}`, 'choosing a method', async (process) => {
      await process.calls.paymentMethod(request, this.#buyer(process, id));
      const { due } = await process.calls.paymentInvoice({ id }, this.#buyer(process, id));
      auditor.invoices.mustBeDue(id, due);
    });
  };

  readonly #look = async (): Promise<string | undefined> => {
    const known = this.#invoices();
    if (known.length === 0) return undefined;
    const invoice = this.#dice.weighed(known.map((one) => [one.payments.length === 0 ? 1 : 4, one] as const));
    const { id } = invoice;
    return this.#call(`${this.#name(invoice)}: is looked at`, 'looking at an invoice', async (process) => {
      const { due } = await process.calls.paymentInvoice({ id }, this.#buyer(process, id));
      this.#world.auditor.invoices.mustBeDue(id, due);
    });
  };

  /** Pays to an option of an invoice, in any state of the invoice. */
  readonly #pay = async (): Promise<string | undefined> => {
    const payable = this.#invoices().filter(({ options }) => options.some(({ to }) => to !== undefined));
    if (payable.length === 0) return undefined;
    const eager = ({ state, payments }: Invoice): number => (EAGER[state] ?? 0) / (1 + payments.length ** 2);
    return this.#payTo(this.#dice.weighed(payable.map((one) => [eager(one), one] as const)));
  };

  async #payTo(invoice: Invoice): Promise<string | undefined> {
    const [dice, world] = [this.#dice, this.#world];
    const options = invoice.options.filter(({ to }) => to !== undefined);
    if (options.length === 0) return undefined;
    const option = dice.chance(0.85) ? (options.at(-1) as Option) : dice.pick(options);
    const [kind, percent] = dice.weighed([
      [12, ['right', 100]],
      [4, ['short', dice.int(30, 99)]],
      [3, ['half', 50]],
      [1, ['a little too much', 101]],
      [3, ['too much', dice.int(103, 300)]],
      [0.7, ['dust', 0]],
    ] as const);
    const isForeign = option.currency === 'BTC' && dice.chance(0.08);
    const asked = option.parts ?? option.least * BigInt(dice.int(20, 900));
    const parts = isForeign ? BigInt(dice.int(1, 9)) * 10n ** 8n : max((asked * BigInt(percent)) / 100n, DUST[option.unit] ?? 1n);
    const currency = isForeign ? 'LTC' : option.currency;
    const chain = world.chainOf(currency);
    // Providers send money back to the account that paid.
    const { address: from } = chain.isChain ? {} : chain.memory.receiver();
    if (from !== undefined) world.payers.add(from);
    chain.pay(option.to ?? '', parts, {
      ...(from && { from }),
      currency,
      isFeeOk: !dice.chance(0.1),
      isReplaceable: dice.chance(0.05),
    });
    world.tally.fault(`pays an invoice ${isForeign ? 'in another coin' : kind}`);
    if (world.now > option.lockUntil.getTime()) world.tally.fault('pays an invoice late');
    return `${this.#name(invoice)} (${invoice.state}): is paid ${isForeign ? 'in LTC' : kind}, ${parts} ${currency}`;
  }

  readonly #cancel = async (): Promise<string | undefined> => {
    const open = this.#invoices('open');
    if (open.length === 0) return undefined;
    const invoice = this.#dice.pick(open);
    const request = { store: invoice.store.id, id: invoice.id };
    return this.#call(`${this.#name(invoice)}: is cancelled`, 'cancelling an invoice', (process) =>
      process.calls.invoiceCancel(request, this.#member(process)),
    );
  };

  /** A member accepts money that came short or late, or gives back a short invoice. */
  readonly #decide = async (): Promise<string | undefined> => {
    const [dice, world] = [this.#dice, this.#world];
    const late = this.#invoices('expired', 'cancelled', 'invalid').filter(({ payments }) =>
      payments.some(({ handedOver = [] }) => handedOver.length > 0),
    );
    const open = [...this.#invoices('short'), ...late];
    if (open.length === 0) return undefined;
    const invoice = dice.pick(open);
    const { id, state, version, store } = invoice;
    const isGivenBack = state === 'short' && dice.chance(0.5);
    const request = { store: store.id, id, version };
    const what = isGivenBack ? 'given back' : 'accepted';
    const said = await this.#call(`${this.#name(invoice)} (${state}): is ${what}`, 'deciding', (process) =>
      isGivenBack
        ? process.calls.invoiceGiveBack(request, this.#member(process))
        : process.calls.invoiceAccept(request, this.#member(process)),
    );
    await world.poll();
    const after = world.auditor.invoices.find(id)?.state;
    if (after !== state) world.tally.fault(`what is ${state === 'short' ? 'short' : 'late'} is ${what}`);
    return said;
  };

  readonly #leaveEmail = async (): Promise<string | undefined> => {
    const known = this.#invoices();
    if (known.length === 0) return undefined;
    const invoice = this.#dice.pick(known);
    const request = { id: invoice.id, email: 'reader@example.org' };
    return this.#call(`${this.#name(invoice)}: gets an address`, 'leaving an address', (process) =>
      process.calls.paymentEmail(request, this.#buyer(process, invoice.id)),
    );
  };

  /** Returns the payments that are in a block of their chain, so shallow that they may be taken back. */
  #shallow() {
    return this.#invoices().flatMap((invoice) =>
      invoice.payments.flatMap(({ currency, txid }) => {
        const chain = this.#world.chainOf(currency);
        const depth = chain.depthOf(txid);
        return depth > 0 && depth <= (chain.rail.id === 'evm' ? DEEPEST : LATEST) ? [{ invoice, chain, txid, depth }] : [];
      }),
    );
  }

  /** A payment is reversed: by a reorg in which it was spent twice, or by a chargeback. */
  readonly #takeBack = async (): Promise<string | undefined> => {
    const [world, found] = [this.#world, this.#shallow()];
    if (found.length === 0) return undefined;
    const { invoice, chain, txid, depth } = this.#dice.pick(found);
    const lost = chain.reorg(depth, ({ id }) => id === txid);
    remember(world, chain, lost);
    chain.mine(1);
    await report(world, chain, lost);
    world.tally.fault('a payment to an invoice is taken back');
    return `${this.#name(invoice)} (${invoice.state}): a payment is taken back, ${depth} deep`;
  };

  /** A payment that its invoice has seen is replaced before it is in a block. */
  readonly #replace = async (): Promise<string | undefined> => {
    const [dice, world] = [this.#dice, this.#world];
    const waiting = this.#invoices().flatMap((invoice) =>
      invoice.payments.flatMap(({ currency, txid, stage }) => {
        const chain = world.chainOf(currency);
        return stage === 'seen' && chain.memory.world.status(txid)?.block === undefined ? [{ invoice, chain, txid }] : [];
      }),
    );
    if (waiting.length === 0) return undefined;
    const { invoice, chain, txid } = dice.pick(waiting);
    const tx = chain.memory.world.status(txid)?.tx;
    chain.disturbed.add(txid);
    if (tx) chain.memory.world.doubleSpend(txid);
    world.tally.fault('a payment to an invoice is replaced');
    return `${this.#name(invoice)} (${invoice.state}): a payment is replaced`;
  };

  /** A provider takes back a part of a final payment, or gives back some of what it took. */
  readonly #takeInPart = async (): Promise<string | undefined> => {
    const [dice, world] = [this.#dice, this.#world];
    const found = this.#shallow().filter(
      ({ invoice, chain, txid }) => !chain.isChain && invoice.payments.some((one) => one.txid === txid && one.status === 'final'),
    );
    if (found.length === 0) return undefined;
    const { invoice, chain, txid } = dice.pick(found);
    const paid = chain.paid.find((one) => one.txid === txid);
    const parts = dice.chance(0.3) ? 0n : ((paid?.parts ?? 0n) * BigInt(dice.int(1, 99))) / 100n;
    if (parts === chain.memory.world.takenOf(txid)) return undefined;
    chain.memory.world.takeInPart(txid, parts);
    const tx = chain.memory.world.status(txid)?.tx;
    if (tx) await report(world, chain, [tx]);
    world.tally.fault('a part of a payment to an invoice is taken back');
    return `${this.#name(invoice)} (${invoice.state}): ${parts} of a payment are away`;
  };

  /** Time passes to the end of an invoice's time, or of a lock. */
  readonly #waitForEnd = async (): Promise<string | undefined> => {
    const world = this.#world;
    const ends = this.#invoices('open', 'confirming').flatMap(({ expiresAt, options }) => [
      expiresAt.getTime(),
      ...options.map(({ lockUntil }) => lockUntil.getTime()),
    ]);
    const next = ends.filter((end) => end > world.now).sort((a, b) => a - b)[0];
    if (next === undefined) return undefined;
    await world.pass(Math.min(next - world.now + 1_000, 12 * HOUR));
    const lived = await world.live('keeping time', (process) => process.run('due', 'events'));
    return `the time of an invoice or a lock is over${lived ? '' : ', and we die of it'}`;
  };
}

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);
