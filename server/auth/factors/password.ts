// Passwords: rules for new ones, and hashing with argon2id (RFC 9106) on Node's thread pool.

import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { Problem, fieldProblem } from '@kurs/contract';

/** Parameters of argon2id: memory in KiB, number of passes and of lanes. */
export interface Cost {
  readonly memory: number;
  readonly passes: number;
  readonly lanes: number;
}

/**
 * Parameters of new hashes, at least OWASP's minimum for argon2id. After the parameters are raised, each password is hashed
 * again when its owner signs in.
 */
export const COST: Cost = { memory: 19_456, passes: 2, lanes: 1 };

const SALT_BYTES = 16;
const HASH_BYTES = 32;
/**
 * Maximum number of concurrent hashes. Each hash takes a core for about 30 ms, and 19 MiB. One core and some of Node's four pool
 * threads stay free for other work.
 */
export const BATCH_SIZE = Math.min(2, Math.max(1, availableParallelism() - 1));
/** Maximum number of calls that wait until they may compute a hash. */
export const MAX_WAITING = 64;

const RETAINED = /^\$argon2id\$v=19\$m=(\d{1,8}),t=(\d{1,3}),p=(\d{1,2})\$([\w+/]{11,})\$([\w+/]{16,})$/;

const COMMON: ReadonlySet<string> = new Set(
  readFileSync(new URL('../common-passwords.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# ')),
);
/** Minimum number of characters that a password must have in addition to a part that is the holder's e-mail address. */
const OWN_REST = 4;

/**
 * Refuses passwords that are easy to guess: common passwords, and passwords that consist of the e-mail address and few other
 * characters. The contract checks the length. Throws `validation` at `password`.
 */
export function checkPassword(password: string, email: string): void {
  const typed = plain(password).toLowerCase();
  const address = email.trim().toLowerCase();
  const local = address.slice(0, address.lastIndexOf('@'));
  const rest = typed.replaceAll(address, '').replaceAll(local.length >= OWN_REST ? local : address, '');
  if (rest.length < OWN_REST) throw fieldProblem('password', 'password_is_address');
  if (COMMON.has(typed) || new Set(typed).size === 1) throw fieldProblem('password', 'password_common');
}

/** Returns the text to store for a password: parameters, salt and hash. Throws `unavailable` if too many calls wait. */
export async function hashPassword(password: string, cost: Cost = COST): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, cost, HASH_BYTES);
  const { memory, passes, lanes } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${lanes}$${bare(salt)}$${bare(hash)}`;
}

/**
 * True if the password matches the stored text. Without a stored text the same work is done, so that its duration doesn't
 * reveal if a password is set. Throws `unavailable` if too many calls wait.
 */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const { cost, salt, hash } = read(stored ?? NOBODYS);
  const derived = await derive(password, salt, cost, hash.length);
  return timingSafeEqual(derived, hash) && stored !== undefined;
}

/** True if the stored hash has weaker parameters than new hashes get. */
export function isOutgrown(stored: string, now: Cost = COST): boolean {
  const { cost } = read(stored);
  return cost.memory < now.memory || cost.passes < now.passes || cost.lanes < now.lanes;
}

function read(stored: string): { cost: Cost; salt: Buffer; hash: Buffer } {
  const [, memory, passes, lanes, salt, hash] = RETAINED.exec(stored) ?? [];
  if (hash === undefined) throw new Error('a kept password has no form that we know');
  const whole = (text: string | undefined): number => Number.parseInt(text as string, 10);
  return {
    cost: { memory: whole(memory), passes: whole(passes), lanes: whole(lanes) },
    salt: Buffer.from(salt as string, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
}

const bare = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');
/** Normalizes a password, since keyboards may send different code points for the same characters. */
const plain = (password: string): string => password.normalize('NFKC');
/** Stored text that is used if no password is set. No password matches this text, since its hash is random. */
const NOBODYS = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.lanes}$${bare(randomBytes(SALT_BYTES))}$${bare(randomBytes(HASH_BYTES))}`;

const argon = promisify(argon2);
let computing = 0;
const waiting: (() => void)[] = [];

async function derive(password: string, nonce: Buffer, cost: Cost, tagLength: number): Promise<Buffer> {
  if (computing < BATCH_SIZE) computing += 1;
  else if (waiting.length >= MAX_WAITING) throw new Problem('unavailable', { cause: 'too many passwords at once' });
  // A finished call passes its slot to the first waiting call, so that no later call gets the slot.
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    const { memory, passes, lanes: parallelism } = cost;
    return await argon('argon2id', { message: plain(password), nonce, parallelism, tagLength, memory, passes });
  } finally {
    const next = waiting.shift();
    if (next) next();
    else computing -= 1;
  }
}
