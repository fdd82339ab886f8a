// Makes one HTTP POST to an address that others choose. It is limited in time and size, follows no redirects, and never goes into
// a private network.

import { Resolver, lookup } from 'node:dns/promises';
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { type LookupFunction, isIP } from 'node:net';
import { monotonicMs, redactText } from '../platform/index.ts';
import { isPublicAddress } from './address.ts';

/** Time limits of an attempt, in ms: to connect, until the first byte of the answer, and for the whole attempt. */
export interface TimeLimits {
  readonly connectMs: number;
  readonly firstByteMs: number;
  readonly wholeMs: number;
}

const LIMITS: TimeLimits = { connectMs: 5_000, firstByteMs: 10_000, wholeMs: 15_000 };
/** Maximum bytes of an answer that are read and stored; then the connection is closed. */
const MAX_OF_AN_ANSWER = 1_024;
/** Largest head of an answer, in bytes. */
const LONGEST_HEAD = 65_536;
const MAX_OF_AN_ERROR = 300;

/** Outcome of one attempt. `status` is absent if there was no answer. */
export interface Outcome {
  readonly status?: number;
  readonly latencyMs: number;
  /** The first bytes of the answer. */
  readonly answer: string;
  /** Reason why there was no answer, or why its body is incomplete. */
  readonly error?: string;
  /**
   * True if the receiver refused for good, so that another attempt would get the same answer. The delivery is given up at once,
   * without an alarm.
   */
  readonly isFinal?: boolean;
  /** True if nothing was attempted because SQL changed event, letter or endpoint. The delivery is given up at once. */
  readonly isAltered?: boolean;
}

/** Function that resolves a host name to IP addresses. */
type Resolve = (name: string) => Promise<readonly string[]>;

/** Returns the outcome of a delivery that is not attempted because its rows were changed by SQL. */
export const altered = (error: string): Outcome => ({ latencyMs: 0, answer: '', error, isAltered: true });

/** Settings of `openPost`. */
export interface PostOptions {
  /** Origin that may be private although the kind of webhooks forbids it, for the sandbox. Empty if there is none. */
  readonly privateOrigin?: string;
  readonly limits?: TimeLimits;
  /**
   * Resolves host names. By default, names that must be public are resolved by DNS alone, and names that may be private as the
   * machine does.
   */
  readonly resolve?: Resolve;
}

/** A request to post. `mayBePrivate`: true if its address may be private. */
export interface Posted {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly mayBePrivate: boolean;
}

/** Posts to addresses that others choose. */
export interface Poster {
  /** Posts once. Never throws if the endpoint fails: the outcome reports that. */
  post(posted: Posted): Promise<Outcome>;
  close(): Promise<void>;
}

/** Opens a poster. Each attempt uses a new connection, to an IP address that was checked for this attempt. */
export function openPost({ privateOrigin = '', limits = LIMITS, resolve }: PostOptions = {}): Poster {
  const outside = pinned(resolve ?? resolveByDns, isPublicAddress);
  const anywhere = pinned(resolve ?? resolveByHost, () => true);
  const closing = new AbortController();
  return {
    async post({ url, headers, body, mayBePrivate }) {
      const begin = monotonicMs();
      const heard: Heard = { bytes: '' };
      try {
        const to = new URL(url);
        const isFree = mayBePrivate || to.origin === privateOrigin;
        requireUsable(to, isFree);
        const options: RequestOptions = {
          ...{ method: 'POST', agent: false, maxHeaderSize: LONGEST_HEAD, lookup: isFree ? anywhere : outside },
          ...{ headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers } },
          signal: closing.signal,
        };
        const answer = await sent(to, { options, body, limits, heard });
        const status = answer.statusCode;
        return { ...(status !== undefined && { status }), ...(await beginningOf(answer)), latencyMs: since(begin) };
      } catch (error) {
        const status = statusIn(heard.bytes);
        return { ...(status !== undefined && { status }), answer: '', error: reasonOf(error), latencyMs: since(begin) };
      }
    },
    async close() {
      closing.abort(new Error('closed'));
    },
  };
}

const since = (begin: number): number => Math.round(monotonicMs() - begin);

/** The first bytes that were received on a connection. */
interface Heard {
  bytes: string;
}

interface Sending {
  readonly options: RequestOptions;
  readonly body: string;
  readonly limits: TimeLimits;
  readonly heard: Heard;
}

/**
 * Sends a request and returns its answer once the head has arrived. If a time limit passes, the request is aborted, even while
 * the body is being read.
 */
function sent(url: URL, { options, body, limits, heard }: Sending): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const isSafe = url.protocol === 'https:';
    const request = (isSafe ? requestHttps : requestHttp)(url, options);
    const within = (ms: number, what: string): NodeJS.Timeout => setTimeout(() => request.destroy(new Error(what)), ms);
    let step = within(limits.connectMs, 'Timeout: no connection');
    let late = (): void => void request.destroy(new Error(LATE));
    const whole = setTimeout(() => late(), limits.wholeMs);
    request.once('socket', (socket) => {
      socket.once(isSafe ? 'secureConnect' : 'connect', () => {
        clearTimeout(step);
        step = within(limits.firstByteMs, 'Timeout: no answer');
      });
      socket.on('data', (bytes: Buffer) => {
        if (heard.bytes.length < LONGEST_HEAD) heard.bytes += bytes.toString('latin1');
      });
    });
    request.once('response', (answer) => {
      clearTimeout(step);
      late = () => void answer.destroy(new Error(LATE));
      resolve(answer);
    });
    request.once('upgrade', (_answer, socket) => {
      socket.destroy();
      reject(new Error('the protocol was switched'));
    });
    // After the head has arrived, an error is thrown where the body is read.
    request.on('error', reject).once('close', () => {
      clearTimeout(step);
      clearTimeout(whole);
    });
    request.end(body);
  });
}

