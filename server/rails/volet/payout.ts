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

/** Largest delay of the provider's clock behind ours that the look-up of a send allows for. */
const CLOCKS_APART_MS = 60 * 60_000;

/** The history proves that a send with our note happened. Absence proves nothing, and Volet accepts the same note twice. */
const PROOF: Proof = { lookUp: 'presence', dedupeMinutes: 0 };

/**
 * Faults after which nothing has moved. After any other fault the send is in doubt: `InternalException`, `DatabaseException`, …,
 * and the faults about an existing transaction (`TransactionTemporaryNotAvailableException`).
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

/** Stored content of an attempt: the transfer to post, and the time of its preparation (the look-up begins there). */
const rawShape = z.strictObject({
  amount: z.string(),
  currency: z.string(),
  note: z.string(),
  receiver: z.union([z.strictObject({ walletId: z.string() }), z.strictObject({ email: z.string() })]),
  at: z.iso.datetime(),
});

/**
 * Returns the payout side. Volet has no field for our reference and deduplicates nothing. So the note carries our reference, and
 * each send first looks for it in the history, where it is the comment. Concurrent calls for one attempt share one send.
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
  // Volet's fee is unknown until the look-up shows it.
  const fee = { currency: item.currency, parts: 0n, isMaximum: true } as const;
  return { ok: true, attempt: { reference: item.id, items: [item.id], raw, spends: [], fee } };
}

/** Returns our balance in a currency, in minor units; undefined if the service gives no answer or shows no such wallet. */
async function heldIn({ wallet }: VoletCurrency, api: VoletApi): Promise<bigint | undefined> {
  try {
    return (await api.balances()).get(wallet);
  } catch (error) {
    if (error instanceof Fault || error instanceof Unreachable) return undefined;
    throw error;
  }
}

/**
 * Looks for an earlier send, then posts. Only a fault of the post itself is a definite refusal: if the look-up fails, an earlier
 * send may have gone through.
 */
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

/** Looks an attempt up by Volet's id if that is known; otherwise by our note, which reads the history from its preparation on. */
async function find(api: VoletApi, { raw, txid }: Attempt): Promise<Found> {
  const { note, at } = rawShape.parse(JSON.parse(raw));
  const there = txid === undefined ? await api.outgoing(note, since(at)) : await api.transaction(txid);
  if (!there) return { outcome: 'absent', isConclusive: false };
  const isOver = there.status === 'COMPLETED' || there.status === 'CANCELED' || there.status === 'ERROR';
  if (!isOver) return { outcome: 'pending', txid: there.id };
  const ok = there.status === 'COMPLETED';
  const fee = ok && there.fee !== '' ? partsRead(there.fee, SCALE) : 0n;
  return { outcome: 'mined', txid: there.id, height: 0, confirmations: 1, isFinalised: true, ok, fee };
}

const since = (at: string): Date => new Date(new Date(at).getTime() - CLOCKS_APART_MS);

/**
 * Returns the sends from our wallets since the last comparison. A transfer made by hand has no id of ours as its note. The first
 * comparison reads nothing and returns only its own time.
 */
async function ownSends(currencies: readonly VoletCurrency[], api: VoletApi, readTo: string | undefined): Promise<OwnSends> {
  const now = wallClock().toISOString();
  const outgoing = readTo === undefined ? [] : await api.allOutgoing(since(readTo));
  const sends = outgoing.map(({ id: reference, comment, currency: wire, amount, to }): OwnSend => {
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
