import { type Money, money, parse, percent, scaleBy, smaller } from '@kurs/money';
import { wallClock } from '../../platform/index.ts';
import type { Attempt, Found, OwnSend, OwnSends, Payout, PayoutItem, Prepared, Proof, RailBalance, Sent } from '../rail.ts';
import { type Reply, Unreachable, jsonOf, ourReference } from '../provider/index.ts';
import { codeOf, partsOf, valueOf } from './amounts.ts';
import { type PayPal, idIn, refusalOf } from './client.ts';
import type { PayPalSettings } from './config.ts';
import { madeIn, madeSince } from './made-events.ts';
import { Recent } from './newest-by-key.ts';
import { type StoredRequest, findRefund, isDisputed, isRefundable, refundRequest, sendRefund, storedIn } from './refunds.ts';
import * as shapes from './shapes.ts';

const DAY = 24 * 60;
/**
 * Proofs of a payout and of a refund. PayPal accepts a batch's id once in 30 days (Payouts v1, `sender_batch_id`), and knows a
 * refund's id for 45 days (Payments v2, `PayPal-Request-Id`). Only presence is proved: messages that name a batch may come
 * late or never.
 */
const PROOFS: Readonly<Record<StoredRequest['kind'], Proof>> = {
  payout: { lookUp: 'presence', dedupeMinutes: 30 * DAY },
  refund: { lookUp: 'presence', dedupeMinutes: 45 * DAY },
};

/** Number of PayPal's ids to remember. */
const REMEMBERED = 10_000;

/** Returns the payout side: payouts as batches of one item, and refunds of captures. `reserve` returns the account's balances. */
export function paypalPayout(
  paypal: PayPal,
  config: PayPalSettings,
  reserve: () => Promise<RailBalance[]>,
): Payout & Required<Pick<Payout, 'recall'>> {
  /** PayPal's ids of sends that this process knows, by our reference. */
  const known = new Recent<string>(REMEMBERED);

  const feeOf = ({ currency, to, parts }: PayoutItem): Money =>
    'capture' in to
      ? money(currency, 0n)
      : smaller(scaleBy(money(currency, parts), percent(config.payoutFee.percent), 'up'), parse(currency, config.payoutFee.max));

  async function send(attempt: Attempt): Promise<Sent> {
    const request = storedIn(attempt);
    const { reference } = attempt;
    const sent =
      request.kind === 'refund'
        ? await sendRefund(paypal, attempt, request)
        : await sendBatch(paypal, attempt, request, await paypal.post(request.path, request.body, reference));
    if (sent.outcome === 'accepted') known.set(reference, sent.txid);
    return sent;
  }

  async function idOf({ reference, txid }: Attempt): Promise<string | undefined> {
    const id = known.get(reference) ?? txid ?? (await madeIn(paypal, reference));
    if (id !== undefined) known.set(reference, id);
    return id;
  }

  async function find(attempt: Attempt): Promise<Found> {
    const request = storedIn(attempt);
    if (request.kind === 'refund') {
      return findRefund(paypal, attempt, request, known.get(attempt.reference) ?? attempt.txid);
    }
    const id = await idOf(attempt);
    const batch = id === undefined ? undefined : await readBatch(paypal, id);
    return batch ? foundIn(batch, attempt, request) : { outcome: 'absent', isConclusive: false };
  }

  return {
    batch: 1,
    proof: (attempt) => PROOFS[storedIn(attempt).kind],
    prepare: async ([item]) => {
      if (!item) throw new RangeError('Nothing to pay');
      return prepare(paypal, item, feeOf(item), config, reserve);
    },
    send: async (attempt) => {
      try {
        return await send(attempt);
      } catch (error) {
        if (error instanceof Unreachable) return { outcome: 'unknown', reason: error.message };
        throw error;
      }
    },
    find,
    ownSends: ({ readTo }) => ownSends(paypal, readTo),
    recall: async (attempt) => {
      if (storedIn(attempt).kind === 'refund') return;
      const id = await idOf(attempt);
      const item = id === undefined ? undefined : (await readBatch(paypal, id))?.items[0];
      if (item?.transaction_status !== 'UNCLAIMED') return;
      const reply = await paypal.post(`/v1/payments/payouts-item/${item.payout_item_id}/cancel`, '{}');
      // A 400 means that it was claimed or returned meanwhile: `find` shows the outcome.
      if (reply.status !== 200 && reply.status !== 400) throw new Unreachable(`PayPal answered ${reply.status}`);
    },
    // PayPal's fee is a share of the sum and a cost line of the price. There is no network fee, and refunds cost nothing.
    estimate: async (currency) => ({ currency, parts: 0n }),
  };
}

