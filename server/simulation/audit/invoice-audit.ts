// The auditor's part about invoices: their rows and payments, and their expected balances in the books. It uses none of the code
// that it checks.

import { type Rate, scaleOf } from '@kurs/money';
import type { StoredOrder } from '../../exchange/index.ts';
import { type StoredInvoice, invoicesById } from '../../gate/testing.ts';
import { accounts } from '../../ledger/index.ts';
import type { Db } from '../../platform/index.ts';
import { Fault, worth } from './invariants.ts';

type Invoice = StoredInvoice['view'];
type Payment = Invoice['payments'][number];
type Option = Invoice['options'][number];

/** Sums in an invoice's own columns. */
interface SumsRow {
  readonly id: string;
  readonly credited: string;
  readonly pending: string;
  readonly reserved: string;
}

/** Returns the balance of an account as shown. */
type Shown = (name: string) => bigint;
/** Returns the worth of one unit in another since the last check. */
type Markets = (from: string, to: string) => readonly Rate[];

const UNFINISHED: ReadonlySet<string> = new Set(['open', 'confirming', 'short']);
/** Stages of a payment whose money stands in `invoice:in`. */
const STANDING: ReadonlySet<string> = new Set(['held', 'waiting']);

const sum = (parts: readonly bigint[]): bigint => parts.reduce((a, b) => a + b, 0n);
const given = ({ handedOver = [] }: Payment): bigint => sum(handedOver.map(({ parts, taken }) => parts - taken));
/** Worth of a payment that its payer was given back when the invoice ended. */
const backOf = ({ givenBack }: Payment): bigint => (givenBack ? givenBack.parts - givenBack.taken : 0n);
/** Part of a final payment that is its invoice's. */
const ownOf = (payment: Payment): bigint => payment.parts - (payment.taken ?? 0n) - given(payment);

export class InvoiceAudit {
  readonly #db: Db;
  readonly #tally: (what: string) => void;
  #invoices: readonly StoredInvoice[] = [];
  #before = new Map<string, Invoice>();
  /** Payments that were ever held. */
  readonly held = new Set<string>();

  constructor(db: Db, tally: (what: string) => void) {
    this.#db = db;
    this.#tally = tally;
  }

  /** Returns the invoices in their state at the last check. */
  get all(): readonly Invoice[] {
    return this.#invoices.map(({ view }) => view);
  }

  find(id: string): Invoice | undefined {
    return this.all.find((one) => one.id === id);
  }

