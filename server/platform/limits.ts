// Rate limits: how often something may happen within a window, counted in this process.

import { Problem } from '@kurs/contract';
import { BlockList, isIPv6 } from 'node:net';
import { monotonicMs } from './clock.ts';

export type Limit = { most: number; seconds: number };
export type Allowance = { limit: number; remaining: number; resetSeconds: number };

export type Limiter = {
  /**
   * Counts one event under `key`. Throws `Problem('rate_limited')` with the seconds to wait when `most` is used up;
   * a refused event doesn't count.
   */
  take(key: string, limit: Limit): Allowance;
};

type Window = { start: number; ms: number; count: number; before: number };

/** More keys than this: the oldest are forgotten, so that an attacker with many addresses can't fill the memory. */
const MOST_KEYS = 100_000;

/**
 * A sliding window by two counters: of the running window and, weighed by how much of it still overlaps, of the one
 * before. `now` is a monotonic clock in milliseconds.
 */
export function createLimiter(now: () => number = monotonicMs): Limiter {
  const windows = new Map<string, Window>();

  const current = (key: string, ms: number): Window => {
    const at = now();
    const start = at - (at % ms);
    const window = windows.get(key);
    if (window && window.ms === ms && window.start === start) return window;
    const before = window && window.ms === ms && window.start === start - ms ? window.count : 0;
    const fresh = { start, ms, count: 0, before };
    windows.delete(key);
    windows.set(key, fresh);
    if (windows.size > MOST_KEYS) windows.delete(windows.keys().next().value!);
    return fresh;
  };

  return {
    take(key, { most, seconds }) {
      const window = current(key, seconds * 1_000);
      const left = window.ms - (now() - window.start);
      const used = window.count + (window.before * left) / window.ms;
      const resetSeconds = Math.max(1, Math.ceil(left / 1_000));
      if (used + 1 > most) throw new Problem('rate_limited', { retryAfter: resetSeconds, most });
      window.count += 1;
      return { limit: most, remaining: Math.max(0, Math.floor(most - used - 1)), resetSeconds };
    },
  };
}

/** What one network counts as: an IPv4 address, or the /64 of an IPv6 one, which one customer has whole. */
export function networkOf(ip: string): string {
  const v4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (v4) return v4;
  if (!isIPv6(ip)) return ip;
  const [head = '', tail] = ip.split('%')[0]!.split('::');
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  const groups = tail === undefined ? left : [...left, ...zeros, ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** Is it this machine? */
export const isLoopback = (ip: string): boolean => ip === '::1' || /^(::ffff:)?127\./i.test(ip);

/** An IPv4 address however it is written. */
const plain = (ip: string): string => ip.replace(/^::ffff:(?=\d+\.)/i, '');
const familyOf = (ip: string): 'ipv4' | 'ipv6' => (isIPv6(ip) ? 'ipv6' : 'ipv4');

/** Tells our own proxies, given as addresses and networks (`10.1.0.0/16`): theirs is the word on who asks. */
export function trusting(listed: readonly string[]): (ip: string) => boolean {
  const own = new BlockList();
  for (const each of listed) {
    const [network = '', bits] = each.split('/');
    if (bits === undefined) own.addAddress(plain(network), familyOf(plain(network)));
    else own.addSubnet(network, Number.parseInt(bits, 10), familyOf(network));
  }
  // Few proxies ask for everybody.
  const known = new Map<string, boolean>();
  return (ip) => {
    const found = known.get(ip);
    if (found !== undefined) return found;
    const isOwn = own.check(plain(ip), familyOf(plain(ip)));
    if (known.size >= 1_000) known.clear();
    known.set(ip, isOwn);
    return isOwn;
  };
}
