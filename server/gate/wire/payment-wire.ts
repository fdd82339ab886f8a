import type { Output, Routes } from '@kurs/contract';
import { format, money } from '@kurs/money';
import { moneyWire } from '../../exchange/index.ts';
import { currencyOf } from '../../payments/index.ts';
import { type InvoicePayment, type InvoiceTerms, handedOf, payersPart } from '../invoices/invoice.ts';
import { sumText } from './sum-text.ts';
import { unitMoney } from './amounts.ts';

type PaymentWire = Output<Routes['paymentInvoice']>['payments'][number];
type StorePaymentWire = Output<Routes['storeInvoice']>['payments'][number];

/**
 * Returns a payment in the form of the API, without anything about its payer. `confirmations`: present ones of payments that are
 * not final, by id.
 */
export function paymentWire(
  terms: InvoiceTerms,
  payment: InvoicePayment,
  confirmations: ReadonlyMap<string, number>,
): PaymentWire {
  const { id, currency, unit, parts, stage, credit, pending, isLate, hold, txid, needed, seenAt } = payment;
  const over = payersPart(payment) + handedOf(payment);
  const given = payment.givenBack ? payment.givenBack.parts - payment.givenBack.taken : 0n;
  return {
    ...{ id, currency, network: payment.walletOf === undefined ? (currencyOf(currency)?.network ?? '') : '', status: stage },
    paid: moneyWire({ currency, unit, parts }),
    credit: sumText(terms, stage === 'credited' ? credit : pending),
    late: isLate,
    ...(stage === 'unallocated' && hold && { refused: true }),
    ...(over > 0n && { over: moneyWire({ currency, unit, parts: over }) }),
    ...(given > 0n && { given_back: moneyWire({ currency, unit, parts: given }) }),
    ...(txid !== '' && { txid }),
    confirmations: (stage === 'seen' ? confirmations.get(id) : undefined) ?? payment.confirmations,
    ...{ needed, at: seenAt.toISOString() },
  };
}

/** Returns a payment as its store sees it. */
export function storePaymentWire(
  terms: InvoiceTerms,
  payment: InvoicePayment,
  confirmations: ReadonlyMap<string, number>,
): StorePaymentWire {
  const { booked: all, currency, unit, stage } = payment;
  const booked = stage === 'given_back' ? undefined : all;
  const costs = booked?.components.reduce((sum, { amount }) => sum + amount, 0n);
  return {
    ...paymentWire(terms, payment, confirmations),
    in_kind: payment.isInKind,
    ...(booked && { settled: unitMoney(booked.unit, booked.set) }),
    ...(costs !== undefined && {
      costs: { amount: format(money(unit, costs), currencyOf(currency)?.payDigits ?? 0), currency },
    }),
  };
}