  /** Reads the invoices, and checks each alone. */
  async read(markets: Markets): Promise<void> {
    const rows = await this.#db.rows<SumsRow>(READ, [], { name: 'simulation.invoices' });
    this.#before = new Map(this.all.map((view) => [view.id, view]));
    this.#invoices = await invoicesById(
      this.#db,
      rows.map(({ id }) => id),
    );
    const sums = new Map(rows.map((row) => [row.id, row]));
    for (const view of this.all) {
      mustSum(view, sums.get(view.id));
      mustReserve(view);
      mustBePaid(view);
      const before = this.#before.get(view.id);
      for (const payment of view.payments) {
        const was = before?.payments.find(({ id }) => id === payment.id);
        if (payment.stage === 'held') this.held.add(payment.id);
        if (payment.stage !== was?.stage) this.#tally(`a payment to an invoice: ${payment.stage}`);
        if (payment.stage === 'given_back' && was?.stage !== 'given_back') mustBeGivenBack(payment, markets);
        // A settled payment that comes again is booked at its own amounts.
        if (payment.stage !== 'credited' || was?.stage === 'credited' || was?.unsettled) continue;
        mustBeWorth(view, payment, markets);
        mustPay(view, payment);
        mustBeOfMoment(view, payment, markets);
      }
      if (before?.state !== view.state) this.#tally(`an invoice: ${view.state}`);
    }
    mustBeOnce(this.all);
  }

  /** Returns expected balances by account name: what arrived, what was converted, and what is reserved. */
  expected(): Map<string, bigint> {
    const sums = new Map<string, bigint>();
    const add = ({ name }: { readonly name: string }, parts: bigint): void => void sums.set(name, (sums.get(name) ?? 0n) + parts);
    for (const { id, terms, payments } of this.all)
      for (const payment of payments) {
        const { unit, stage, booked, reserve } = payment;
        add(accounts.invoiceIn(id, unit), STANDING.has(stage) ? ownOf(payment) : 0n);
        add(accounts.invoiceReserve(id, terms.settlement.unit), reserve);
        if (booked && booked.fee === undefined && stage !== 'given_back') add(accounts.invoiceSet(id, booked.unit), booked.set);
      }
    return sums;
  }

  /** Returns what settled payments brought their stores and was not taken back. */
  settled(): {
    readonly store: string;
    readonly unit: string;
    readonly net: bigint;
    readonly currency: string;
    readonly txid: string;
  }[] {
    return this.all.flatMap(({ store, payments }) =>
      payments.flatMap(({ stage, booked, currency, txid }) =>
        stage === 'credited' && booked?.fee !== undefined
          ? [{ store: store.id, unit: booked.unit, net: booked.set - booked.fee, currency, txid }]
          : [],
      ),
    );
  }

  /**
   * Stores, with what they owe, have what was settled and neither taken back nor gone; the desk has its fees. `out`: what left a store's
   * balance, less the returned sums.
   */
  mustSettle(shown: Shown, out: (store: string, unit: string) => bigint): void {
    const [settled, fees] = [new Map<string, bigint>(), new Map<string, bigint>()];
    const stores = new Map<string, Set<string>>();
    for (const { store, payments } of this.all) {
      const party = store.businessId === undefined ? store.holderId : `business_${store.businessId}`;
      stores.set(party, (stores.get(party) ?? new Set()).add(store.id));
      for (const { booked } of payments) {
        if (booked?.fee === undefined) continue;
        const key = `${party} ${booked.unit}`;
        settled.set(key, (settled.get(key) ?? 0n) + booked.set - booked.fee);
        fees.set(booked.unit, (fees.get(booked.unit) ?? 0n) + booked.fee);
      }
    }
    for (const [party, ids] of stores)
      for (const unit of ['BTC', 'USDT']) {
        const balances = sum([...ids].map((id) => shown(accounts.merchant(id, unit).name) + out(id, unit)));
        const has = balances - shown(accounts.receivable(party, unit).name);
        const should = settled.get(`${party} ${unit}`) ?? 0n;
        if (has !== should) throw new Fault(`the stores of ${party} have ${has} ${unit}, and ${should} were settled`);
      }
    for (const unit of ['BTC', 'USDT']) {
      const [has, should] = [shown(accounts.income('gate', unit).name), fees.get(unit) ?? 0n];
      if (has !== should) throw new Fault(`the desk's fees of invoices are ${has} ${unit}, and ${should} were taken`);
    }
  }

  /**
   * Money that an invoice doesn't need has become unallocated payments of the exchange, and no more than that. Those may have made
   * further ones of parts that came again.
   */
  mustBeHandedOver(orders: ReadonlyMap<string, StoredOrder>): void {
    if (this.#invoices.length === 0) return;
    const has = new Map<string, bigint>();
    for (const { view } of orders.values())
      for (const { id, status, parts } of view.payments) if (status === 'final') has.set(id, (has.get(id) ?? 0n) + parts);
    for (const { id, payments } of this.all)
      for (const payment of payments) {
        const [should, is] = [given(payment) + backOf(payment), has.get(payment.id) ?? 0n];
        if (is !== should) throw new Fault(`the invoice ${id} gave ${should} of ${payment.id} to its payer, who has ${is}`);
      }
  }

  /** Throws if a due figure that was shown is not amount − credited − pending. */
  mustBeDue(id: string, shownDue: string | undefined): void {
    const view = this.find(id);
    if (!view || view.terms.amount === undefined) return;
    const due = view.terms.amount - sum(view.payments.map(({ credit, pending }) => credit + pending));
    const should = due > 0n ? due : 0n;
    if (shownDue === undefined || partsOf(shownDue, view.terms.currency) !== should)
      throw new Fault(`the invoice ${id} asks for ${shownDue}, and ${should} are due`);
  }

  /**
   * Returns the parts of a currency that came for invoices and are neither their payers' nor taken back. What the desk gave back for
   * a payment counts with the payer's order, and is left out.
   */
  credited(currency: string): { readonly key: string; readonly parts: bigint }[] {
    return this.all.flatMap(({ payments }) =>
      payments
        .filter((one) => one.currency === currency && one.status === 'final')
        .map((one) => ({ key: `${currency} ${one.txid}`, parts: ownOf(one) - backOf(one) })),
    );
  }

  /** Returns final payments in a currency, with the number of confirmations that they needed. */
  finals(): readonly Payment[] {
    return this.all.flatMap(({ payments }) =>
      payments.filter(({ status, walletOf }) => status === 'final' && walletOf === undefined),
    );
  }

  /** Returns unfinished work in words. Invoices with held payments wait for people. */
  whatMoves(): string | undefined {
    const one = this.all.find(({ state, payments }) => UNFINISHED.has(state) && !payments.some(({ stage }) => stage === 'held'));
    const payment = this.all
      .flatMap(({ payments }) => payments)
      .find(({ stage }) => stage === 'waiting' || stage === 'returning');
    return one ? `the invoice ${one.id}, ${one.state}` : payment && `the payment ${payment.id}, ${payment.stage}`;
  }
}

