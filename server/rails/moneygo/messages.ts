import { monotonicMs } from '../../platform/index.ts';
import type { Webhook, WebhookProof } from '../rail.ts';

const REFERENCE = /^[0-9A-HJKMNP-TV-Z]{16}$/;
/** Possible names of the field with a message's reference: the documents don't show a message. */
const NAMES = ['payment_id', 'external_id', 'id'];
const WITHIN_MS = 60_000;
/** Maximum number of messages that are accepted within `WITHIN_MS`. */
const MAX = 120;

/**
 * Returns a reader of MoneyGo's messages. The way they are signed is not published, so nothing in them is believed. A message with
 * a reference of our form is a hint to poll it, for a limited number of messages a minute. The regular poll covers the others.
 */
export function hintReader(now: () => number = monotonicMs): (webhook: Webhook) => WebhookProof {
  let since = now();
  let count = 0;
  return ({ raw }) => {
    const to = referenceIn(raw);
    if (to === undefined) return { isProven: false };
    if (now() - since > WITHIN_MS) [since, count] = [now(), 0];
    count += 1;
    return count > MAX ? { isProven: false } : { isProven: true, to };
  };
}

/** Returns a reference of our form in a JSON object (at its top, in `data` or in `processing_pay`), or in a posted form. */
function referenceIn(raw: Uint8Array): string | undefined {
  const text = Buffer.from(raw).toString('utf8');
  const message = objectOf(text) ?? Object.fromEntries(new URLSearchParams(text));
  const references = [message, message['data'], message['processing_pay']];
  const values = references.flatMap((reference) => (isObject(reference) ? NAMES.map((name) => reference[name]) : []));
  return values.find((value): value is string => typeof value === 'string' && REFERENCE.test(value));
}

function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
