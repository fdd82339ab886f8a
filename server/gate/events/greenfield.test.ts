// Events of the Greenfield API that a shop's plug-in gets about an invoice, course by course. No database.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accept, acceptLate, giveBack, lateOf } from '../invoices/decide.ts';
import type { InvoiceStep } from '../invoices/draft.ts';
import { type Invoice, type InvoiceMark, handedOver, payersPart } from '../invoices/invoice.ts';
import { mark } from '../invoices/mark.ts';
import { arrive, cancel, choose, drop, find, see, timeOver } from '../invoices/steps.ts';
import { CUSTODY, NEW, OPTION, at, context, paid, reported } from '../invoices/steps.testing.ts';
import { settleAgain } from '../reversals/settled-again.ts';
import { reverse } from '../reversals/taken-back.ts';
import { greenfieldOf } from './greenfield.ts';

const [WHOLE, HALF, DOUBLE] = ['0.0011224', '0.0005612', '0.0022448'];
const balances = { custody: 10n ** 9n, free: 10n ** 12n, merchant: 10n ** 12n };

/** Plays an invoice of 100 USD, and writes down each event of the Greenfield API in short. */
class Shop {
  invoice: Invoice = choose(NEW, OPTION).invoice;
  readonly told: string[] = [];

  #take(step: InvoiceStep | undefined): this {
    assert.ok(step, 'the machine takes the event');
    const before = this.invoice;
    for (const news of step.news)
      for (const { type, fields } of greenfieldOf({ before, invoice: { view: step.invoice } }, news)) {
        const { payment, manuallyMarked, overPaid, partiallyPaid } = fields as Record<string, unknown>;
        const { id = '', status = '' } = (payment ?? {}) as { id?: string; status?: string };
        const flags = { manuallyMarked, overPaid, partiallyPaid };
        const named = Object.entries(flags).flatMap(([name, value]) => (value === true ? [name] : []));
        this.told.push([type, id, status, ...named].filter(Boolean).join(' '));
      }
    this.invoice = step.invoice;
    for (const payment of this.invoice.payments)
      if (payersPart(payment) > 0n) this.invoice = handedOver(this.invoice, payment, `of-${payment.id}`, at(0));
    return this;
  }

  see = (id: string, btc: string, minute = 5) => this.#take(see(this.invoice, reported(paid(id, btc, minute)), context(minute)));
  final = (id: string, btc: string, minute = 5) =>
    this.#take(
      arrive(this.invoice, reported(paid(id, btc, minute, { status: 'final' })), { from: CUSTODY }, context(minute + 1)),
    );
  drop = (id: string) => this.#take(drop(this.invoice, id));
  end = () => this.#take(timeOver(this.invoice, at(61)));
  accept = () => this.#take(accept(this.invoice));
  acceptLate = () => this.#take(acceptLate(this.invoice, lateOf(this.invoice), context(70)));
  giveBack = () => this.#take(giveBack(this.invoice, context(62, { coins: new Map([['BTC', 10n ** 8n]]) })));
  cancel = () => this.#take(cancel(this.invoice));
  mark = (as: InvoiceMark) => this.#take(mark(this.invoice, as));
  takeBack = (paymentId: string) =>
    this.#take(reverse(this.invoice, { paymentId, rail: 'bitcoin', handedOver: [] }, context(80, { balances })));
  comeAgain(id: string): this {
    const payment = find(this.invoice, id) ?? assert.fail();
    return this.#take(settleAgain(this.invoice, { payment, from: CUSTODY, handedOver: [], parts: payment.parts, debt: 0n }));
  }
}

const ARRIVED = ['InvoiceReceivedPayment a-0 Processing', 'InvoiceProcessing'];
const SETTLED = ['InvoicePaymentSettled a-0 Settled', 'InvoiceSettled'];
const PART = ['InvoicePaymentSettled a-0 Settled', 'InvoiceExpired partiallyPaid', 'InvoiceExpiredPaidPartial'];
const ACCEPTED = ['InvoicePaymentSettled a-0 Settled', 'InvoicePaidAfterExpiration', 'InvoiceSettled'];

