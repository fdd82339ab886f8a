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
  /** The work that somebody was told to do; more than they would be asked for otherwise. */
  readonly work?: number | undefined;
};

function botKey(): string {
  const key = configured().botKey;
  if (key === undefined) throw new Error('this process has no key of the bot check');
  return key;
}

/** Makes a challenge. Nothing is stored: it is signed, expires, and its solution is good once. */
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

/** The load now: challenges that were solved lately, as a share of so many that all work is asked. */
export async function botLoad(db: Statements, now: Date): Promise<Fraction> {
  const most = settings.get('compliance.bot_load');
  return fraction(BigInt(await countUsedChallenges(db, now, most)), BigInt(most));
}

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
 * Spends a bot check that was proved; in the transaction of what it allows. Throws `bot_check_failed` where it is over or used.
 */
export type SpendBot = (tx: Tx) => Promise<void>;

/**
 * Proves a bot check and gives what spends it, once, inside of a transaction; asks the network where a provider is configured,
 * so never while one is open. The token is the provider's, or the solution of a challenge (base64 of JSON, as the widget sends
 * it), which is good for the calculation that it was made for. With a provider solutions are good only while that one is
 * silent: nothing passes unchecked, and nobody is shut out. In the sandbox the configured pass token does too, as often as it
 * comes. `pressure`: which share of all work is asked (0 to 1) where an address or a network is tried on and on; a provider's
 * check is as hard as that one makes it. Throws `bot_check_required` without a token, and for a solution of too little work,
 * with the work that is asked; `bot_check_failed` for a wrong one, `bot_check_unavailable` when the provider did not answer.
 */
export async function proveBot(
  token: string | undefined,
  { ip, calculation, pressure }: { ip: string; calculation?: string; pressure?: Fraction },
): Promise<SpendBot> {
  const least = pressure && pressure.numerator > 0n ? workUnder(pressure) : undefined;
  if (!token) throw new Problem('bot_check_required', least === undefined ? {} : { work: least });
  const { passToken, provider } = configured();
  if (token === passToken) return async () => undefined;
  const solved = read(token);
  if (solved) {
    if (provider?.isSilent() === false) throw new Problem('bot_check_failed');
    return proveWork(solved, { calculation, least });
  }
  if (!provider) throw new Problem('bot_check_failed');
  const answer = await provider.verify(token, ip);
  if (answer === 'silent') throw new Problem('bot_check_unavailable');
  if (answer === 'failed') throw new Problem('bot_check_failed');
  // The provider takes a token once, but answers two questions at once as it likes.
  const key = `${provider.name} ${createHash('sha256').update(token).digest('hex')}`;
  return (tx) => spend(tx, key, new Date(tx.now.getTime() + PROVIDED_MS));
}

/** Longer than the tokens of any provider are good for (Turnstile five minutes, reCAPTCHA two). */
const PROVIDED_MS = 600_000;

/** Work that is asked where guesses press. */
const workUnder = (pressure: Fraction): number =>
  workFor(pressure, settings.get('compliance.bot_work'), settings.get('compliance.bot_guess_work'));

async function proveWork(
  given: z.output<typeof solution>,
  { calculation, least }: { calculation: string | undefined; least: number | undefined },
): Promise<SpendBot> {
  const { expires, calculation: bound, work } = extractParams(given);
  const isOurs = bound === undefined || bound === calculation;
  if (!isOurs || !(await verifySolution(given, botKey(), false))) throw new Problem('bot_check_failed');
  // While it was solved, others may have pressed on.
  if (least !== undefined && Number.parseInt(work ?? '', 10) * 2 < least)
    throw new Problem('bot_check_required', { work: least });
  return (tx) => spend(tx, given.challenge, new Date(Number.parseInt(expires ?? '', 10) * 1_000));
}

/** The library would read the machine's clock; the product's decides. */
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
