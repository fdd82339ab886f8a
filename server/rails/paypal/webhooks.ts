import { type KeyObject, verify } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { wallClock } from '../../platform/index.ts';
import type { Webhook, WebhookProof } from '../rail.ts';
import { Unreachable, jsonOf } from '../provider/index.ts';
import { openBudget } from './budget.ts';
import type { Certificates } from './certificates.ts';
import { type PayPal, idIn } from './client.ts';
import type { PayPalSettings } from './config.ts';
import { orderIdOf } from './refunds.ts';
import * as shapes from './shapes.ts';
import { REFUND_MARK } from './observed-payments.ts';

/** A message with the signature data of its headers (Webhooks v1, `verify_webhook_signature`). */
interface Message {
  readonly raw: Uint8Array;
  readonly text: string;
  readonly id: string;
  readonly time: string;
  readonly signature: string;
  readonly certificate: string;
  readonly event: shapes.PayPalEvent;
}

/** Greatest age of a message: PayPal repeats a message for three days, so an older one is not PayPal's. */
const OLDEST_MS = 4 * 86_400_000;
/** Greatest time by which a message's time may be ahead of our clock. */
const AHEAD_MS = 300_000;
/**
 * Highest number of queries to PayPal about messages, per minute. Anybody can send us messages, and PayPal limits our calls, which
 * payments need. PayPal repeats a real message that was refused for this limit, and payments are polled without messages too.
 */
const QUESTIONS = 120;
const NOT_PROVEN: WebhookProof = { isProven: false };

/** Returns the check of PayPal's messages: proof and subject. The check throws `Unreachable` if it can't decide now. */
export function openWebhooks(
  paypal: PayPal,
  config: PayPalSettings,
  certificates: Certificates,
): (webhook: Webhook) => Promise<WebhookProof> {
  const mayAsk = openBudget(QUESTIONS, 60_000);
  const holds = (message: Message): Promise<boolean> =>
    config.proof === 'online'
      ? isTrueOnline(paypal, config.webhookId, message, mayAsk)
      : isTrueHere(certificates, config.webhookId, message);
  return async (webhook) => {
    const message = readMessage(webhook);
    if (!message || !certificates.isPinned(message.certificate) || !isFresh(message.time)) return NOT_PROVEN;
    if (!(await holds(message))) return NOT_PROVEN;
    return { isProven: true, ...(await subjectOf(paypal, message.event)) };
  };
}

/** Reads a message; undefined if a header or the body is missing or malformed. */
function readMessage({ raw, headers }: Webhook): Message | undefined {
  if (headers['paypal-auth-algo'] !== 'SHA256withRSA') return undefined;
  const id = headers['paypal-transmission-id'] ?? '';
  const time = headers['paypal-transmission-time'] ?? '';
  const signature = headers['paypal-transmission-sig'] ?? '';
  const certificate = headers['paypal-cert-url'] ?? '';
  if (!/^[\w-]{1,50}$/.test(id) || !/^[A-Za-z0-9+/]{40,500}={0,2}$/.test(signature) || certificate.length > 500) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw);
    const event = shapes.event.safeParse(JSON.parse(text)).data;
    return event && { raw, text, id, time, signature, certificate, event };
  } catch {
    return undefined;
  }
}

function isFresh(time: string): boolean {
  const at = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(time) ? Date.parse(time) : Number.NaN;
  const age = wallClock().getTime() - at;
  return age > -AHEAD_MS && age < OLDEST_MS;
}

/**
 * Checks a message by a query to PayPal. The query contains the original text of the body: serialized again, its checksum would
 * differ (PayPal-node-SDK#294). The text is safe to insert, since it was parsed as JSON before.
 */
