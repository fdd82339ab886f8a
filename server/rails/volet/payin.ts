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
import type { Account, AccountCheck, Fields, Payin, ObservedPayment, Standing, ReceivingAddress } from '../rail.ts';
import type { ShopPayment, Transaction, VoletApi } from './api.ts';
import { SCALE, type VoletCurrency, type VoletSettings } from './config.ts';
import { formFor, proofOf } from './sci.ts';

/** The one field of an account here: a wallet, or its owner's e-mail. */
export const FIELD = 'account';

/** On the way and not ours yet; `COMPLETED` alone is money, and what else there is never becomes any. */
const WAITING = new Set(['PENDING', 'PROCESS', 'NOT_CONFIRMED', 'CONFIRMED', 'NOT_IDENTIFIED']);
const LONGEST_EMAIL = 100;
const BATCH_SIZE = 4;
const NO_BLOCKS = { height: 0, hash: '' };

/** Payments to our shop at Volet: signed forms out, look-ups by our order id. */
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

/** A wallet of the currency (its letter and twelve digits, spaces left out), or an e-mail in small letters. Form only. */
export function checkAccount({ letter }: Pick<VoletCurrency, 'letter'>, fields: Fields): AccountCheck {
  if (fields[FIELD]?.includes('@')) return checkEmail(FIELD, LONGEST_EMAIL, fields);
  const checked = checkWallet(FIELD, { letter, min: 12, max: 12 }, fields);
  return checked.ok || !checked.says?.['digits'] ? checked : { ...checked, says: { ...checked.says, or: 'email' } };
}

/**
 * The payment of a reference, if there is one: by our order id first, then the movement itself, which says whose wallet it
 * reached. What is not in our wallet and currency is not this payment.
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

/** What was cancelled before it was ever completed is nothing that could be taken back. */
function statusOf({ status, startedAt }: Transaction, { completedAt }: ShopPayment): Standing | undefined {
  if (status === 'COMPLETED') return booked(momentRead(completedAt || startedAt));
  if (WAITING.has(status)) return PENDING;
  return status === 'CANCELED' && completedAt !== '' ? { at: 'taken_back', reason: 'chargeback' } : undefined;
}

/** Where a refund goes: the payer's wallet if it is of this currency (a payer may have converted), else their e-mail. */
function sourceOf(currency: VoletCurrency, { from, senderEmail }: Transaction): Account | undefined {
  const checked = [from, senderEmail].map((account) => checkAccount(currency, { [FIELD]: account })).find(({ ok }) => ok);
  return checked?.ok === true ? { fields: checked.fields, key: checked.key } : undefined;
}