/** Time that each comparison reads again, since messages come after their batch. */
const OVERLAP_MS = 24 * 60 * 60_000;

/**
 * Returns the batches that PayPal's messages name since the last comparison. Batches that people send by hand have no id of
 * ours. The first comparison returns no sends, only its position. Throws `Unreachable`.
 */
async function ownSends(paypal: PayPal, readTo: string | undefined): Promise<OwnSends> {
  const now = wallClock().toISOString();
  if (readTo === undefined) return { sends: [], readTo: now };
  const made = await madeSince(paypal, new Date(new Date(readTo).getTime() - OVERLAP_MS));
  const sends = [...made].map(([sender, reference]): OwnSend => {
    const ours = ourReference(sender);
    return { reference, pays: [], ...(ours !== undefined && { ours }) };
  });
  return { sends, readTo: now };
}

async function prepare(
  paypal: PayPal,
  item: PayoutItem,
  fee: Money,
  config: PayPalSettings,
  reserve: () => Promise<RailBalance[]>,
): Promise<Prepared> {
  // PayPal accepts ids of at most 63 characters (Payouts v1, `sender_item_id`).
  if (item.id.length > 63) return { ok: false, reason: 'refused', detail: 'an id of over 63 characters' };
  try {
    const held = (await reserve()).find(({ currency }) => currency === item.currency);
    if (!held || held.payable < item.parts + fee.parts) {
      return { ok: false, reason: 'no_float', detail: `${held?.payable ?? 0n} parts are available` };
    }
    // The refund waits and can be stopped. Meanwhile a poll of the payment reports to its owner that it was taken back.
    if ('capture' in item.to && !(await isRefundable(paypal, item)))
      return { ok: false, reason: 'unavailable', detail: 'the payment is not there any more' };
    // A refund during a dispute would be paid twice if the payer wins.
    if ('capture' in item.to && (await isDisputed(paypal, item.to['capture'] ?? '')))
      return { ok: false, reason: 'unavailable', detail: 'the payer disputes the payment' };
  } catch (error) {
    if (error instanceof Unreachable) return { ok: false, reason: 'unavailable', detail: error.message };
    throw error;
  }
  const request = 'capture' in item.to ? refundRequest(item) : payoutRequest(item, config);
  return {
    ok: true,
    attempt: {
      reference: item.id,
      items: [item.id],
      raw: JSON.stringify(request),
      spends: [],
      fee: { currency: item.currency, parts: fee.parts, isMaximum: true },
    },
  };
}

/** Returns the request for a batch of one item (Payouts v1, `create_payout_request`), under our own id. */
function payoutRequest({ id, currency, to, parts }: PayoutItem, { brand }: PayPalSettings): StoredRequest {
  const code = codeOf(currency);
  const amount = { currency: code, value: valueOf(money(currency, parts), code) };
  const body = {
    sender_batch_header: { sender_batch_id: id, email_subject: `${brand}: ${amount.value} ${code}` },
    items: [{ recipient_type: 'EMAIL', receiver: to['email'] ?? '', amount, sender_item_id: id }],
  };
  return { kind: 'payout', path: '/v1/payments/payouts', body: JSON.stringify(body) };
}

/**
 * Reads the answer to a batch. PayPal refuses a repeated id with a link to the original batch, which is then read: its answer was
 * lost before. After any other refusal there is no batch. Throws `Unreachable` for an unreadable answer.
 */
