import { z } from 'zod';
import { format, money } from '@kurs/money';
import { wallClock } from '../../platform/index.ts';
import { Unreachable, insist, oneAtATime, ourReference, sha256Hex } from '../provider/index.ts';
import type { Attempt, Found, OwnSend, OwnSends, Payout, PayoutItem, Prepared, Proof, Sent } from '../rail.ts';
import { type Operation, type OutgoingTransfer, Refusal, type WebMoneyApi } from './api.ts';
import type { WebMoneyCurrency } from './config.ts';
import { FIELD } from './payin.ts';

/** WebMoney's fee for a transfer, paid by the sender: 0.8 %, at least 0.01 and at most 50.00 (webmoney.de, rates). */
const FEE = { permille: 8n, min: 1n, max: 5_000n };
/** A usual payout, in minor units, to estimate the fee. */
const USUAL = 10_000n;

/**
 * The look-up shows a transfer with our number and reference; its absence proves nothing. WebMoney refuses a used number "for a
 * limited period" (X2), which we assume to be at least an hour.
 */
const PROOF: Proof = { lookUp: 'presence', dedupeMinutes: 60 };

/**
 * Codes of interface X2 after which no money has moved: something was not found, not allowed or not covered, or the caller was
 * rejected. After any other code the outcome is unknown. After 103 (used number) a transfer exists, ours or somebody else's.
 */
const REFUSALS = new Set([
  '5',
  '6',
  '7',
  '11',
  '13',
  '17',
  '21',
  '22',
  '25',
  '26',
  '29',
  '30',
  '35',
  '58',
  '102',
  '110',
  '111',
  '401',
  '405',
  '-110',
]);
const USED = '103';

const rawShape = z.strictObject({
  currency: z.string(),
  tranid: z.string(),
  to: z.string(),
  amount: z.string(),
  description: z.string(),
});

/**
 * Returns the payout side: transfers from our purses. The hash of our reference is the number that WebMoney accepts once
 * (`tranid`). The description contains the reference, which tells our transfer from another one with the same number.
 */
export function payoutOf(currencies: readonly WebMoneyCurrency[], api: WebMoneyApi): Payout {
  const known = (code: string): WebMoneyCurrency => {
    const found = currencies.find((one) => one.code === code);
    if (!found) throw new Error(`WebMoney has no purse of ours in ${code}`);
    return found;
  };
  return {
    batch: 1,
    proof: () => PROOF,
    prepare: ([item, another]) => {
      if (!item || another) throw new Error('WebMoney sends one payout at a time');
      return prepare(known(item.currency), api, item);
    },
    send: oneAtATime((attempt) => {
      const { currency, ...transfer } = rawOf(attempt);
      return send(known(currency), api, transfer);
    }),
    find: (attempt) => {
      const { currency, ...transfer } = rawOf(attempt);
      return find(known(currency), api, transfer);
    },
    ownSends: ({ readTo }) => ownSends(currencies, api, readTo),
    estimate: async (currency) => ({ currency, parts: feeOf(USUAL) }),
  };
}

const rawOf = ({ raw }: Attempt): z.output<typeof rawShape> => rawShape.parse(JSON.parse(raw));

/** Returns WebMoney's fee for a transfer, both in minor units. */
export function feeOf(parts: bigint): bigint {
  const share = (parts * FEE.permille + 999n) / 1_000n;
  return share < FEE.min ? FEE.min : share > FEE.max ? FEE.max : share;
}

/**
 * Returns the number for a reference: the first 52 bits of its hash plus one, so that it is positive and below 2^53. Among a
 * million references two share a number with a chance of 1 in 10 000. Then WebMoney refuses the second one, and people decide.
 */
export const tranidOf = (reference: string): string => (BigInt(`0x${sha256Hex(reference).slice(0, 13)}`) + 1n).toString();

