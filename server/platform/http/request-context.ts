// The context of a call that came by an HTTP request. Values that few calls need are computed when they are first read.

import type { FastifyRequest } from 'fastify';
import { type Locale, fieldProblem, localeOf } from '@kurs/contract';
import type { Context } from './calls.ts';
import type { Caller } from './callers/callers.ts';
import type { Db } from '../db/db.ts';
import type { Devices } from './callers/device.ts';
import type { Counters } from './callers/counters.ts';
import type { Counted, Limit } from './callers/limits.ts';

/** Parts of a request that the context reads. Requests that bypass the framework have these parts, too. */
export type AskingRequest = Pick<FastifyRequest, 'headers' | 'url' | 'raw'>;

/**
 * Client, language and Idempotency-Key of a call. A page of the site sets these values; for all other callers they are read
 * from headers.
 */
export type RequestedAs = Pick<Context, 'clientId' | 'locale' | 'idempotencyKey'>;

/** Dependencies of all contexts. */
export type Used = {
  readonly db: Db;
  readonly counters: Counters;
  readonly devices: Devices;
  /** True if cookies are sent over https only. */
  readonly isSecure: boolean;
  /** Returns the credential in an Authorization header. */
  readonly bearerOf: (authorization: string) => string | undefined;
  /** Returns true if the calls of a caller are limited. */
  readonly counts: (caller: Caller) => boolean;
};

const KEY_FORMAT = /^[\x21-\x7e]{1,255}$/;

/** Returns client, language and Idempotency-Key from a request's headers. Throws `validation` for a malformed key. */
export function requestedAs({ headers }: AskingRequest, clientId: string): RequestedAs {
  const idempotencyKey = headers['idempotency-key'];
  if (idempotencyKey !== undefined && !(typeof idempotencyKey === 'string' && KEY_FORMAT.test(idempotencyKey))) {
    throw fieldProblem('Idempotency-Key', 'wrong_value');
  }
  return { clientId, locale: localeFor(headers['accept-language']), idempotencyKey };
}

/** Cache of languages by `accept-language` header. Browsers send few different headers. */
const locales = new Map<string, Locale>();
const MAX_LOCALES = 500;

function localeFor(header = ''): Locale {
  const known = locales.get(header);
  if (known) return known;
  const found = localeOf(header);
  if (locales.size < MAX_LOCALES && header.length < 100) locales.set(header, found);
  return found;
}

const UNCOUNTED: Counted = { undo: () => undefined };

export class RequestContext implements Context {
  readonly db: Db;
  readonly locale: Locale;
  readonly clientId: string;
  readonly idempotencyKey: string | undefined;
  readonly caller: Caller;
  private readonly headers: FastifyRequest['headers'];
  private readonly used: Used;
  private wasRead = false;

  constructor({ headers }: AskingRequest, { clientId, locale, idempotencyKey }: RequestedAs, caller: Caller, used: Used) {
    this.db = used.db;
    this.locale = locale;
    this.clientId = clientId;
    this.idempotencyKey = idempotencyKey;
    this.caller = caller;
    this.headers = headers;
    this.used = used;
  }

  get ip(): string {
    return this.caller.ip;
  }

  /**
   * True once a value was read that may differ between callers: the device key, the User-Agent or the credential. The result of
   * such a call must not be cached for other callers.
   */
  get isPersonal(): boolean {
    return this.wasRead;
  }

  get deviceKey(): string {
    this.wasRead = true;
    return this.used.devices.keyOf(this.headers, this.caller.ip);
  }

  get browser(): string | undefined {
    return this.used.devices.browserOf(this.headers);
  }

  /**
   * `Set-Cookie` header of the answer. Set if the handler has called `introduceBrowser` for a browser without the device
   * cookie.
   */
  newCookie: string | undefined;
  private newBrowser: string | undefined;

  introduceBrowser(): string | undefined {
    const known = this.browser ?? this.newBrowser;
    if (known !== undefined) return known;
    const made = this.used.devices.make(this.used.isSecure);
    this.newCookie = made?.cookie;
    return (this.newBrowser = made?.browser);
  }

  get userAgent(): string {
    this.wasRead = true;
    return this.headers['user-agent'] ?? '';
  }

  get bearer(): string | undefined {
    const { authorization } = this.headers;
    if (authorization === undefined) return undefined;
    this.wasRead = true;
    return this.used.bearerOf(authorization);
  }

  readonly limit = (key: string, limit: Limit): Promise<Counted> => this.used.counters.take(key, limit);

  readonly limitNetwork = async (key: string, limit: Limit): Promise<Counted> =>
    this.used.counts(this.caller) ? this.used.counters.take(`${key} of ${this.caller.network}`, limit) : UNCOUNTED;

  readonly limitDevice = async (key: string, limit: Limit): Promise<Counted> =>
    this.used.counts(this.caller) ? this.used.counters.take(`${key} of device ${this.deviceKey}`, limit) : UNCOUNTED;
}