const LATE = 'no whole answer in time';

/**
 * Returns the status of an answer from its first bytes, if the head is complete. Skips interim answers (RFC 9110, 15.2). Used for
 * answers whose body breaks the protocol, for example by a wrong length, since their status is still valid.
 */
function statusIn(bytes: string): number | undefined {
  for (let rest = bytes; ;) {
    const [end] = /\r?\n\r?\n/.exec(rest) ?? [];
    const [, status] = /^HTTP\/1\.[01] (\d{3})(?!\d)/.exec(rest) ?? [];
    if (end === undefined || status === undefined) return undefined;
    if (!status.startsWith('1')) return Number.parseInt(status, 10);
    rest = rest.slice(rest.indexOf(end) + end.length);
  }
}

/** Returns true if a delivery was accepted, which is a status of 200 to 299. Redirects are not followed. */
export const isTaken = ({ status }: Outcome): boolean => status !== undefined && status >= 200 && status < 300;

/** Throws if the address is not HTTP or HTTPS, contains a password, or is a private IP address. */
function requireUsable(to: URL, isFree: boolean): void {
  if (to.protocol !== 'https:' && to.protocol !== 'http:') throw new Error('the address is neither http nor https');
  if (to.username !== '' || to.password !== '') throw new Error('the address contains a password');
  if (!isFree && isPrivateIp(to)) throw new Error(PRIVATE);
}

const PRIVATE = 'the address is not public';

/** True if a URL has an IP address as its host, and that is not public. A connection to one makes no look-up. */
function isPrivateIp({ hostname }: URL): boolean {
  // `URL` has already normalised odd forms of IP addresses (0x7f.1, 2130706433).
  const written = hostname.replace(/^\[|\]$/g, '');
  return isIP(written) !== 0 && !isPublicAddress(written);
}

/**
 * Returns the code of what is wrong with an address that a customer gives for webhooks; undefined if nothing is. It must be https
 * without credentials, and no private IP address. The origin `privateOrigin` is free. Names are checked at each attempt.
 */
export function addressFlaw(url: string, privateOrigin: string): 'url_format' | 'url_private' | undefined {
  const to = URL.parse(url);
  if (!to || to.username !== '' || to.password !== '') return 'url_format';
  if (to.origin === privateOrigin) return undefined;
  if (to.protocol !== 'https:') return 'url_format';
  return isPrivateIp(to) || isLocalName(to) ? 'url_private' : undefined;
}

/** True for names that never lead to the public internet (RFC 6761). */
const isLocalName = ({ hostname }: URL): boolean => /(^|\.)(localhost|local|internal)\.?$/i.test(hostname);

/**
 * Returns the look-up function of a connection. It resolves a name once and checks all addresses found; the connection then uses
 * one of these addresses. The host name in TLS and in the request stays unchanged.
 */
function pinned(resolve: Resolve, isAllowed: (address: string) => boolean): LookupFunction {
  const find = async (name: string): Promise<{ address: string; family: number }[]> => {
    const found = await resolve(name);
    if (found.length === 0) throw new Error('the name has no address');
    if (!found.every(isAllowed)) throw new Error(PRIVATE);
    return found.map((address) => ({ address, family: isIP(address) }));
  };
  return async (name, { all }, callback) => {
    try {
      const found = await find(name);
      if (all) callback(null, found);
      else callback(null, found[0]!.address, found[0]!.family);
    } catch (error) {
      callback(error as NodeJS.ErrnoException, '', 0);
    }
  };
}

const dns = new Resolver({ timeout: 2_000, tries: 2 });

/**
 * Resolves a name by DNS. It doesn't use the few threads that all look-ups of the machine share, so a slow name delays no other.
 */
async function resolveByDns(name: string): Promise<string[]> {
  const found = await Promise.allSettled([dns.resolve4(name), dns.resolve6(name)]);
  return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
}

/** Resolves a name as the machine does, including its table of hosts. */
async function resolveByHost(name: string): Promise<string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address);
}

/**
 * Returns the first bytes of an answer's body as text, and an error if the rest is missing. The status is already known; the text
 * is only logged.
 */
async function beginningOf(body: AsyncIterable<Uint8Array>): Promise<Pick<Outcome, 'answer' | 'error'>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let error: string | undefined;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      length += chunk.length;
      // Leaving the loop closes the connection, so that an endpoint can't keep us reading.
      if (length >= MAX_OF_AN_ANSWER) break;
    }
  } catch (failure) {
    error = reasonOf(failure);
  }
  const text = Buffer.concat(chunks).subarray(0, MAX_OF_AN_ANSWER).toString('utf8');
  // PostgreSQL can't store the null character.
  return { answer: text.replaceAll('\0', ''), ...(error !== undefined && { error }) };
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.message === 'socket hang up') return 'the connection was closed';
  const text = error instanceof Error ? error.message || ('code' in error ? String(error.code) : error.name) : String(error);
  return redactText(text).slice(0, MAX_OF_AN_ERROR);
}
