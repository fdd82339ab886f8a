import {
  PENDING,
  type ProviderContext,
  Unreachable,
  booked,
  checkEmail,
  checkWallet,
  notOurs,
  observeEach,
} from '../provider/index.ts';
import { momentRead, partsRead } from '../provider/amounts.ts';
import type { Account, AccountCheck, Fields, Payin, ObservedPayment, PaymentStatus, ReceivingAddress } from '../rail.ts';
import type { ShopPayment, Transaction, VoletApi } from './api.ts';
import { SCALE, type VoletCurrency, type VoletSettings } from './config.ts';
import { formFor, proofOf } from './sci.ts';

/** Name of an account's only field: a wallet's number, or its owner's e-mail address. */
export const FIELD = 'account';

/** Statuses of a payment on its way. Only `COMPLETED` is money; a payment with any other status never becomes money. */
const WAITING = new Set(['PENDING', 'PROCESS', 'NOT_CONFIRMED', 'CONFIRMED', 'NOT_IDENTIFIED']);
const LONGEST_EMAIL = 100;
const BATCH_SIZE = 4;
const NO_BLOCKS = { height: 0, hash: '' };

/**
 * Returns the pay-in side: signed payment forms, and look-ups by our order id. Its methods throw an Error for a currency in which
 * we have no wallet.
 */
export function payinOf(
  settings: VoletSettings,
  context: ProviderContext,
  currencies: readonly VoletCurrency[],
  api: VoletApi,
): Payin {
  const known = (code: string): VoletCurrency => {
    const found = currencies.find((one) => one.code === code);
    if (!found) throw new Error(`Volet has no wallet of ours in ${code}`);
    return found;
  };
  return {
    checkAccount: (currency, fields) => {
      const own = [known(currency).wallet, settings.account.toLowerCase()];
      return notOurs(FIELD, checkAccount(known(currency), fields), own);
    },
    instruct: (_currency, index) => ({ to: context.reference(index) }),
    uri: () => '',
    open: async (request) => ({ ok: true, way: formFor(settings, context, known(request.currency), request) }),
    observe: observeEach(BATCH_SIZE, async (reference) => {
      const seen = await poll(settings, api, known(reference.currency), reference);
      return seen ? [seen] : [];
    }),
    tip: async () => NO_BLOCKS,
    check: (webhook) => proofOf(settings, currencies, webhook),
  };
}

/**
 * Checks the form of an account, and returns it without spaces and in its canonical case. It is a wallet of the currency (its letter
 * and twelve digits) or an e-mail address. No network.
 */
export function checkAccount({ letter }: Pick<VoletCurrency, 'letter'>, fields: Fields): AccountCheck {
  if (fields[FIELD]?.includes('@')) return checkEmail(FIELD, LONGEST_EMAIL, fields);
  const checked = checkWallet(FIELD, { letter, min: 12, max: 12 }, fields);
  return checked.ok || !checked.says?.['digits'] ? checked : { ...checked, says: { ...checked.says, or: 'email' } };
}

/**
 * Returns the payment of a reference, if there is one. The look-up by our order id gives its transaction, which shows the wallet
 * that received it. A transaction into another wallet or currency is not this payment. Throws `Unreachable` if an answer is about
 * another order.
 */
async function poll(
  { sciName }: VoletSettings,
  api: VoletApi,
  currency: VoletCurrency,
  { to }: ReceivingAddress,
): Promise<ObservedPayment | undefined> {
  const payment = await api.paymentOf(to);
  if (!payment) return undefined;
  if (payment.orderId !== to || payment.sciName !== sciName) throw new Unreachable('an answer about another order');
  const paid = await api.transaction(payment.transactionId);
  if (paid.id !== payment.transactionId) throw new Unreachable('an answer about another transaction');
  const isOurs = paid.direction === 'INCOMING' && paid.to === currency.wallet && paid.currency === currency.wire;
  const status = statusOf(paid, payment);
  if (!isOurs || !status) return undefined;
  const fee = paid.fee === '' ? 0n : partsRead(paid.fee, SCALE);
  const source = sourceOf(currency, paid);
  return {
    key: paid.id,
    txid: paid.id,
    currency: currency.code,
    to,
    parts: partsRead(paid.amount, SCALE),
    from: [paid.from || paid.senderEmail],
    status,
    ...(source && { source }),
    ...(fee > 0n && { fee }),
  };
}

/** Returns a payment's status; undefined if it brings no money. Only a completed payment can be taken back. */
function statusOf({ status, startedAt }: Transaction, { completedAt }: ShopPayment): PaymentStatus | undefined {
  if (status === 'COMPLETED') return booked(momentRead(completedAt || startedAt));
  if (WAITING.has(status)) return PENDING;
  return status === 'CANCELED' && completedAt !== '' ? { at: 'taken_back', reason: 'chargeback' } : undefined;
}

/** Returns the account for a refund: the payer's wallet if it has this currency (a payer may have converted), else their e-mail. */
function sourceOf(currency: VoletCurrency, { from, senderEmail }: Transaction): Account | undefined {
  const checked = [from, senderEmail].map((account) => checkAccount(currency, { [FIELD]: account })).find(({ ok }) => ok);
  return checked?.ok === true ? { fields: checked.fields, key: checked.key } : undefined;
}
