// The context of a call that came by a request. What few calls ask for is computed when asked.

import type { FastifyRequest } from 'fastify';
import { type Locale, fieldProblem, localeOf } from '@kurs/contract';
import type { Context } from './calls.ts';
import type { Caller } from './callers/callers.ts';
import type { Db } from '../db/db.ts';
import type { Devices } from './callers/device.ts';
import type { Counters } from './callers/counters.ts';
import type { Counted, Limit } from './callers/limits.ts';

/** What is read of a request; one that is answered past the framework has it, too. */
export type AskingRequest = Pick<FastifyRequest, 'headers' | 'url' | 'raw'>;

/** What a page says for itself, and any other caller by headers. */
export type AskedAs = Pick<Context, 'clientId' | 'locale' | 'idempotencyKey'>;

/** What every context is made with. */
export type Used = {
  readonly db: Db;
  readonly counters: Counters;
  readonly devices: Devices;
  /** Whether cookies are for https only. */
  readonly secure: boolean;
  /** What an Authorization header shows of its caller. */
  readonly bearerOf: (authorization: string) => string | undefined;
  /** Whether a caller's calls are counted. */
  readonly counts: (caller: Caller) => boolean;
};

const KEY_FORMAT = /^[\x21-\x7e]{1,255}$/;

/** The caller, by the request's headers. Throws `validation` for a malformed Idempotency-Key. */
export function askedAs({ headers }: AskingRequest, clientId: string): AskedAs {
  const idempotencyKey = headers['idempotency-key'];
  if (idempotencyKey !== undefined && !(typeof idempotencyKey === 'string' && KEY_FORMAT.test(idempotencyKey))) {
    throw fieldProblem('Idempotency-Key', 'wrong_value');
  }
  return { clientId, locale: localeFor(headers['accept-language']), idempotencyKey };
}

/** What headers ask for; browsers send few different ones. */
const locales = new Map<string, Locale>();
const MOST_LOCALES = 500;

function localeFor(header = ''): Locale {
  const known = locales.get(header);
  if (known) return known;
  const found = localeOf(header);
  if (locales.size < MOST_LOCALES && header.length < 100) locales.set(header, found);
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

  constructor({ headers }: AskingRequest, { clientId, locale, idempotencyKey }: AskedAs, caller: Caller, used: Used) {
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

  /** Whether something was read by now that tells this caller from others: the device, the browser's name, a session. */
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

  /** The cookie that the answer has to set; undefined where none was asked for. */
  newCookie: string | undefined;
  private newBrowser: string | undefined;

  introduceBrowser(): string | undefined {
    const known = this.browser ?? this.newBrowser;
    if (known !== undefined) return known;
    const made = this.used.devices.make(this.used.secure);
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
