import { z } from 'zod';
import { monotonicMs } from '../../platform/index.ts';
import { type ProviderCall, type Reply, Unreachable, callProvider, sha256Hex } from '../provider/index.ts';
import { exactJsonOf } from '../provider/exact-json.ts';
import type { MoneyGoSettings } from './config.ts';

/** Words of an answer by which a reference was used before: no document lists them, so any that may mean it count. */
const REPEATED = /(payment_?id|external_?id|transaction)[^{}]*(already|taken|exist|duplicate|unique)|duplicate/i;

/** A definite "no" of the service: it answered, in its own form, and did nothing. */
export class Refusal extends Error {
  readonly status: number;
  /** It says so because the reference was used before: something stands under it. */
  readonly isRepeated: boolean;

  constructor(status: number, words = '') {
    super(`MoneyGo says no (${status})`);
    this.name = 'Refusal';
    this.status = status;
    this.isRepeated = REPEATED.test(words);
  }
}

/** A movement by our reference (`external_id`). */
export interface Transaction {
  readonly id: string;
  readonly reference: string;
  readonly amount: string;
  readonly fee: string;
  readonly type: string;
  readonly status: string;
  readonly currency: string;
  /** What a payment through the form is, beside. */
  readonly form?: { readonly from: string; readonly to: string; readonly isCancelled: boolean };
}

/** What a payment through the form is asked for with; all of it text, since the signature is over text. */
export interface Checkout {
  readonly wallet_to: string;
  readonly wallet_from: string;
  readonly amount: string;
  readonly id: string;
  readonly success_url: string;
  readonly cancel_url: string;
  readonly status_url: string;
  readonly user_info: string;
}

export interface Transfer {
  readonly wallet_from: string;
  readonly wallet_to: string;
  readonly amount: string;
  readonly payment_id: string;
  readonly description: string;
}

const tokenShape = z.object({ access_token: z.string().min(1), expires_in: z.string().regex(/^\d+$/) });
const answerShape = z.object({ status: z.boolean() });
const walletsShape = z.object({
  data: z.array(z.object({ number: z.string(), amount: z.string(), active_amount: z.string().optional() })),
});
const checkoutShape = z.object({ data: z.object({ url: z.url() }) });
const transferShape = z.object({ data: z.object({ id: z.string() }) });
const showShape = z.object({
  data: z
    .object({
      id: z.string(),
      external_id: z.string(),
      amount: z.string(),
      commission: z.string(),
      type: z.string(),
      status: z.string(),
      currency: z.object({ code: z.string() }),
      processing_pay: z.object({ wallet_from: z.string(), wallet_to: z.string(), cancel: z.boolean().nullish() }).nullish(),
    })
    .nullish(),
});

/** A token is renewed this long before its end. */
const SPARE_MS = 60_000;

/**
 * MoneyGo's service (docs.money-go.com). It is asked with a token, which a client's id and secret are given for a while.
 * Calls throw `Refusal` for a definite "no" and `Unreachable` for no usable answer.
 */
export class MoneyGoApi {
  readonly #settings: MoneyGoSettings;
  #token: { readonly text: string; readonly endsAt: number } | undefined;

  constructor(settings: MoneyGoSettings) {
    this.#settings = settings;
  }

  /** Our wallets by number: what is in each, and what of it can be used. */
  async wallets(): Promise<Map<string, { readonly amount: string; readonly active: string }>> {
    const { data } = exactJsonOf(await this.#call('api/wallets'), walletsShape);
    return new Map(data.map(({ number, amount, active_amount: active = amount }) => [number, { amount, active }]));
  }

  /** Whether another's wallet exists and can have to do with ours. */
  async isWallet(ours: string, other: string): Promise<boolean> {
    try {
      await this.#call(`api/wallet-exists?number_to=${ours}&number_from=${other}`);
      return true;
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
  }

  /** Prepares a payment; gives the address of its page. */
  async checkout(request: Checkout): Promise<string> {
    const { wallet_to, wallet_from, amount, id } = request;
    const signed = JSON.stringify({ wallet_to, wallet_from, amount, id, secret: this.#settings.formSecret });
    const reply = await this.#call('api/processing/checkout', { json: { ...request, signature: sha256Hex(signed) } });
    return exactJsonOf(reply, checkoutShape).data.url;
  }

  /** The movement that carries a reference of ours; undefined where there is none. */
  async transaction(reference: string): Promise<Transaction | undefined> {
    let reply: Reply;
    try {
      reply = await this.#call(`api/transaction/show?external_id=${encodeURIComponent(reference)}`);
    } catch (error) {
      if (error instanceof Refusal && error.status === 404) return undefined;
      throw error;
    }
    const { data } = exactJsonOf(reply, showShape);
    if (!data) return undefined;
    const { id, external_id: named, amount, commission: fee, type, status, currency, processing_pay: form } = data;
    if (named !== reference) throw new Unreachable('an answer about another transaction');
    const what = { id, reference, amount, fee, type, status, currency: currency.code };
    return form ? { ...what, form: { from: form.wallet_from, to: form.wallet_to, isCancelled: form.cancel === true } } : what;
  }

  /** Transfers; gives the movement's id. Nothing promises that a reference is taken once: the caller has looked. */
  async transfer(request: Transfer): Promise<string> {
    return exactJsonOf(await this.#call('api/transaction/transfer', { json: request }), transferShape).data.id;
  }

  /** A call with the token; one that isn't let in is tried once more with a new token, since it did nothing. */
  async #call(path: string, call: ProviderCall = {}): Promise<Reply> {
    const known = this.#token;
    const first = await this.#ask(path, call, await this.#tokenNow());
    if (first.status !== 401 || !known) return answered(first);
    this.#token = undefined;
    return answered(await this.#ask(path, call, await this.#tokenNow()));
  }

  #ask(path: string, call: ProviderCall, token: string): Promise<Reply> {
    const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
    return callProvider(new URL(path, this.#settings.api), { ...call, headers });
  }

  async #tokenNow(): Promise<string> {
    if (this.#token && this.#token.endsAt > monotonicMs()) return this.#token.text;
    const { api, clientId: client_id, clientSecret: client_secret } = this.#settings;
    const request = { grant_type: 'client_credentials', client_id, client_secret, scope: 'api' };
    const reply = await callProvider(new URL('token', api), { json: request, headers: { accept: 'application/json' } });
    if (reply.status === 400 || reply.status === 401) throw new Refusal(reply.status);
    const { access_token: text, expires_in: seconds } = exactJsonOf(reply, tokenShape);
    this.#token = { text, endsAt: monotonicMs() + Number.parseInt(seconds, 10) * 1_000 - SPARE_MS };
    return text;
  }
}

/** What is too early, too much or a conflict may have been done before. */
const UNCLEAR = new Set([408, 409, 425, 429]);

/** A good answer as it is. A "no" in the service's own form (4xx, or `status: false`) is a `Refusal`. */
function answered(reply: Reply): Reply {
  if (reply.status >= 500 || UNCLEAR.has(reply.status)) throw new Unreachable(`status ${reply.status}`);
  if (reply.status >= 400) {
    // A page of somebody's between us (a 404 of a proxy) would else say that a send is not there.
    exactJsonOf(reply, z.object({}));
    throw new Refusal(reply.status, reply.text);
  }
  if (reply.status !== 200 && reply.status !== 201) throw new Unreachable(`status ${reply.status}`);
  if (!exactJsonOf(reply, answerShape).status) throw new Refusal(reply.status, reply.text);
  return reply;
}
