import { createPrivateKey, createPublicKey, randomUUID, sign, verify, X509Certificate } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Where } from '../counterpart.ts';
import { WebhookSender, type Message } from '../provider/index.ts';
import { type Book, type Event, newId } from './book.ts';

/** Signature headers of a message, which are also the request to verify it. */
export interface Signed {
  readonly auth_algo: string;
  readonly cert_url: string;
  readonly transmission_id: string;
  readonly transmission_sig: string;
  readonly transmission_time: string;
  readonly webhook_id: string;
}

const CERTIFICATE = 'CERT-360caa42-fca2a594-sandbox';

/**
 * Messages of PayPal: stored as events, signed (RSA with SHA-256 over `id|time|webhook|crc32 of the body`), and sent to each
 * webhook registered for their kind until they are accepted.
 */
export class Messages {
  readonly #book: Book;
  readonly #webhooks: WebhookSender;
  readonly #where: () => Where;
  isSilent = false;

  constructor(book: Book, webhooks: WebhookSender, where: () => Where) {
    this.#book = book;
    this.#webhooks = webhooks;
    this.#where = where;
  }

  /** Path of the signing certificate. */
  certificatePath = `/v1/notifications/certs/${CERTIFICATE}`;

  /** Stores an event and sends it to the webhooks of its kind. */
  report(kind: string, resourceType: string, resource: Record<string, unknown>, summary: string): Event {
    const id = `WH-${newId(17)}-${newId(17)}`;
    const links = [
      { href: `${this.#where().base}/v1/notifications/webhooks-events/${id}`, rel: 'self', method: 'GET' },
      { href: `${this.#where().base}/v1/notifications/webhooks-events/${id}/resend`, rel: 'resend', method: 'POST' },
    ];
    const event = {
      ...{
        id,
        event_version: '1.0',
        create_time: new Date().toISOString(),
        resource_type: resourceType,
        resource_version: '2.0',
      },
      ...{ event_type: kind, summary, resource, links },
    };
    this.#book.storeEvent(event);
    this.send(event);
    return event;
  }

  /** Sends an event to its webhooks, with a transmission each. */
  send(event: Event): void {
    if (this.isSilent) return;
    for (const { id, url, kinds } of this.#book.webhooks()) {
      if (kinds.includes('*') || kinds.includes(event.event_type)) this.#webhooks.send(this.messageTo(url, id, event));
    }
  }

  /**
   * Returns an event as it is posted to a webhook. PayPal writes JSON with additional spaces, so its checksum covers the bytes.
   */
  messageTo(url: string, webhook: string, event: Event): Message {
    const body = JSON.stringify(event).replaceAll('":"', '": "');
    const headers = headersOf(this.signed(body, webhook));
    const bytes = Buffer.from(headers['paypal-transmission-sig'] ?? '', 'base64');
    bytes[7] = (bytes[7] as number) ^ 1;
    return { url, headers, body, forged: { headers: { ...headers, 'paypal-transmission-sig': bytes.toString('base64') }, body } };
  }

  /** Signs a body for a webhook. */
  signed(body: string, webhook: string, time = `${new Date().toISOString().slice(0, 19)}Z`): Signed {
    const id = randomUUID();
    const text = `${id}|${time}|${webhook}|${crc32(body)}`;
    return {
      auth_algo: 'SHA256withRSA',
      cert_url: this.#where().base + this.certificatePath,
      transmission_id: id,
      transmission_sig: sign('RSA-SHA256', Buffer.from(text), createPrivateKey(this.#book.authority.key)).toString('base64'),
      transmission_time: time,
      webhook_id: webhook,
    };
  }

  /** True if this counterpart sent a message to this webhook. `body` is the text of its body as the request contained it. */
  isTrue(request: Signed, body: string): boolean {
    const { transmission_id: id, transmission_time: time, transmission_sig: signature, webhook_id: webhook } = request;
    if (!this.#book.webhook(webhook) || request.cert_url !== this.#where().base + this.certificatePath) return false;
    const { publicKey } = new X509Certificate(this.#book.authority.certificate);
    const text = Buffer.from(`${id}|${time}|${webhook}|${crc32(body)}`);
    return verify(
      'RSA-SHA256',
      text,
      createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })),
      Buffer.from(signature, 'base64'),
    );
  }
}

export function headersOf(signed: Signed): Record<string, string> {
  return {
    'content-type': 'application/json',
    'paypal-auth-algo': signed.auth_algo,
    'paypal-cert-url': signed.cert_url,
    'paypal-transmission-id': signed.transmission_id,
    'paypal-transmission-sig': signed.transmission_sig,
    'paypal-transmission-time': signed.transmission_time,
  };
}

/**
 * Returns the text of a member of a JSON object unparsed, since its bytes are signed. Undefined if there is none at the top
 * level.
 */
export function memberText(json: string, name: string): string | undefined {
  let depth = 0;
  let key: string | undefined;
  let from = -1;
  for (let at = 0; at < json.length; at += 1) {
    const sign = json[at];
    if (sign === '"') {
      const start = at;
      for (at += 1; json[at] !== '"'; at += 1) if (json[at] === '\\') at += 1;
      if (depth === 1 && from < 0) key = json.slice(start + 1, at);
    } else if (sign === ':' && depth === 1 && from < 0 && key === name) from = at + 1;
    else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') {
      depth -= 1;
      if (depth === 0 && from >= 0) return json.slice(from, at).trim();
    } else if (sign === ',' && depth === 1) {
      if (from >= 0) return json.slice(from, at).trim();
      key = undefined;
    }
  }
  return undefined;
}