async function sendBatch(paypal: PayPal, attempt: Attempt, request: StoredRequest, reply: Reply): Promise<Sent> {
  const no = refusalOf(reply);
  if (no?.isRepeated) return readOriginal(paypal, attempt, request, no.refusal);
  if (no) return { outcome: 'refused', reason: no.reason };
  if (reply.status !== 201 && reply.status !== 200) return { outcome: 'unknown', reason: `status ${reply.status}` };
  const { payout_batch_id: id, sender_batch_header: header } = jsonOf(reply, shapes.madeBatch).batch_header;
  if (header.sender_batch_id !== attempt.reference) return { outcome: 'unknown', reason: 'PayPal answered for another batch' };
  return { outcome: 'accepted', txid: id };
}

/** Reads the original batch of a repeated id. A batch exists under the id even if PayPal doesn't show it now. */
async function readOriginal(
  paypal: PayPal,
  attempt: Attempt,
  request: StoredRequest,
  { details, links }: shapes.PayPalRefusal,
): Promise<Sent> {
  const id = idIn([...details.flatMap(({ link }) => link), ...links], 'payouts');
  try {
    const batch = id === undefined ? undefined : await readBatch(paypal, id);
    if (id === undefined || !batch) return { outcome: 'exists', reason: 'sent before, and PayPal does not say as what' };
    checkBatch(batch, attempt, request);
    return { outcome: 'accepted', txid: id };
  } catch (error) {
    if (error instanceof Unreachable) return { outcome: 'exists', reason: error.message };
    throw error;
  }
}

const readBatch = (paypal: PayPal, id: string): Promise<shapes.PayPalBatch | undefined> =>
  paypal.read(`/v1/payments/payouts/${encodeURIComponent(id)}`, shapes.batch);

/** Throws `Unreachable` if a batch has another receiver or another amount than requested. */
function checkBatch(
  { batch_header: { sender_batch_header: header }, items }: shapes.PayPalBatch,
  { reference, fee: { currency } }: Attempt,
  { body }: StoredRequest,
): void {
  const request = JSON.parse(body) as { items: [{ receiver: string; amount: { currency: string; value: string } }] };
  const { receiver, amount } = request.items[0];
  const parts = partsOf(currency, amount.currency, amount.value);
  const fits = items.every(
    ({ payout_item: item }) =>
      item.receiver.toLowerCase() === receiver && partsOf(currency, item.amount.currency, item.amount.value) === parts,
  );
  if (header.sender_batch_id === reference && items.length < 2 && fits && parts !== undefined) return;
  throw new Unreachable('PayPal shows another batch under our id');
}

function foundIn(batch: shapes.PayPalBatch, attempt: Attempt, request: StoredRequest): Found {
  checkBatch(batch, attempt, request);
  const { payout_batch_id: txid, batch_status: whole } = batch.batch_header;
  const item = batch.items[0];
  const over = (ok: boolean, retained: bigint): Found => ({
    ...{ outcome: 'mined', txid, height: 0, confirmations: 1, isFinalised: true },
    ok,
    fee: retained,
  });
  switch (item?.transaction_status) {
    case 'SUCCESS':
      return over(true, feeIn(attempt.fee.currency, item.payout_item_fee));
    case 'RETURNED':
    case 'BLOCKED':
    case 'REFUNDED':
    case 'REVERSED':
    case 'FAILED':
    case 'DENIED':
    case 'CANCELED':
      // PayPal returns its fee with the payout.
      return over(false, 0n);
    case 'PENDING':
    case 'UNCLAIMED':
    case 'ONHOLD':
    case 'NEW':
      return { outcome: 'pending', txid };
    case undefined:
      return whole === 'DENIED' || whole === 'CANCELED' ? over(false, 0n) : { outcome: 'pending', txid };
  }
}

function feeIn(currency: string, fee: { readonly currency: string; readonly value: string } | undefined): bigint {
  if (!fee) return 0n;
  const parts = partsOf(currency, fee.currency, fee.value);
  if (parts === undefined) throw new Unreachable('a fee in another currency');
  return parts;
}
