import { z } from 'zod';
import { monotonicMs } from '../../platform/index.ts';
import { type ProviderCall, type Reply, Unreachable, callProvider, sha256Hex } from '../provider/index.ts';
import { exactJsonOf } from '../provider/exact-json.ts';
import type { MoneyGoSettings } from './config.ts';

/** Words by which an answer may mean that a reference was used before. No document lists them, so every likely word counts. */
const REPEATED = /(payment_?id|external_?id|transaction)[^{}]*(already|taken|exist|duplicate|unique)|duplicate/i;

/** A definite refusal: the service answered in its own form, and did nothing. */
export class Refusal extends Error {
  readonly status: number;
  /** True if the refusal means that the reference was used before: a movement exists under it. */
  readonly isRepeated: boolean;

  constructor(status: number, words = '') {
    super(`MoneyGo says no (${status})`);
    this.name = 'Refusal';
    this.status = status;
    this.isRepeated = REPEATED.test(words);
  }
}

/** A movement with our reference (`external_id`). */
export interface Transaction {
  readonly id: string;
  readonly reference: string;
  readonly amount: string;
  readonly fee: string;
  readonly type: string;
  readonly status: string;
  readonly currency: string;
  /** Wallets and state of a payment through the form; absent for any other movement. */
  readonly form?: { readonly from: string; readonly to: string; readonly isCancelled: boolean };
}

/** Request for a payment through the form. Every field is text, since the signature covers text. */
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

/** Time before its expiry at which a token is renewed, in ms. */
const SPARE_MS = 60_000;

/**
 * Client of MoneyGo's API (docs.money-go.com). Calls carry a token, which the service issues for the client's id and secret, and
 * which expires. Calls throw `Refusal` for a definite refusal and `Unreachable` if no usable answer came.
 */
export class MoneyGoApi {
  readonly #settings: MoneyGoSettings;
  #token: { readonly text: string; readonly endsAt: number } | undefined;

  constructor(settings: MoneyGoSettings) {
    this.#settings = settings;
  }

  /** Returns our wallets by number: the amount in each, and the part that can be used. */
  async wallets(): Promise<Map<string, { readonly amount: string; readonly active: string }>> {
    const { data } = exactJsonOf(await this.#call('api/wallets'), walletsShape);
    return new Map(data.map(({ number, amount, active_amount: active = amount }) => [number, { amount, active }]));
  }

  /** True if another wallet exists and can exchange money with ours. */
  async isWallet(ours: string, other: string): Promise<boolean> {
    try {
      await this.#call(`api/wallet-exists?number_to=${ours}&number_from=${other}`);
      return true;
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
  }

  /** Prepares a payment, and returns the address of its page. */
  async checkout(request: Checkout): Promise<string> {
    const { wallet_to, wallet_from, amount, id } = request;
    const signed = JSON.stringify({ wallet_to, wallet_from, amount, id, secret: this.#settings.formSecret });
    const reply = await this.#call('api/processing/checkout', { json: { ...request, signature: sha256Hex(signed) } });
    return exactJsonOf(reply, checkoutShape).data.url;
  }

  /** Returns the movement with a reference of ours; undefined if there is none. */
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

  /**
   * Transfers money, and returns the movement's id. The service doesn't promise to accept a reference only once, so the caller must
   * look it up first.
   */
  async transfer(request: Transfer): Promise<string> {
    return exactJsonOf(await this.#call('api/transaction/transfer', { json: request }), transferShape).data.id;
  }

  /** Makes a call with the token. A call refused for its old token did nothing: it is tried once more with a new token. */
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

/** Statuses that are no definite refusal (timeout, conflict, too early, too many calls): the call may have been executed before. */
const UNCLEAR = new Set([408, 409, 425, 429]);

/**
 * Returns a good answer unchanged. Throws `Refusal` for a refusal in the service's own form (4xx, or `status: false`), and
 * `Unreachable` for any other answer.
 */
function answered(reply: Reply): Reply {
  if (reply.status >= 500 || UNCLEAR.has(reply.status)) throw new Unreachable(`status ${reply.status}`);
  if (reply.status >= 400) {
    // Only JSON is a refusal. Otherwise the page of a proxy between us (a 404) would say that a send is not there.
    exactJsonOf(reply, z.object({}));
    throw new Refusal(reply.status, reply.text);
  }
  if (reply.status !== 200 && reply.status !== 201) throw new Unreachable(`status ${reply.status}`);
  if (!exactJsonOf(reply, answerShape).status) throw new Refusal(reply.status, reply.text);
  return reply;
}
