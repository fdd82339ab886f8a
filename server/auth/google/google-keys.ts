// Google's public keys (RFC 7517), asked for at the configured address alone.

import { type KeyObject, createPublicKey } from 'node:crypto';
import { Problem } from '@kurs/contract';
import { z } from 'zod';
import { monotonicMs } from '../../platform/index.ts';

const TIMEOUT_MS = 4_000;
/** Google's answer has some 2 kB. */
const LARGEST_ANSWER = 100_000;
/** Milliseconds for which an answer is kept: what it says itself, within these bounds. */
const KEPT_MS = { least: 60_000, unsaid: 300_000, most: 86_400_000 };
/** Milliseconds between two questions for an id that isn't known: anybody can think one up. */
const UNKNOWN_MS = 30_000;
const LEAST_BITS = 2048;

const answers = z.object({ keys: z.array(z.record(z.string(), z.unknown())).max(50) });
const signing = z.object({
  kty: z.literal('RSA'),
  kid: z.string().min(1),
  use: z.literal('sig').optional(),
  alg: z.literal('RS256').optional(),
  n: z.string(),
  e: z.string(),
});

type Keys = ReadonlyMap<string, KeyObject>;

/**
 * Looks keys up by their ids. An answer is kept as long as it says; an id that it doesn't know is asked for anew, twice a
 * minute at most. What it gives throws `google_unavailable` where the address is silent, or answers with anything else.
 */
export function openGoogleKeys(
  url: string,
  { now = monotonicMs, timeoutMs = TIMEOUT_MS }: { now?: () => number; timeoutMs?: number } = {},
): (kid: string) => Promise<KeyObject | undefined> {
  let known: Keys = new Map();
  let keptUntil = -Infinity;
  let askedAt = -Infinity;
  let asking: Promise<void> | undefined;

  const ask = async (): Promise<void> => {
    askedAt = now();
    const { keys, keptMs } = await fetchKeys(url, timeoutMs);
    known = keys;
    keptUntil = askedAt + keptMs;
  };
  /** All who wait share one question. */
  const refresh = async (): Promise<void> => {
    asking ??= ask().finally(() => (asking = undefined));
    await asking.catch((cause: unknown) => {
      throw new Problem('google_unavailable', { cause });
    });
  };
  return async (kid) => {
    const isOld = now() >= keptUntil;
    if (isOld || (!known.has(kid) && now() - askedAt >= UNKNOWN_MS)) await refresh();
    return known.get(kid);
  };
}

async function fetchKeys(url: string, timeoutMs: number): Promise<{ keys: Keys; keptMs: number }> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) throw new Error(`${response.status} from ${new URL(url).host}`);
  const text = await response.text();
  if (text.length > LARGEST_ANSWER) throw new Error(`${text.length} characters from ${new URL(url).host}`);
  const keys = keysOf(answers.parse(JSON.parse(text)).keys);
  if (keys.size === 0) throw new Error(`no key to check with from ${new URL(url).host}`);
  return { keys, keptMs: keptMsOf(response.headers.get('cache-control')) };
}

/** Those that sign as we check; the others are for something else. */
function keysOf(listed: readonly unknown[]): Keys {
  const keys = new Map<string, KeyObject>();
  for (const one of listed) {
    const { data } = signing.safeParse(one);
    if (!data) continue;
    const key = keyOf(data);
    if ((key?.asymmetricKeyDetails?.modulusLength ?? 0) >= LEAST_BITS) keys.set(data.kid, key as KeyObject);
  }
  return keys;
}

/** Undefined for numbers that are no key. */
function keyOf({ kty, n, e }: z.output<typeof signing>): KeyObject | undefined {
  try {
    return createPublicKey({ key: { kty, n, e }, format: 'jwk' });
  } catch {
    return undefined;
  }
}

function keptMsOf(cacheControl: string | null): number {
  const seconds = /(?:^|[\s,])max-age=(\d{1,9})/i.exec(cacheControl ?? '')?.[1];
  const said = seconds === undefined ? KEPT_MS.unsaid : Number.parseInt(seconds, 10) * 1_000;
  return Math.min(KEPT_MS.most, Math.max(KEPT_MS.least, said));
}