const COURSES: readonly (readonly [string, (shop: Shop) => unknown, readonly string[]])[] = [
  ['paid', (shop) => shop.see('a', WHOLE).final('a', WHOLE), [...ARRIVED, ...SETTLED]],
  [
    'paid in two',
    (shop) => shop.final('a', HALF).final('b', HALF),
    ['InvoicePaymentSettled a-0 Settled', 'InvoicePaymentSettled b-0 Settled', 'InvoiceSettled'],
  ],
  ['dropped', (shop) => shop.see('a', WHOLE).drop('a').end(), [...ARRIVED, 'InvoiceExpired']],
  ['settled over', (shop) => shop.final('a', DOUBLE), ['InvoicePaymentSettled a-0 Settled', 'InvoiceSettled overPaid']],
  ['paid once more after it was settled', (shop) => shop.final('a', WHOLE).see('b', WHOLE).final('b', WHOLE), SETTLED],
  ['expired', (shop) => shop.end(), ['InvoiceExpired']],
  ['expired, paid in part', (shop) => shop.final('a', HALF).end(), PART],
  ['short and accepted', (shop) => shop.final('a', HALF).end().accept(), [...PART, 'InvoiceSettled']],
  [
    'short, then paid',
    (shop) => shop.final('a', HALF).end().final('b', HALF),
    [...PART, 'InvoicePaymentSettled b-0 Settled', 'InvoiceSettled'],
  ],
  ['short and given back', (shop) => shop.final('a', HALF).end().giveBack(), [...PART, 'InvoiceExpired']],
  ['short, and its payment is taken back', (shop) => shop.final('a', HALF).end().takeBack('a'), [...PART, 'InvoiceExpired']],
  ['cancelled', (shop) => shop.cancel(), ['InvoiceInvalid']],
  ['taken back', (shop) => shop.final('a', WHOLE).takeBack('a'), [...SETTLED, 'InvoiceInvalid']],
  ['won again', (shop) => shop.final('a', WHOLE).takeBack('a').comeAgain('a'), [...SETTLED, 'InvoiceInvalid', ...SETTLED]],
  ['paid late', (shop) => shop.end().see('a', WHOLE, 90).final('a', WHOLE, 90), ['InvoiceExpired']],
  ['late and accepted', (shop) => shop.end().final('a', WHOLE, 90).acceptLate(), ['InvoiceExpired', ...ACCEPTED]],
  [
    'late in two and accepted',
    (shop) => shop.end().final('a', HALF, 90).final('b', HALF, 91).acceptLate(),
    ['InvoiceExpired', ...ACCEPTED.toSpliced(1, 0, 'InvoicePaymentSettled b-0 Settled')],
  ],
  [
    'late and accepted, then won again',
    (shop) => shop.end().final('a', WHOLE, 90).acceptLate().takeBack('a').comeAgain('a'),
    ['InvoiceExpired', ...ACCEPTED, 'InvoiceInvalid', ...SETTLED],
  ],
  [
    'taken back, and another late payment accepted',
    (shop) => shop.final('a', WHOLE).takeBack('a').final('b', WHOLE, 90).acceptLate(),
    [...SETTLED, 'InvoiceInvalid', ...ACCEPTED.with(0, 'InvoicePaymentSettled b-0 Settled')],
  ],
  ['marked settled', (shop) => shop.mark('settled').end(), ['InvoiceSettled manuallyMarked']],
  ['marked invalid', (shop) => shop.mark('invalid'), ['InvoiceInvalid manuallyMarked']],
  [
    'marked, then settled by money',
    (shop) => shop.mark('settled').final('a', WHOLE),
    ['InvoiceSettled manuallyMarked', ...SETTLED],
  ],
];

for (const [course, play, told] of COURSES)
  test(`sends plug-ins the events of an invoice that is ${course}`, () => {
    const shop = new Shop();
    play(shop);
    assert.deepEqual(shop.told, told);
  });
