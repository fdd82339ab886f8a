// An invoice in memory, for tests: its steps are played, and its accounts are compared with its sums after each of them.

import assert from 'node:assert/strict';
import { min } from '../../collecting/index.ts';
import { type AccountRef, type Leg, accounts, leg } from '../../ledger/index.ts';
import type { InvoiceStep, StepContext } from './draft.ts';
import { type Invoice, handedOver, inOf, ownOf, payersPart } from './invoice.ts';
import { arrive, choose, isCounted } from './steps.ts';
import { CUSTODY, NEW, OPTION, at, reported } from './steps.testing.ts';
import { comeBack, reverse } from '../reversals/taken-back.ts';

/** Plays an invoice in memory: keeps its accounts, and checks that its sums agree with them after each step. */
export class Course {
  invoice: Invoice;
  readonly accounts = new Map<string, bigint>();
  readonly news: string[] = [];

  constructor(invoice: Invoice = choose(NEW, OPTION).invoice) {
    this.invoice = invoice;
  }

  /** Takes a step, and hands the payers' money over, as the room does after each step. */
  take(step: InvoiceStep | undefined): this {
    assert.ok(step, 'the machine takes the event');
    for (const one of step.legs) this.#move(one);
    this.invoice = step.invoice;
    this.news.push(...step.news.map(({ kind }) => kind));
    this.#handOver();
    this.#check();
    return this;
  }

  #handOver(): void {
    for (const payment of this.invoice.payments) {
      const parts = payersPart(payment);
      if (parts === 0n) continue;
      const orderId = `of_${payment.id}_${payment.handedOver?.length ?? 0}`;
      this.#move(leg(accounts.invoiceIn(this.invoice.id, 'BTC'), accounts.unallocated(orderId, 'BTC'), parts));
      this.invoice = handedOver(this.invoice, payment, orderId, at(0));
    }
  }

  /** Takes a payment back, or a part of it: the exchange gives up the payer's parts first, the latest before the others. */
  takeBack(id: string, given: StepContext, part?: bigint): this {
    const payment = this.invoice.payments.find((one) => one.id === id);
    if (!payment || !isCounted(payment)) return this;
    const away = payment.taken ?? 0n;
    if (part !== undefined && part > payment.parts - away) return this;
    let left = part ?? payment.parts;
    const after = (payment.handedOver ?? []).toReversed().map((one) => {
      const due = min(left, one.parts - one.taken);
      left -= due;
      if (due > 0n) this.#move(leg(accounts.unallocated(one.orderId, 'BTC'), CUSTODY, due));
      return { ...one, taken: one.taken + due };
    });
    const takenBack = { paymentId: id, rail: 'bitcoin', handedOver: after.toReversed() };
    return this.take(reverse(this.invoice, { ...takenBack, ...(part !== undefined && { parts: left }) }, given));
  }

  /** Lets a payment, or a part of it, come again: the exchange gets back first what it gave up. */
  comeAgain(id: string, given: StepContext, part?: bigint): this {
    const payment = this.invoice.payments.find((one) => one.id === id);
    const isNew = !isCounted(payment);
    if (!payment || (isNew && payment.stage !== 'reversed') || (!isNew && (part ?? payment.parts) > (payment.taken ?? 0n)))
      return this;
    const amount = min(part ?? payment.parts, payment.parts);
    let left = amount;
    const after = (payment.handedOver ?? []).toReversed().map((one) => {
      const due = min(left, one.taken);
      left -= due;
      if (due > 0n) this.#move(leg(CUSTODY, accounts.unallocated(one.orderId, 'BTC'), due));
      return { ...one, taken: one.taken - due };
    });
    const again = after.toReversed();
    if (!isNew) return this.take(comeBack(this.invoice, { paymentId: id, from: CUSTODY, handedOver: again, parts: left }));
    const back = { handedOver: again, taken: payment.parts - amount };
    const final = reported({ ...payment, status: 'final' });
    return this.take(arrive(this.invoice, final, { from: CUSTODY, back }, given));
  }

  #move({ from, to, parts }: Leg): void {
    const add = ({ name }: AccountRef, by: bigint): void => void this.accounts.set(name, (this.accounts.get(name) ?? 0n) + by);
    add(from, -parts);
    add(to, parts);
  }

  of(account: AccountRef): bigint {
    return this.accounts.get(account.name) ?? 0n;
  }

  #check(): void {
    const { payments, id } = this.invoice;
    const sum = (parts: readonly bigint[]): bigint => parts.reduce((a, b) => a + b, 0n);
    assert.equal(this.of(accounts.invoiceIn(id, 'BTC')), sum(payments.map(inOf)), 'in');
    const waiting = payments.filter(({ stage }) => stage === 'held' || stage === 'waiting').map(ownOf);
    assert.equal(this.of(accounts.invoiceIn(id, 'BTC')), sum(waiting), 'all but held and waiting money is handed over');
    for (const { orderId, parts, taken } of payments.flatMap(({ handedOver: payers = [] }) => payers))
      assert.equal(this.of(accounts.unallocated(orderId, 'BTC')), parts - taken, 'the payer’s part');
    for (const payment of payments)
      if (payment.stage === 'credited') assert.equal(payment.booked?.parts, ownOf(payment), 'what is booked is the invoice’s');
    assert.equal(this.of(accounts.invoiceReserve(id, 'USDT')), sum(payments.map(({ reserve }) => reserve)), 'reserve');
    for (const unit of ['BTC', 'USDT']) {
      const set = payments.flatMap(({ booked }) => (booked?.unit === unit && booked.fee === undefined ? [booked.set] : []));
      assert.equal(this.of(accounts.invoiceSet(id, unit)), sum(set), `set in ${unit}`);
    }
    assert.equal(sum([...this.accounts].filter(([name]) => name.includes('BTC')).map(([, parts]) => parts)), 0n);
  }
}