/** The columns of an invoice are the sums of its payments. */
function mustSum({ id, payments }: Invoice, row: SumsRow | undefined): void {
  const own = (of: (payment: Payment) => bigint): string => sum(payments.map(of)).toString();
  const pairs = [
    ['credited', own(({ credit }) => credit), row?.credited],
    ['pending', own(({ pending }) => pending), row?.pending],
    ['reserved', own(({ reserve }) => reserve), row?.reserved],
  ] as const;
  for (const [name, should, is] of pairs)
    if (is !== should) throw new Fault(`the invoice ${id} has ${is} ${name}, its payments make ${should}`);
}

/** Only a pending payment in time of an unfinished invoice has a reserve; and only such a one, or a held one, is pending. */
function mustReserve({ id, state, payments }: Invoice): void {
  for (const { id: payment, stage, isLate, reserve, pending, credit, booked } of payments) {
    const isExpected = UNFINISHED.has(state) && stage === 'seen' && !isLate;
    if (reserve > 0n && (!isExpected || pending === 0n))
      throw new Fault(`the payment ${payment}, ${stage}, has a reserve of ${reserve} from the invoice ${id}, ${state}`);
    if (pending > 0n && !isExpected && !(stage === 'held' && UNFINISHED.has(state)))
      throw new Fault(`the payment ${payment}, ${stage}, is pending for the invoice ${id}, ${state}`);
    const isBooked = stage === 'credited' || stage === 'returning' || stage === 'given_back';
    if ((credit > 0n && stage !== 'credited') || (booked && !isBooked))
      throw new Fault(`the payment ${payment}, ${stage}, has a credit of ${credit}`);
  }
}

/** Nobody is settled below what is needed; an invoice that is paid is settled, and one that is short is not. */
function mustBePaid({ id, state, terms, payments, firstCredit, accepted }: Invoice): void {
  const { amount, tolerance } = terms;
  const credited = sum(payments.map(({ credit }) => credit));
  const asked = amount === undefined ? (firstCredit ?? 0n) : amount - (amount * BigInt(tolerance)) / 10_000n;
  const needed = accepted ?? asked;
  const isPaid = credited > 0n && credited >= needed;
  if (state === 'settled' && !isPaid) throw new Fault(`the invoice ${id} is settled with ${credited}, and needs ${needed}`);
  if (UNFINISHED.has(state) && isPaid) throw new Fault(`the invoice ${id} is ${state} with ${credited}, and needs ${needed}`);
  for (const { id: payment, booked, stage } of payments) {
    if (booked && stage === 'credited' && (booked.fee === undefined) !== UNFINISHED.has(state))
      throw new Fault(`the fee of the payment ${payment} is ${booked.fee}, and its invoice is ${state}`);
  }
}

/**
 * Nobody is credited with more than their payment is worth at the best rate that they were shown: the locked one, if it was made
 * in time for an invoice with an amount, or the market's since the last check.
 */
function mustBeWorth(view: Invoice, payment: Payment, markets: Markets): void {
  const { terms, options } = view;
  const { id, unit, credit, booked, isLate } = payment;
  const option = options.find((one) => one.id === payment.optionId) as Option;
  if (!booked || unit === 'LTC') throw new Fault(`the payment ${id} in ${unit} was credited with ${credit}`);
  const isLocked = !isLate && terms.amount !== undefined;
  const inUsd = (rates: readonly Rate[]): bigint => max(rates.map((one) => worth(booked.parts, unit, 'USD', one)));
  const best = inUsd([...markets(unit, 'USD'), ...(isLocked ? [option.price.mid] : [])]);
  if (credit > best) throw new Fault(`${booked.parts} ${unit} of ${id} are credited with ${credit}, worth at most ${best}`);
  if (booked.unit === unit) return;
  const rates = [...markets(unit, booked.unit), ...(isLocked && option.price.terms.mid ? [option.price.terms.mid] : [])];
  const most = max(rates.map((one) => worth(booked.parts, unit, booked.unit, one)));
  if (booked.set > most)
    throw new Fault(`the store gets ${booked.set} for ${booked.parts} ${unit} of ${id}, worth at most ${most}`);
}