async function isTrueOnline(
  paypal: PayPal,
  webhookId: string,
  { text, ...message }: Message,
  mayAsk: () => boolean,
): Promise<boolean> {
  const about = JSON.stringify({
    auth_algo: 'SHA256withRSA',
    cert_url: message.certificate,
    transmission_id: message.id,
    transmission_sig: message.signature,
    transmission_time: message.time,
    webhook_id: webhookId,
  });
  const question = `${about.slice(0, -1)},"webhook_event":${text}}`;
  if (!mayAsk()) throw new Unreachable('too many messages to ask PayPal about');
  const reply = await paypal.post('/v1/notifications/verify-webhook-signature', question);
  // A message that PayPal can't read is not PayPal's.
  if (reply.status === 400 || reply.status === 422) return false;
  if (reply.status !== 200) throw new Unreachable(`PayPal answered ${reply.status}`);
  return jsonOf(reply, shapes.verified).verification_status === 'SUCCESS';
}

/** Checks a message by its signature, with the certificate that the message names. */
async function isTrueHere(certificates: Certificates, webhookId: string, message: Message): Promise<boolean> {
  const certificate = await certificates.keyAt(message.certificate);
  return certificate !== undefined && isSigned(certificate.publicKey, webhookId, message);
}

/**
 * Returns true if a message to a webhook is signed with a key: RSA with SHA-256 over `id|time|webhook|checksum`. The checksum is
 * the CRC-32 of the body's bytes, as an unsigned decimal (PayPal, "Verify the webhook signature").
 */
export function isSigned(
  key: KeyObject,
  webhookId: string,
  { id, time, signature, raw }: Pick<Message, 'id' | 'time' | 'signature' | 'raw'>,
): boolean {
  if (key.asymmetricKeyType !== 'rsa') return false;
  const signed = Buffer.from(`${id}|${time}|${webhookId}|${crc32(raw)}`, 'utf8');
  return verify('RSA-SHA256', signed, key, Buffer.from(signature, 'base64'));
}

/** Returns the subject of a proven message: a payment, by our reference and PayPal's id of the order, or a send. */
async function subjectOf(
  paypal: PayPal,
  { event_type: kind, resource }: shapes.PayPalEvent,
): Promise<Omit<WebhookProof, 'isProven'>> {
  if (kind.startsWith('PAYMENT.PAYOUTSBATCH.')) return sentBy(resource.batch_header?.sender_batch_header?.sender_batch_id);
  if (kind.startsWith('PAYMENT.PAYOUTS-ITEM.')) return sentBy(resource.payout_item?.sender_item_id ?? resource.sender_batch_id);
  if (kind.startsWith('CUSTOMER.DISPUTE.')) return ofCapture(paypal, resource.disputed_transactions?.[0]?.seller_transaction_id);
  if (kind.startsWith('CHECKOUT.ORDER.')) return referenceOf(resource.purchase_units?.[0]?.custom_id, resource.id);
  if (!kind.startsWith('PAYMENT.CAPTURE.') && !kind.startsWith('PAYMENT.REFUND.')) return {};
  // A refund or reversal links to its capture, and a capture to its order.
  const of = idIn(resource.links ?? [], 'captures');
  const mark = resource.custom_id?.startsWith(REFUND_MARK) ? resource.custom_id.slice(REFUND_MARK.length) : undefined;
  if (mark !== undefined || (of !== undefined && of !== resource.id))
    return { ...(await ofCapture(paypal, of)), ...sentBy(mark) };
  const order = resource.supplementary_data?.related_ids?.order_id ?? idIn(resource.links ?? [], 'orders');
  return referenceOf(resource.custom_id, order);
}

const sentBy = (sent: string | undefined): { sent?: string } => (sent === undefined ? {} : { sent });

const referenceOf = (to: string | undefined, id: string | undefined): { to?: string; id?: string } => ({
  ...(to !== undefined && { to }),
  ...(id !== undefined && { id }),
});

/** Reads a capture's payment reference from PayPal, since the message doesn't contain it. */
async function ofCapture(paypal: PayPal, id: string | undefined): Promise<{ to?: string; id?: string }> {
  if (id === undefined || !/^[A-Za-z0-9]{1,60}$/.test(id)) return {};
  const capture = await paypal.read(`/v2/payments/captures/${id}`, shapes.capture);
  return capture ? referenceOf(capture.custom_id, orderIdOf(capture)) : {};
}
