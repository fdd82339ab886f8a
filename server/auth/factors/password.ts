// Passwords: which are good enough, and how one is kept. Hashing is argon2id (RFC 9106) on threads of Node's own.

import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { Problem, fieldProblem } from '@kurs/contract';

/** What a password is hashed by: memory in KiB, passes over it, lanes. */
export interface Cost {
  readonly memory: number;
  readonly passes: number;
  readonly lanes: number;
}

/** For new hashes; at least OWASP's floor for argon2id. When it grows, a password is hashed anew as its owner signs in. */
export const COST: Cost = { memory: 19_456, passes: 2, lanes: 1 };

const SALT_BYTES = 16;
const HASH_BYTES = 32;
/**
 * Hashes that are computed at once, and that may wait for it. Each keeps a core busy for some 30 ms, and 19 MiB: one core is
 * left to everybody else, and threads of Node's pool (four) to what else it does.
 */
export const AT_ONCE = Math.min(2, Math.max(1, availableParallelism() - 1));
export const MOST_WAITING = 64;

const KEPT = /^\$argon2id\$v=19\$m=(\d{1,8}),t=(\d{1,3}),p=(\d{1,2})\$([\w+/]{11,})\$([\w+/]{16,})$/;

const COMMON: ReadonlySet<string> = new Set(
  readFileSync(new URL('../common-passwords.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# ')),
);
/** What may be added to one's own address and still be no password. */
const OWN_REST = 4;

/**
 * Refuses a password that others guess first: a common one, or the address itself with little beside it. Its length is
 * the contract's to check. Throws `validation` at `password`.
 */
export function checkPassword(password: string, email: string): void {
  const typed = plain(password).toLowerCase();
  const address = email.trim().toLowerCase();
  const local = address.slice(0, address.lastIndexOf('@'));
  const rest = typed.replaceAll(address, '').replaceAll(local.length >= OWN_REST ? local : address, '');
  if (rest.length < OWN_REST) throw fieldProblem('password', 'password_is_address');
  if (COMMON.has(typed) || new Set(typed).size === 1) throw fieldProblem('password', 'password_common');
}

/** The text to keep for a password: its parameters, salt and hash. Throws `unavailable` when too many wait. */
export async function hashPassword(password: string, cost: Cost = COST): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, cost, HASH_BYTES);
  const { memory, passes, lanes } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${lanes}$${bare(salt)}$${bare(hash)}`;
}

/**
 * Whether it is the password of a kept text. Without one the same work is done for nothing, so that the time doesn't tell
 * whether there is a password. Throws `unavailable` when too many wait.
 */
export async function isPassword(password: string, kept: string | undefined): Promise<boolean> {
  const { cost, salt, hash } = read(kept ?? NOBODYS);
  const derived = await derive(password, salt, cost, hash.length);
  return timingSafeEqual(derived, hash) && kept !== undefined;
}

/** Whether a kept text is of less work than new ones are. */
export function isOutgrown(kept: string, now: Cost = COST): boolean {
  const { cost } = read(kept);
  return cost.memory < now.memory || cost.passes < now.passes || cost.lanes < now.lanes;
}

function read(kept: string): { cost: Cost; salt: Buffer; hash: Buffer } {
  const [, memory, passes, lanes, salt, hash] = KEPT.exec(kept) ?? [];
  if (hash === undefined) throw new Error('a kept password has no form that we know');
  const whole = (text: string | undefined): number => Number.parseInt(text as string, 10);
  return {
    cost: { memory: whole(memory), passes: whole(passes), lanes: whole(lanes) },
    salt: Buffer.from(salt as string, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
}

const bare = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');
/** The same password typed on another keyboard may come as other code points. */
const plain = (password: string): string => password.normalize('NFKC');
/** Stands in for a password that isn't there: random bytes, which no password has as its hash. */
const NOBODYS = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.lanes}$${bare(randomBytes(SALT_BYTES))}$${bare(randomBytes(HASH_BYTES))}`;

const argon = promisify(argon2);
let computing = 0;
const waiting: (() => void)[] = [];

async function derive(password: string, nonce: Buffer, cost: Cost, tagLength: number): Promise<Buffer> {
  if (computing < AT_ONCE) computing += 1;
  else if (waiting.length >= MOST_WAITING) throw new Problem('unavailable', { cause: 'too many passwords at once' });
  // The one that ends hands its place over, so that nobody new gets in between.
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