async function prepare(currency: WebMoneyCurrency, api: WebMoneyApi, item: PayoutItem): Promise<Prepared> {
  const fee = feeOf(item.parts);
  let held: bigint;
  try {
    held = await api.balance(currency);
  } catch (error) {
    if (error instanceof Refusal || error instanceof Unreachable)
      return { ok: false, reason: 'unavailable', detail: error.message };
    throw error;
  }
  if (held < item.parts + fee) return { ok: false, reason: 'no_float', detail: `${currency.code}: not enough in the purse` };
  const raw: z.input<typeof rawShape> = {
    currency: item.currency,
    tranid: tranidOf(item.id),
    to: item.to[FIELD] ?? '',
    amount: format(money(item.currency, item.parts), 0),
    description: item.id,
  };
  const attempt = { reference: item.id, items: [item.id], raw: JSON.stringify(raw), spends: [] };
  return { ok: true, attempt: { ...attempt, fee: { currency: item.currency, parts: fee, isMaximum: true } } };
}

/** Looks the transfer up first, then sends it. Only the answer to the transfer itself can be a definite refusal. */
async function send(currency: WebMoneyCurrency, api: WebMoneyApi, transfer: OutgoingTransfer): Promise<Sent> {
  try {
    const there = await insist(() => api.operation(currency, transfer.tranid));
    if (there) return whose(there, transfer);
  } catch (error) {
    return doubt(error);
  }
  try {
    return whose(await api.transfer(currency, transfer), transfer);
  } catch (error) {
    if (!(error instanceof Refusal)) return doubt(error);
    if (error.code === USED) return again(currency, api, transfer);
    return { outcome: REFUSALS.has(error.code) ? 'refused' : 'unknown', reason: error.message };
  }
}

/** Looks a used number up again, although the first look-up didn't show it: our earlier send or another transfer has used it. */
async function again(currency: WebMoneyCurrency, api: WebMoneyApi, transfer: OutgoingTransfer): Promise<Sent> {
  try {
    const there = await insist(() => api.operation(currency, transfer.tranid));
    return there ? whose(there, transfer) : { outcome: 'exists', reason: 'the number was used, and is not shown' };
  } catch (error) {
    return { ...doubt(error), outcome: 'exists' };
  }
}

const isOurs = (there: Operation, { to, description, tranid }: OutgoingTransfer): boolean =>
  there.to === to && there.description === description && there.tranid === tranid;

const whose = (there: Operation, transfer: OutgoingTransfer): Sent =>
  isOurs(there, transfer)
    ? { outcome: 'accepted', txid: there.id }
    : { outcome: 'exists', reason: 'the number belongs to another transfer' };

function doubt(error: unknown): Sent & { readonly outcome: 'unknown' } {
  if (error instanceof Refusal || error instanceof Unreachable) return { outcome: 'unknown', reason: error.message };
  throw error;
}

async function find(currency: WebMoneyCurrency, api: WebMoneyApi, transfer: OutgoingTransfer): Promise<Found> {
  const there = await api.operation(currency, transfer.tranid);
  if (!there || !isOurs(there, transfer)) return { outcome: 'absent', isConclusive: false };
  if (there.kind !== '0' && there.kind !== '12') return { outcome: 'pending', txid: there.id };
  const ok = there.kind === '0';
  return { outcome: 'mined', txid: there.id, height: 0, confirmations: 1, isFinalised: true, ok, fee: there.fee };
}

/** Greatest time by which WebMoney's date of a send may be before ours, since its time zone is Moscow's. */
const CLOCKS_APART_MS = 4 * 60 * 60_000;
const DAY_MS = 86_400_000;
/** Longest span of one request, in days. */
const MAX_DAYS = 90;

/**
 * Returns the transfers from our purses since the last comparison. A transfer by hand has no id of ours as its description. The
 * first comparison returns no sends, only its position. Throws `Refusal` or `Unreachable`.
 */
async function ownSends(
  currencies: readonly WebMoneyCurrency[],
  api: WebMoneyApi,
  readTo: string | undefined,
): Promise<OwnSends> {
  const now = wallClock();
  if (readTo === undefined) return { sends: [], readTo: now.toISOString() };
  const from = Math.max(new Date(readTo).getTime() - CLOCKS_APART_MS, now.getTime() - MAX_DAYS * DAY_MS);
  const days = { from: new Date(from), to: new Date(now.getTime() + DAY_MS) };
  const sends: OwnSend[] = [];
  for (const currency of currencies) {
    for (const { id: reference, description, parts, to } of await api.outgoing(currency, days)) {
      const ours = ourReference(description);
      sends.push({ reference, pays: [{ currency: currency.code, parts, to }], ...(ours !== undefined && { ours }) });
    }
  }
  return { sends, readTo: now.toISOString() };
}
