import { createHash } from 'node:crypto';
import { Problem } from '@kurs/contract';
import { type Fraction, fraction } from '@kurs/money';
import { createChallenge, extractParams, verifySolution } from 'altcha-lib/v1';
import { z } from 'zod';
import { larger } from '../../auth/index.ts';
import type { Statements, Tx } from '../../platform/index.ts';
import { configured } from '../configure.ts';
import { settings } from '../settings.ts';
import { countUsedChallenges, useChallenge } from './bot-store.ts';

/** A challenge for the ALTCHA widget (altcha.org, "Proof-of-Work", version 1). */
export interface BotChallenge {
  readonly algorithm: string;
  readonly challenge: string;
  readonly maxnumber: number;
  readonly salt: string;
  readonly signature: string;
}

export type ChallengeOptions = {
  readonly now: Date;
  /** The calculation that the solution is valid for. If absent, the solution is valid for any. */
  readonly calculation?: string | undefined;
  /** Share of the reserve that is set aside for unpaid orders now (0 to 1). The larger the share, the more work is required. */
  readonly held: Fraction;
  /** Current load as a share of the load that requires the maximum work (0 to 1). */
  readonly load: Fraction;
  /** Work that the last refusal required of the caller. Used if it exceeds the usual work. */
  readonly work?: number | undefined;
};

function botKey(): string {
  const key = configured().botKey;
  if (key === undefined) throw new Error('this process has no key of the bot check');
  return key;
}

/** Makes a challenge. Nothing is stored: the challenge is signed and expires, and its solution can be used once. */
export async function botChallenge({ now, calculation, held, load, work = 0 }: ChallengeOptions): Promise<BotChallenge> {
  const usual = workFor(larger(held, load), settings.get('compliance.bot_work'), settings.get('compliance.bot_work_most'));
  const maxnumber = Math.max(usual, Math.min(work, settings.get('compliance.bot_guess_work')));
  const made = await createChallenge({
    algorithm: 'SHA-256',
    hmacKey: botKey(),
    maxnumber,
    expires: new Date(now.getTime() + settings.get('compliance.bot_minutes') * 60_000),
    params: { work: String(maxnumber), ...(calculation !== undefined && { calculation }) },
  });
  return { ...made, maxnumber: made.maxnumber as number };
}

/** Returns the current load: recently solved challenges as a share of the number that requires the maximum work. */
export async function botLoad(db: Statements, now: Date): Promise<Fraction> {
  const max = settings.get('compliance.bot_load');
  return fraction(BigInt(await countUsedChallenges(db, now, max)), BigInt(max));
}

/**
 * Returns the work of a challenge: the count of numbers to try. It grows in proportion to the share `of`, from `min` for 0 to
 * `max` for 1.
 */
export function workFor(of: Fraction, min: number, max: number): number {
  const share = of.numerator >= of.denominator ? 1_000n : (of.numerator * 1_000n) / of.denominator;
  return Math.max(min, min + Math.floor(((max - min) * Number.parseInt(share.toString(), 10)) / 1_000));
}

const solution = z.object({
  algorithm: z.literal('SHA-256'),
  challenge: z.string().regex(/^[0-9a-f]{64}$/),
  number: z.int().min(0).max(20_000_000),
  salt: z.string().max(300),
  signature: z.string().regex(/^[0-9a-f]{64}$/),
});

/**
 * Function that marks a verified bot check as used, within the transaction of the action that it allows. Throws
 * `bot_check_failed` if the check has expired or was used.
 */
export type SpendBot = (tx: Tx) => Promise<void>;

/**
 * Verifies a bot check and returns the function that marks it as used. Queries the provider if one is configured, so don't call
 * it within a transaction.
 *
 * The token is the provider's, or the solution of a challenge (base64 of JSON, as the widget sends it). A solution is valid only
 * for the challenge's calculation. If a provider is configured, solutions are accepted only while it doesn't answer. In the
 * sandbox, the configured pass token is always accepted.
 *
 * `pressure`: share of the maximum work (0 to 1) that is required of an address or network that keeps guessing; it doesn't affect
 * a provider's check. Throws `bot_check_required`, with the required work, if there is no token or too little work. Throws
 * `bot_check_failed` for a wrong token, `bot_check_unavailable` if the provider didn't answer.
 */
export async function proveBot(
  token: string | undefined,
  { ip, calculation, pressure }: { ip: string; calculation?: string; pressure?: Fraction },
): Promise<SpendBot> {
  const min = pressure && pressure.numerator > 0n ? workUnder(pressure) : undefined;
  if (!token) throw new Problem('bot_check_required', min === undefined ? {} : { work: min });
  const { passToken, provider } = configured();
  if (token === passToken) return async () => undefined;
  const solved = read(token);
  if (solved) {
    if (provider?.isSilent() === false) throw new Problem('bot_check_failed');
    return proveWork(solved, { calculation, min });
  }
  if (!provider) throw new Problem('bot_check_failed');
  const answer = await provider.verify(token, ip);
  if (answer === 'silent') throw new Problem('bot_check_unavailable');
  if (answer === 'failed') throw new Problem('bot_check_failed');
  // The provider should accept a token only once, but might accept it twice in concurrent requests.
  const key = `${provider.name} ${createHash('sha256').update(token).digest('hex')}`;
  return (tx) => spend(tx, key, new Date(tx.now.getTime() + PROVIDED_MS));
}

/**
 * Time for which a provider's token is stored as used, in ms. The tokens expire sooner: Turnstile's in five minutes, reCAPTCHA's
 * in two.
 */
const PROVIDED_MS = 600_000;

/** Returns the work that is required of a caller, by the `pressure` of `proveBot`. */
const workUnder = (pressure: Fraction): number =>
  workFor(pressure, settings.get('compliance.bot_work'), settings.get('compliance.bot_guess_work'));

async function proveWork(
  given: z.output<typeof solution>,
  { calculation, min }: { calculation: string | undefined; min: number | undefined },
): Promise<SpendBot> {
  const { expires, calculation: bound, work } = extractParams(given);
  const isOurs = bound === undefined || bound === calculation;
  if (!isOurs || !(await verifySolution(given, botKey(), false))) throw new Problem('bot_check_failed');
  // The required work may have grown while the challenge was being solved, so half of it is enough.
  if (min !== undefined && Number.parseInt(work ?? '', 10) * 2 < min) throw new Problem('bot_check_required', { work: min });
  return (tx) => spend(tx, given.challenge, new Date(Number.parseInt(expires ?? '', 10) * 1_000));
}

/** Checks that the key hasn't expired, and marks it as used. Uses the product's clock; the library would use the machine's. */
async function spend(tx: Tx, key: string, expiresAt: Date): Promise<void> {
  const fits = expiresAt.getTime() > tx.now.getTime() && (await useChallenge(tx, key, expiresAt));
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
