import { Problem } from '@kurs/contract';
import { type Fraction, fraction } from '@kurs/money';
import { createChallenge, extractParams, verifySolution } from 'altcha-lib/v1';
import { z } from 'zod';
import type { Statements, Tx } from '../platform/index.ts';
import { configured } from './configure.ts';
import { settings } from './settings.ts';
import { countUsedChallenges, useChallenge } from './store.ts';

/** A challenge as the ALTCHA widget takes it (altcha.org, "Proof-of-Work", version 1). */
export interface BotChallenge {
  readonly algorithm: string;
  readonly challenge: string;
  readonly maxnumber: number;
  readonly salt: string;
  readonly signature: string;
}

export type ChallengeOptions = {
  readonly now: Date;
  /** The calculation that the solution is for; a solution without one is good for any. */
  readonly calculation?: string | undefined;
  /** The share of what unpaid orders may hold that they hold now (0 to 1): more is held, more work is asked. */
  readonly held: Fraction;
  /** The share of the load at which all work is asked (0 to 1). */
  readonly load: Fraction;
};

/** Makes a challenge. Nothing is stored: it is signed, expires, and its solution is good once. */
export async function botChallenge({ now, calculation, held, load }: ChallengeOptions): Promise<BotChallenge> {
  const made = await createChallenge({
    algorithm: 'SHA-256',
    hmacKey: configured().botKey,
    maxnumber: workFor(larger(held, load), settings.get('compliance.bot_work'), settings.get('compliance.bot_work_most')),
    expires: new Date(now.getTime() + settings.get('compliance.bot_minutes') * 60_000),
    ...(calculation !== undefined && { params: { calculation } }),
  });
  return { ...made, maxnumber: made.maxnumber as number };
}

/** The load now: challenges that were solved lately, as a share of so many that all work is asked. */
export async function botLoad(db: Statements, now: Date): Promise<Fraction> {
  const most = settings.get('compliance.bot_load');
  return fraction(BigInt(await countUsedChallenges(db, now, most)), BigInt(most));
}

const larger = (one: Fraction, other: Fraction): Fraction =>
  one.numerator * other.denominator > other.numerator * one.denominator ? one : other;

/** Numbers to try: from `least` for a share of nothing to `most` for the whole, in between in proportion. */
export function workFor(of: Fraction, least: number, most: number): number {
  const share = of.numerator >= of.denominator ? 1_000n : (of.numerator * 1_000n) / of.denominator;
  return Math.max(least, least + Math.floor(((most - least) * Number.parseInt(share.toString(), 10)) / 1_000));
}

const solution = z.object({
  algorithm: z.literal('SHA-256'),
  challenge: z.string().regex(/^[0-9a-f]{64}$/),
  number: z.int().min(0).max(20_000_000),
  salt: z.string().max(300),
  signature: z.string().regex(/^[0-9a-f]{64}$/),
});

/**
 * Takes the solution of a challenge (base64 of JSON, as the widget sends it) for a calculation. Throws
 * `bot_check_required` without one and `bot_check_failed` for one that is wrong, over, another calculation's or used
 * before. In the sandbox the configured pass token does too, as often as it comes.
 */
export async function checkBot(tx: Tx, token: string | undefined, calculation: string): Promise<void> {
  if (!token) throw new Problem('bot_check_required');
  if (token === configured().passToken) return;
  const given = read(token);
  if (!given) throw new Problem('bot_check_failed');
  // The library would read the machine's clock; the product's decides.
  const { expires, calculation: bound } = extractParams(given);
  const expiresAt = new Date(Number.parseInt(expires ?? '', 10) * 1_000);
  const fits =
    (await verifySolution(given, configured().botKey, false)) &&
    expiresAt.getTime() > tx.now.getTime() &&
    (bound === undefined || bound === calculation) &&
    (await useChallenge(tx, given.challenge, expiresAt));
  if (!fits) throw new Problem('bot_check_failed');
}

function read(token: string): z.output<typeof solution> | undefined {
  try {
    const parsed = solution.safeParse(JSON.parse(Buffer.from(token, 'base64').toString()));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
