// One HTTP POST to an address that others name: bounded in time and size, never redirected, and never into our own network.

import { Resolver, lookup } from 'node:dns/promises';
import { type LookupFunction, isIP } from 'node:net';
import { Agent, request } from 'undici';
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
  const agentWith = (find: LookupFunction): Agent =>
    new Agent({
      connect: { lookup: find, timeout: limits.connectMs },
      ...{ headersTimeout: limits.firstByteMs, bodyTimeout: limits.firstByteMs, allowH2: false, pipelining: 0 },
    });
  const outside = agentWith(pinned(resolve ?? resolveByDns, isPublicAddress));
  const anywhere = agentWith(pinned(resolve ?? resolveByHost, () => true));
  return {
    async post({ url, headers, body, mayBePrivate }) {
      const begin = monotonicMs();
      const latencyMs = (): number => Math.round(monotonicMs() - begin);
      try {
        const isFree = mayBePrivate || new URL(url).origin === privateOrigin;
        requireUsable(new URL(url), isFree);
        const answer = await request(url, {
          ...{ method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body },
          ...{ dispatcher: isFree ? anywhere : outside, signal: AbortSignal.timeout(limits.wholeMs) },
        });
        return { status: answer.statusCode, ...(await beginningOf(answer.body)), latencyMs: latencyMs() };
      } catch (error) {
        return { answer: '', error: reasonOf(error), latencyMs: latencyMs() };
      }
    },
    async close() {
      await Promise.all([outside.destroy(), anywhere.destroy()]);
    },
  };
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
  if (error instanceof Error && error.name === 'TimeoutError') return 'no whole answer in time';
  const text = error instanceof Error ? error.message || ('code' in error ? String(error.code) : error.name) : String(error);
  return redactText(text).slice(0, MOST_OF_AN_ERROR);
}
