import { format } from '@kurs/money';
import { wallClock } from '../../platform/index.ts';
import { type ProviderContext, Unreachable, booked, checkWallet, notOurs, observeEach } from '../provider/index.ts';
import { partsRead } from '../provider/amounts.ts';
import type {
  AccountCheck,
  Fields,
  OpenRequest,
  Opened,
  Payin,
  ObservedPayment,
  PaymentStatus,
  ReceivingAddress,
} from '../rail.ts';
import { type MoneyGoApi, Refusal, type Transaction } from './api.ts';
import { type MoneyGoCurrency, SCALE } from './config.ts';
import { hintReader } from './messages.ts';

/** The only field of a MoneyGo account: a wallet's number. */
export const FIELD = 'account';
const NO_BLOCKS = { height: 0, hash: '' };
const BATCH_SIZE = 4;
/** Maximum number of cached times of payments. An older payment gets a new time, which doesn't change its credit. */
const MAX_TIMES = 10_000;

/** Returns the pay-ins through MoneyGo's form: prepared by its API, and looked up by our reference. */
export function payinOf(context: ProviderContext, currencies: readonly MoneyGoCurrency[], api: MoneyGoApi): Payin {
  const known = (code: string): MoneyGoCurrency => {
    const found = currencies.find((one) => one.code === code);
    if (!found) throw new Error(`MoneyGo has no wallet of ours in ${code}`);
    return found;
  };
  const dateOf = firstSeen();
  return {
    checkAccount: (currency, fields) => notOurs(FIELD, checkAccount(known(currency), fields), [known(currency).wallet]),
    instruct: (_currency, index) => ({ to: context.reference(index) }),
    uri: () => '',
    open: (request) => open(context, known(request.currency), api, request),
    observe: observeEach(BATCH_SIZE, async (reference) => {
      const seen = await poll(known(reference.currency), api, reference, dateOf);
      return seen ? [seen] : [];
    }),
    tip: async () => NO_BLOCKS,
    check: hintReader(),
  };
}

/** Checks the form of a wallet of the currency: its letter and digits. Only the API's `wallet-exists` knows if it exists. */
export const checkAccount = ({ letter }: Pick<MoneyGoCurrency, 'letter'>, fields: Fields): AccountCheck =>
  checkWallet(FIELD, { letter, min: 2, max: 12 }, fields);

/** Requests a payment's page. The payer's wallet is part of the request and of its signature. */
async function open(
  context: ProviderContext,
  currency: MoneyGoCurrency,
  api: MoneyGoApi,
  { to, amount, back, payer }: OpenRequest,
): Promise<Opened> {
  const checked = checkAccount(currency, payer);
  if (!checked.ok) return { ok: false, reason: 'refused', detail: 'MoneyGo wants the payer’s wallet' };
  try {
    const url = await api.checkout({
      wallet_to: currency.wallet,
      wallet_from: checked.key,
      amount: format(amount),
      id: to,
      success_url: context.siteUrl(back.success),
      cancel_url: context.siteUrl(back.fail),
      status_url: context.webhookUrl,
      user_info: checked.key,
    });
    return { ok: true, way: { kind: 'redirect', method: 'GET', url, fields: {} } };
  } catch (error) {
    if (error instanceof Refusal)
      return { ok: false, reason: isForGood(error) ? 'refused' : 'unavailable', detail: error.message };
    if (error instanceof Unreachable) return { ok: false, reason: 'unavailable', detail: error.message };
    throw error;
  }
}

/** True if a refusal is about this payment, and so is permanent. A refused token (401, 403) may be accepted later. */
const isForGood = ({ status }: Refusal): boolean => status !== 401 && status !== 403;

/** Returns the payment of a reference; undefined if none reached our wallet in its currency. */
async function poll(
  currency: MoneyGoCurrency,
  api: MoneyGoApi,
  { to }: ReceivingAddress,
  dateOf: (id: string) => Date,
): Promise<ObservedPayment | undefined> {
  const paid = await transactionOf(api, to);
  if (!paid?.form || paid.form.to !== currency.wallet || paid.currency !== currency.wire) return undefined;
  const status = statusOf(paid, dateOf);
  if (!status) return undefined;
  const payer = checkAccount(currency, { [FIELD]: paid.form.from });
  const fee = partsRead(paid.fee, SCALE);
  return {
    key: paid.id,
    txid: paid.id,
    currency: currency.code,
    to,
    parts: partsRead(paid.amount, SCALE),
    from: [paid.form.from],
    status,
    ...(payer.ok && { source: { fields: payer.fields, key: payer.key } }),
    ...(fee > 0n && { fee }),
  };
}

/**
 * Returns the movement of a reference; undefined if nobody has paid. The documents don't show the answer for an unpaid reference;
 * a 404 is likely. Any other refusal with an accepted token counts as unpaid too: here that can only delay a credit. For the
 * look-up of a send, such a refusal proves nothing.
 */
async function transactionOf(api: MoneyGoApi, reference: string): Promise<Transaction | undefined> {
  try {
    return await api.transaction(reference);
  } catch (error) {
    if (error instanceof Refusal && isForGood(error)) return undefined;
    throw error;
  }
}

/** `PENDING` may be a payment that nobody has confirmed yet: the documents don't say, so it doesn't count. */
function statusOf({ id, status, form }: Transaction, dateOf: (id: string) => Date): PaymentStatus | undefined {
  if (status !== 'SUCCESS') return undefined;
  return form?.isCancelled ? { at: 'taken_back', reason: 'chargeback' } : booked(dateOf(id));
}

/** Returns a function from a payment's id to its time. The look-up has none, so it is the time when this process first saw it. */
function firstSeen(): (id: string) => Date {
  const times = new Map<string, Date>();
  return (id) => {
    const time = times.get(id) ?? wallClock();
    times.set(id, time);
    if (times.size > MAX_TIMES) times.delete(times.keys().next().value as string);
    return time;
  };
}
