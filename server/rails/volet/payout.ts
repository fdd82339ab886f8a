import { z } from 'zod';
import { format, money } from '@kurs/money';
import { wallClock } from '../../platform/index.ts';
import { Unreachable, insist, oneAtATime, ourReference } from '../provider/index.ts';
import { partsRead } from '../provider/amounts.ts';
import type { Attempt, Found, OwnSend, OwnSends, Payout, PayoutItem, Prepared, Proof, Sent } from '../rail.ts';
import type { OutgoingTransfer, VoletApi } from './api.ts';
import { SCALE, type VoletCurrency } from './config.ts';
import { FIELD } from './payin.ts';
import { Fault } from './soap.ts';

/** How much earlier than our clock the provider's may have dated what we sent. */
const CLOCKS_APART_MS = 60 * 60_000;

/** The history shows what was sent under our note; that it shows nothing proves nothing, and a note may be used twice. */
const PROOF: Proof = { lookUp: 'presence', dedupeMinutes: 0 };

/**
 * Faults after which nothing has moved. What is not here is a doubt: `InternalException`, `DatabaseException`, …, and those
 * that speak of a transaction that there is (`TransactionTemporaryNotAvailableException`).
 */
const REFUSALS = new Set([
  'AccessDeniedException',
  'BadParametersException',
  'CallRestrictionException',
  'CountLimitException',
  'LifetimeLimitException',
  'LimitPerCardPerDayException',
  'LimitPerDayException',
  'LimitPerMonthException',
  'LimitPerTransactionException',
  'LimitsException',
  'MerchantDisabledException',
  'NotAuthException',
  'NotEnoughMoneyApiException',
  'NotEnoughMoneyException',
  'UserBlockedException',
  'UserDoesNotExistException',
  'WalletCurrencyIncorrectException',
  'WalletDoesNotExist',
  'WrongEmailException',
  'WrongIpException',
  'WrongParamsException',
]);

/** What an attempt keeps: the send as it will be posted, and when it was made (the look-up reads from there). */
const rawShape = z.strictObject({
  amount: z.string(),
  currency: z.string(),
  note: z.string(),
  receiver: z.union([z.strictObject({ walletId: z.string() }), z.strictObject({ email: z.string() })]),
  at: z.iso.datetime(),
});

/**
 * Sends at Volet. The service knows no reference of ours and dedupes nothing: ours travels as the note, which the history
 * shows as the comment, and is looked up there before anything is posted. Two calls for one attempt share one look.
 */
export function payoutOf(currencies: readonly VoletCurrency[], api: VoletApi): Payout {
  return {
    batch: 1,
    proof: () => PROOF,
    prepare: (items) => prepare(currencies, api, items),
    send: oneAtATime((attempt) => send(api, attempt)),
    find: (attempt) => find(api, attempt),
    ownSends: ({ readTo }) => ownSends(currencies, api, readTo),
    estimate: async (currency) => ({ currency, parts: 0n }),
  };
}

async function prepare(
  currencies: readonly VoletCurrency[],
  api: VoletApi,
  [item, another]: readonly PayoutItem[],
): Promise<Prepared> {
  const currency = currencies.find(({ code }) => code === item?.currency);
  if (!item || another || !currency) throw new Error('Volet sends one payout at a time, in a currency that it has');
  const held = await heldIn(currency, api);
  if (held === undefined) return { ok: false, reason: 'unavailable', detail: 'Volet does not say what we have' };
  if (held < item.parts) return { ok: false, reason: 'no_float', detail: `${currency.code}: not enough in the wallet` };
  const account = item.to[FIELD] ?? '';
  const transfer: OutgoingTransfer = {
    amount: format(money(item.currency, item.parts)),
    currency: currency.wire,
    note: item.id,
    receiver: account.includes('@') ? { email: account } : { walletId: account },
  };
  const raw = JSON.stringify({ ...transfer, at: wallClock().toISOString() } satisfies z.input<typeof rawShape>);
  // What Volet keeps is known by the look-up alone.
  const fee = { currency: item.currency, parts: 0n, isMaximum: true } as const;
  return { ok: true, attempt: { reference: item.id, items: [item.id], raw, spends: [], fee } };
}

/** What our wallet of a currency holds; undefined where the service gives no answer or knows no such wallet. */
async function heldIn({ wallet }: VoletCurrency, api: VoletApi): Promise<bigint | undefined> {
  try {
    return (await api.balances()).get(wallet);
  } catch (error) {
    if (error instanceof Fault || error instanceof Unreachable) return undefined;
    throw error;
  }
}

/** Looks first, then posts. Only what the post itself says can be a definite no: an earlier one may have got through. */
async function send(api: VoletApi, { raw }: Attempt): Promise<Sent> {
  const { at, ...transfer } = rawShape.parse(JSON.parse(raw));
  let hasPosted = false;
  try {
    const there = await insist(() => api.outgoing(transfer.note, since(at)));
    if (there) return { outcome: 'accepted', txid: there.id };
    hasPosted = true;
    return { outcome: 'accepted', txid: await api.send(transfer) };
  } catch (error) {
    if (error instanceof Fault)
      return { outcome: hasPosted && REFUSALS.has(error.type) ? 'refused' : 'unknown', reason: error.type };
    if (error instanceof Unreachable) return { outcome: 'unknown', reason: error.message };
    throw error;
  }
}

/** Looks it up by Volet's own id once that is known; before, by our note, which takes a part of the history. */
async function find(api: VoletApi, { raw, txid }: Attempt): Promise<Found> {
  const { note, at } = rawShape.parse(JSON.parse(raw));
  const there = txid === undefined ? await api.outgoing(note, since(at)) : await api.transaction(txid);
  if (!there) return { outcome: 'absent', conclusive: false };
  const isOver = there.status === 'COMPLETED' || there.status === 'CANCELED' || there.status === 'ERROR';
  if (!isOver) return { outcome: 'pending', txid: there.id };
  const ok = there.status === 'COMPLETED';
  const fee = ok && there.fee !== '' ? partsRead(there.fee, SCALE) : 0n;
  return { outcome: 'mined', txid: there.id, height: 0, confirmations: 1, finalised: true, ok, fee };
}

const since = (at: string): Date => new Date(new Date(at).getTime() - CLOCKS_APART_MS);

/**
 * What has left our wallets since the last comparison. A transfer that was made by hand has no id of ours as its note. The first
 * comparison only notes where it begins.
 */
async function ownSends(currencies: readonly VoletCurrency[], api: VoletApi, readTo: string | undefined): Promise<OwnSends> {
  const now = wallClock().toISOString();
  const left = readTo === undefined ? [] : await api.allOutgoing(since(readTo));
  const sends = left.map(({ id: reference, comment, currency: wire, amount, to }): OwnSend => {
    const currency = currencies.find((one) => one.wire === wire)?.code;
    const ours = ourReference(comment);
    return {
      reference,
      pays: currency === undefined ? [] : [{ currency, parts: partsRead(amount, SCALE), to }],
      ...(ours !== undefined && { ours }),
    };
  });
  return { sends, readTo: now };
}
