import { createHmac } from 'node:crypto';
import { format } from '@kurs/money';
import { z } from 'zod';
import { wallClock } from '../../platform/index.ts';
import { partsRead } from '../provider/amounts.ts';
import { Unreachable, type ProviderContext, booked, equalText, observeEach } from '../provider/index.ts';
import type { Webhook, WebhookProof, OpenRequest, Opened, Payin, ObservedPayment, ReceivingAddress } from '../rail.ts';
import { checkCoinAddress } from './address.ts';
import { type NebuloxClient, NebuloxRefusal } from './client.ts';
import { COINS, type NebuloxSettings, SCALE, coinOf } from './config.ts';
import { plain } from './exact-json.ts';

const BATCH_SIZE = 8;
/** Number of invoices that this process remembers, so that a repeated `open` returns the same invoice for a reference. */
const MAX_REMEMBERED = 2_000;

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? undefined);
const invoice = z.looseObject({ id: z.string().min(1), url: z.url({ protocol: /^https?$/ }), trackingCode: text });
const verified = z.looseObject({
  orderId: z.string(),
  status: z.string(),
  paidAmount: text,
  coinSymbol: text,
  coin: z.unknown().optional(),
  expirationDate: text,
  updated_at: text,
});
type Verified = z.output<typeof verified>;

/**
 * Returns the pay-in side: coins are paid by invoices of the gateway. Each payment is observed by its invoice's tracking code
 * (`invoice/verify`); a message is only a hint.
 */
export function nebuloxPayin(settings: NebuloxSettings, client: NebuloxClient, { reference }: ProviderContext): Payin {
  const made = new Map<string, Opened>();
  return {
    checkAccount: (currency, fields) => {
      const coin = coinOf(currency);
      return coin ? checkCoinAddress(coin, fields) : { ok: false, field: 'address', problem: 'wrong_network' };
    },
    instruct: (_currency, index) => ({ to: reference(index) }),
    uri: () => '',
    tip: async () => ({ height: 0, hash: '' }),
    open: async (request) => {
      const opened = made.get(request.to) ?? (await open(client, request));
      if (opened.ok) made.set(request.to, opened);
      if (made.size > MAX_REMEMBERED) made.delete(made.keys().next().value as string);
      return opened;
    },
    observe: observeEach(BATCH_SIZE, (ours) => observedPaymentsAt(client, ours)),
    check: (webhook) => checkMessage(settings, webhook),
  };
}

async function open(client: NebuloxClient, { currency, to, amount }: OpenRequest): Promise<Opened> {
  const coin = coinOf(currency);
  if (!coin) return { ok: false, reason: 'refused', detail: `${currency} is no coin of Nebulox` };
  const fields = { orderId: to, coinSymbol: coin.symbol, networkName: coin.network };
  try {
    const { id, url, trackingCode } = await client.call('invoice/create', fields, invoice, { amount: format(amount, 0) });
    return { ok: true, way: { kind: 'redirect', method: 'GET', url, fields: {} }, id: trackingCode ?? id };
  } catch (error) {
    if (error instanceof NebuloxRefusal) return { ok: false, reason: 'refused', detail: error.message };
    if (error instanceof Unreachable) return { ok: false, reason: 'unavailable', detail: error.message };
    throw error;
  }
}

/**
 * Returns the payment of an invoice. A partly paid invoice counts only after its end: its sum may grow until then, and a payment
 * has one amount. Throws `Unreachable` if the invoice is of another order or coin.
 */
async function observedPaymentsAt(client: NebuloxClient, reference: ReceivingAddress): Promise<ObservedPayment[]> {
  const { id, to, currency } = reference;
  if (id === undefined) return [];
  const seen = await verify(client, id, reference.isWanted === true);
  if (!seen) return [];
  const coin = coinOf(currency);
  if (seen.orderId !== to) throw new Unreachable('nebulox: an invoice of another order');
  const named = seen.coinSymbol ?? (typeof seen.coin === 'string' ? seen.coin : undefined);
  if (!coin || (named !== undefined && named.toUpperCase() !== coin.symbol)) throw new Unreachable('nebulox: another coin');
  const paid = paidParts(seen);
  if (paid === 0n || !isSettled(seen, reference)) return [];
  return [{ key: id, txid: id, currency, to, parts: paid, from: [], status: booked(settledAt(seen)) }];
}

/**
 * Looks an invoice up. Returns undefined if Nebulox lacks the invoice and nobody waits for it: Nebulox may delete old ones, and the
 * reference would stay unread without end.
 */
async function verify(client: NebuloxClient, trackingCode: string, isWanted: boolean): Promise<Verified | undefined> {
  try {
    return await client.call('invoice/verify', { trackingCode }, verified);
  } catch (error) {
    if (!isWanted && error instanceof NebuloxRefusal && /^404\b/.test(error.message)) return undefined;
    throw error;
  }
}

function paidParts({ status, paidAmount }: Verified): bigint {
  if (paidAmount === undefined) {
    if (status === 'COMPLETED') throw new Unreachable('nebulox: a paid invoice without what was paid');
    return 0n;
  }
  return partsRead(plain(paidAmount) ?? paidAmount, SCALE);
}

function isSettled({ status, expirationDate }: Verified, { isWanted }: ReceivingAddress): boolean {
  if (status === 'COMPLETED' || status === 'EXPIRED') return true;
  if (status !== 'PARTIAL') return false;
  const end = momentOf(expirationDate);
  return end ? end.getTime() <= wallClock().getTime() : isWanted !== true;
}

const settledAt = ({ updated_at: updated, expirationDate: end }: Verified): Date =>
  momentOf(updated) ?? momentOf(end) ?? wallClock();

function momentOf(written: string | undefined): Date | undefined {
  const moment = new Date(written ?? '');
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}

const message = z.looseObject({
  orderId: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  coin: z.unknown().optional(),
  type: z.unknown().optional(),
});

/** Proves a message by its header `x-hash`: HMAC-SHA256 of the raw bytes under our key (docs.nebulox.io, webhook). */
function checkMessage({ apiKey }: NebuloxSettings, { raw, headers }: Webhook): WebhookProof {
  const digest = createHmac('sha256', apiKey).update(raw).digest('hex');
  if (!equalText(digest, headers['x-hash'] ?? '')) return { isProven: false };
  let said: unknown;
  try {
    said = JSON.parse(Buffer.from(raw).toString('utf8'));
  } catch {
    return { isProven: false };
  }
  const parsed = message.safeParse(said);
  if (!parsed.success) return { isProven: false };
  const { orderId, coin, type } = parsed.data;
  const isOurs = typeof coin !== 'string' || COINS.some(({ symbol }) => symbol === coin.toUpperCase());
  return isOurs && (type === undefined || type === 'INVOICE') ? { isProven: true, to: orderId } : { isProven: false };
}