/** A payment in time of the amount that its option shows is credited with the sum of the option. */
function mustPay(
  { id: invoice, state, terms, options, payments }: Invoice,
  { id, optionId, isLate, parts, credit }: Payment,
): void {
  const option = options.find((one) => one.id === optionId);
  const isAlone = payments.every((one) => one.id === id || one.optionId !== optionId);
  if (terms.amount === undefined || option?.parts === undefined || isLate || !isAlone || parts < option.parts) return;
  if (state !== 'settled' && credit < (option.pays ?? 0n))
    throw new Fault(
      `the payment ${id} of ${parts}, in time for the invoice ${invoice}, is credited with ${credit} of ${option.pays}`,
    );
}

/** Cents by which a credit may differ from the worth of a payment: both are rounded. */
const ROUNDING = 3n;

/** A payment that holds no rate, since it is late or to a top-up, is credited at a rate of the market since the last check. */
function mustBeOfMoment({ terms }: Invoice, payment: Payment, markets: Markets): void {
  const { id, unit, isLate, credit, booked } = payment;
  const isInKind = booked?.unit === unit && unit !== terms.settlement.unit;
  if (!booked || unit !== 'BTC' || (!isLate && terms.amount !== undefined) || (isInKind && !terms.isBorneByStore)) return;
  const parts = terms.isBorneByStore ? booked.parts : booked.exchanged > 0n ? booked.exchanged : booked.set;
  const worths = markets(unit, 'USD').map((rate) => worth(parts, unit, 'USD', rate));
  if (worths.every((one) => one - credit > ROUNDING || credit - one > ROUNDING))
    throw new Fault(`${parts} BTC of ${id}, which hold no rate, are credited with ${credit}, worth ${worths.join(' or ')}`);
}

/** A payment that is given back brings the coin itself, or what the store would have got at the market's rate, without the spread. */
function mustBeGivenBack({ id, unit, booked, givenBack }: Payment, markets: Markets): void {
  if (!booked || !givenBack) throw new Fault(`the payment ${id} is given back, and nothing of it was booked`);
  const most =
    booked.unit === unit ? booked.set : max(markets(booked.unit, unit).map((one) => worth(booked.set, booked.unit, unit, one)));
  if (givenBack.parts > most) throw new Fault(`${givenBack.parts} ${unit} of ${id} are given back, worth at most ${most}`);
}

const max = (all: readonly bigint[]): bigint => all.reduce((a, b) => (a > b ? a : b), 0n);

/** A payment belongs to one invoice, which counts each part of it once: as its own, as its payer's, or as taken back. */
function mustBeOnce(invoices: readonly Invoice[]): void {
  const known = new Set<string>();
  for (const { id: invoice, payments } of invoices)
    for (const payment of payments) {
      const { id, stage, parts, booked } = payment;
      if (known.has(id)) throw new Fault(`the payment ${id} counts for another invoice and for ${invoice}`);
      known.add(id);
      const own = ownOf(payment);
      if (own < 0n) throw new Fault(`the invoice ${invoice} gave away more than the ${parts} of ${id}`);
      const counted = booked?.parts ?? 0n;
      const isCounted = stage === 'credited' || stage === 'returning' || stage === 'given_back';
      if (isCounted && counted !== own) throw new Fault(`${own} of the payment ${id} count, and ${counted} were credited`);
      if (stage === 'unallocated' && own !== 0n) throw new Fault(`${own} of the payment ${id} are nobody's`);
    }
}

/** Returns an amount in its smallest parts. */
function partsOf(text: string, unit: string): bigint {
  const [whole = '', digits = ''] = text.split('.');
  return BigInt(whole + digits.padEnd(scaleOf(unit), '0').slice(0, scaleOf(unit)));
}

const READ = `select id, credited::text, pending::text, reserved::text from invoice order by created_at, id`;
