import type { z } from 'zod';
import { monotonicMs } from '../../platform/index.ts';
import { type Reply, Unreachable, callProvider, jsonOf } from '../provider/index.ts';
import type { PayPalSettings } from './config.ts';
import * as shapes from './shapes.ts';

/** Client of PayPal's API with our token. Paths begin with `/`. */
export interface PayPal {
  /** Reads an object; undefined for 404. Throws `NotGranted` for 403, and `Unreachable` for any other answer. */
  read<S extends z.ZodType>(path: string, shape: S): Promise<z.output<S> | undefined>;
  /**
   * Posts a body unchanged and returns any answer. PayPal recognizes a repetition by `requestId`. After a 401, which has no
   * effect, the call is repeated once with a new token. Throws `Unreachable` without an answer.
   */
  post(path: string, body: string, requestId?: string): Promise<Reply>;
}

/** PayPal refuses a call since it has not granted that part of its API to our app (403). */
export class NotGranted extends Unreachable {}

/** A token is not used in its last minute, since it could expire during a call. */
const MARGIN_MS = 60_000;

/** Opens the client without a call yet. */
export function openPayPal({ api, clientId, clientSecret }: PayPalSettings): PayPal {
  const base = api.replace(/\/$/, '');
  let held: { readonly text: string; readonly until: number } | undefined;
  let asking: Promise<string> | undefined;

  async function ask(): Promise<string> {
    const at = monotonicMs();
    const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
    const form = { grant_type: 'client_credentials' };
    const reply = await callProvider(new URL(`${base}/v1/oauth2/token`), { headers: { authorization }, form });
    if (reply.status !== 200) throw new Unreachable(`PayPal gave no token: status ${reply.status}`);
    const { access_token: text, expires_in: seconds } = jsonOf(reply, shapes.token);
    held = { text, until: at + Math.max(seconds * 1_000 - MARGIN_MS, seconds * 500) };
    return text;
  }

  /** Returns the token. Concurrent callers share one request. */
  async function token(): Promise<string> {
    if (held && monotonicMs() < held.until) return held.text;
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  }

  async function call(path: string, body?: string, requestId?: string): Promise<Reply> {
    for (let turn = 0; ; turn += 1) {
      const used = await token();
      const headers = {
        authorization: `Bearer ${used}`,
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json', prefer: 'return=representation' }),
        ...(requestId !== undefined && { 'paypal-request-id': requestId }),
      };
      const reply = await callProvider(new URL(base + path), { headers, ...(body !== undefined && { body }) });
      if (reply.status !== 401 || turn > 0) return reply;
      if (held?.text === used) held = undefined;
    }
  }

  return {
    read: async (path, shape) => {
      const reply = await call(path);
      if (reply.status === 404) return undefined;
      if (reply.status === 403) throw new NotGranted('PayPal answered 403');
      if (reply.status !== 200) throw new Unreachable(`PayPal answered ${reply.status}`);
      return jsonOf(reply, shape);
    },
    post: (path, body, requestId) => call(path, body, requestId),
  };
}

/**
 * Reads a definite refusal, with PayPal's reason; undefined if the request may have had an effect. `isRepeated`: the refusal is
 * about an id used before, so an earlier request may have had an effect. Throws `Unreachable` for an unreadable refusal.
 */
export function refusalOf(
  reply: Reply,
): { readonly reason: string; readonly refusal: shapes.PayPalRefusal; readonly isRepeated: boolean } | undefined {
  if (![400, 403, 404, 422].includes(reply.status)) return undefined;
  const refusal = jsonOf(reply, shapes.refusal);
  const { name, message, details } = refusal;
  const issues = details.map(({ issue }) => issue).filter(Boolean);
  const words = [name, message, ...details.flatMap(({ field = '', issue }) => [field, issue])].join(' ');
  return { reason: [name, ...issues].join(': ').slice(0, 300), refusal, isRepeated: REPEATED.test(words) };
}

/** Words of a refusal because the request's id was used before (`sender_batch_id`, `sender_item_id`, `PayPal-Request-Id`). */
const REPEATED = /(sender_(batch|item)_id|request[_-]id)[\s\S]*(exist|duplicate|already|previously|used)|duplicate/i;

/** Returns the id at the end of the first link to `folder`, as in `…/v2/payments/captures/<id>`; undefined if there is none. */
export function idIn(links: readonly { readonly href: string }[], folder: string): string | undefined {
  for (const { href } of links) {
    const found = new RegExp(`/${folder}/([A-Za-z0-9-]{1,60})$`).exec(href)?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}
