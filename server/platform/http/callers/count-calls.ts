// The general limits of calls per minute. Each caller has one limit for reads and one for writes.

import { type Route, isFor } from '@kurs/contract';
import { z } from 'zod';
import { livingLikeUs } from '../../base/living-processes.ts';
import { defineSettings } from '../../db/settings.ts';
import type { Counters } from './counters.ts';
import { keyBudget } from './key-budgets.ts';
import type { Allowance, Limiter } from './limits.ts';

const settings = defineSettings('platform', {
  'platform.reads_per_minute': {
    schema: z.int().min(1).max(1_000_000),
    initial: 600,
    unit: 'calls',
    looser: 'up',
    words: 'GET calls per minute of one network',
  },
  'platform.writes_per_minute': {
    schema: z.int().min(1).max(1_000_000),
    initial: 120,
    unit: 'calls',
    looser: 'up',
    words: 'POST calls per minute of one network',
  },
  'platform.unnamed_share': {
    schema: z.int().min(1).max(100),
    initial: 50,
    unit: '%',
    looser: 'up',
    words: 'share of the limits of calls per minute for callers without a client-id, in percent',
  },
});

/**
 * The caller of a counted call. `key`: the caller's API key, if there is one. `whose`: name of the caller's counters, if there
 * is no API key.
 */
type CallOf = { readonly clientId: string; readonly key: KeyOf | undefined; readonly whose: string };
/** An API key, and the kind of the resource that it is bound to. */
type KeyOf = { readonly id: string; readonly on?: { readonly kind: string } | undefined };

/**
 * Counts a call and returns the rest of the caller's limit. An API key has one limit for all processes together: that of its
 * kind of resource (`defineKeyBudget`), else the general one. For all other callers each process enforces an equal share of the
 * limit. Throws `rate_limited`.
 */
export function countCall(
  { limiter, counters }: { readonly limiter: Limiter; readonly counters: Counters },
  route: Route,
  { clientId, key, whose }: CallOf,
): Allowance | Promise<Allowance> {
  const kind = route.method === 'GET' ? 'reads' : 'writes';
  const share = clientId === 'public' && isFor(route, 'public') ? settings.get('platform.unnamed_share') : 100;
  const whole = (settings.get(`platform.${kind}_per_minute`) * share) / 100;
  if (key !== undefined) {
    const max = keyBudget(key.on?.kind) ?? Math.max(1, Math.floor(whole));
    return counters.take(`${kind} key ${key.id}`, { max, seconds: 60 });
  }
  const max = Math.max(1, Math.floor(whole / livingLikeUs()));
  return limiter.take(`${kind} ${whose}`, { max, seconds: 60 });
}

/** Returns the headers that state a limit (`ratelimit-*`). */
export function rateHeaders({ limit, remaining, resetSeconds }: Allowance): Record<string, number> {
  return { 'ratelimit-limit': limit, 'ratelimit-remaining': remaining, 'ratelimit-reset': resetSeconds };
}
