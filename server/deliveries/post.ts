// One HTTP POST to an address that others name: bounded in time and size, never redirected, and never into our own network.

import { Resolver, lookup } from 'node:dns/promises';
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { type LookupFunction, isIP } from 'node:net';
import { monotonicMs, redactText } from '../platform/index.ts';
import { isPublicAddress } from './address.ts';

/** How long an attempt may take: to connect, until the answer begins, and altogether; in milliseconds. */
export interface TimeLimits {
  readonly connectMs: number;
  readonly firstByteMs: number;
  readonly wholeMs: number;
}

const LIMITS: TimeLimits = { connectMs: 5_000, firstByteMs: 10_000, wholeMs: 15_000 };
/** So much of an answer is read and kept; at more we hang up. */
const MOST_OF_AN_ANSWER = 1_024;
/** Bytes that the head of an answer may have. */
const LONGEST_HEAD = 65_536;
const MOST_OF_AN_ERROR = 300;

/** What became of one attempt. Without a status there was no answer. */
export interface Outcome {
  readonly status?: number;
  readonly latencyMs: number;
  /** The first bytes of the answer. */
  readonly answer: string;
  /** Why there was no answer, or not all of its body. */
  readonly error?: string;
  /** True if it was refused for good: another attempt would be answered the same. It is given up at once, which is no alarm. */
  readonly isFinal?: boolean;
  /** True if it was not attempted, since its row was changed past the product. It is given up at once. */
  readonly isAltered?: boolean;
}

/** Gives the addresses of a name. */
type Resolve = (name: string) => Promise<readonly string[]>;

/** The outcome of what was changed past the product and is therefore not attempted. */
export const altered = (error: string): Outcome => ({ latencyMs: 0, answer: '', error, isAltered: true });

/** Settings of `openPost`. */
export interface PostOptions {
  /** One origin that may be private although its kind forbids it; the sandbox names it. None when empty. */
  readonly privateOrigin?: string;
  readonly limits?: TimeLimits;
  /** How names are resolved; by DNS alone, and those that may be private as the machine resolves them. */
  readonly resolve?: Resolve;
}

/** An address, what is posted there, and whether it may be private. */
export interface Posted {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly mayBePrivate: boolean;
}

/** Posts to addresses of others. */
export interface Poster {
  /** Posts once. Never throws for what an endpoint does: the outcome says it. */
  post(posted: Posted): Promise<Outcome>;
  close(): Promise<void>;
}

/** Opens what posts. Each attempt has a connection of its own, to an address that was checked for it. */
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

/** The first bytes that came over a connection. */
interface Heard {
  bytes: string;
}

interface Sending {
  readonly options: RequestOptions;
  readonly body: string;
  readonly limits: TimeLimits;
  readonly heard: Heard;
}

/** Sends a request, and resolves with its answer once the head is there. What is late is ended, the body of the answer, too. */
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
    // An error behind the answer is told by its body.
    request.on('error', reject).once('close', () => {
      clearTimeout(step);
      clearTimeout(whole);
    });
    request.end(body);
  });
}

const LATE = 'no whole answer in time';

/**
 * The status of an answer whose head came whole, past those that only announce one (RFC 9110, 15.2). For heads that break the
 * protocol otherwise, as by a wrong length: their status was said all the same.
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

/** Was a delivery taken? Only by a status of 200 to 299: a redirect is not followed. */
export const isTaken = ({ status }: Outcome): boolean => status !== undefined && status >= 200 && status < 300;

/** Throws for an address that is not HTTP, carries a password, or is a private address written as a number. */
function requireUsable({ protocol, hostname, username, password }: URL, isFree: boolean): void {
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error('the address is none of http or https');
  if (username !== '' || password !== '') throw new Error('the address carries a password');
  // `URL` has written odd forms (0x7f.1, 2130706433) as the address that they are. A connection to one looks nothing up.
  const written = hostname.replace(/^\[|\]$/g, '');
  if (!isFree && isIP(written) !== 0 && !isPublicAddress(written)) throw new Error('the address is not public');
}

/**
 * A look-up for a connection: a name is resolved once, each of its addresses is checked, and one of these very addresses is
 * connected to. Name and certificate (SNI, Host) stay those of the address that was asked for.
 */
function pinned(resolve: Resolve, isAllowed: (address: string) => boolean): LookupFunction {
  const find = async (name: string): Promise<{ address: string; family: number }[]> => {
    const found = await resolve(name);
    if (found.length === 0) throw new Error('the name has no address');
    if (!found.every(isAllowed)) throw new Error('the address is not public');
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

/** Resolves by DNS alone, not by one of the few threads that all look-ups share, so that a slow name delays no other. */
async function resolveByDns(name: string): Promise<string[]> {
  const found = await Promise.allSettled([dns.resolve4(name), dns.resolve6(name)]);
  return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
}

/** As the machine resolves names, its own table of hosts included. */
async function resolveByHost(name: string): Promise<string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address);
}

/**
 * The first bytes of an answer as text, and why there are no more of them. The status was said before: what becomes of a body is
 * for the log alone.
 */
async function beginningOf(body: AsyncIterable<Uint8Array>): Promise<Pick<Outcome, 'answer' | 'error'>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let error: string | undefined;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      length += chunk.length;
      // Leaving the loop ends the connection, so nobody makes us read for long.
      if (length >= MOST_OF_AN_ANSWER) break;
    }
  } catch (failure) {
    error = reasonOf(failure);
  }
  const text = Buffer.concat(chunks).subarray(0, MOST_OF_AN_ANSWER).toString('utf8');
  // PostgreSQL keeps no character of number 0.
  return { answer: text.replaceAll('\0', ''), ...(error !== undefined && { error }) };
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.message === 'socket hang up') return 'the connection was closed';
  const text = error instanceof Error ? error.message || ('code' in error ? String(error.code) : error.name) : String(error);
  return redactText(text).slice(0, MOST_OF_AN_ERROR);
}
