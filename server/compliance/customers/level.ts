import { fieldProblem } from '@kurs/contract';
import { type Money, parse } from '@kurs/money';
import { type Holder, holderByEmail, holderById, holdersById } from '../../auth/index.ts';
import type { Statements, Tx } from '../../platform/index.ts';
import { settings } from '../settings.ts';
import type { ShownHolder } from './subject.ts';
import { type Level, readLevels, writeLevel } from './customer-store.ts';

export interface LevelLimits {
  readonly maxAtOnce: Money<'USD'>;
  readonly day: Money<'USD'>;
  /** Undefined: no limit. */
  readonly month: Money<'USD'> | undefined;
}

/** Returns the limits of a level, as the operator has set them. */
export function limitsOf(level: Level): LevelLimits {
  const { per_order, day, month } = settings.get('compliance.levels')[level];
  return {
    maxAtOnce: parse('USD', per_order),
    day: parse('USD', day),
    month: month === null ? undefined : parse('USD', month),
  };
}

/**
 * Returns the level of a signed-in account holder: the stored one, and at least 1 if their e-mail is verified. Visitors have
 * level 0, whatever they type.
 */
export async function levelOf(db: Statements, holderId: string | undefined): Promise<Level> {
  return (await levelsOf(db, [holderId]))[0] ?? 0;
}

/** Format of an account's id. Other values are not looked up, since the query would fail on them. */
const ACCOUNT = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the levels of several account holders, in their order; undefined stands for a visitor. */
export async function levelsOf(db: Statements, holderIds: readonly (string | undefined)[]): Promise<Level[]> {
  const ids = [...new Set(holderIds.filter((id) => id !== undefined && ACCOUNT.test(id)))] as string[];
  if (ids.length === 0) return holderIds.map(() => 0);
  const [stored, holders] = await Promise.all([readLevels(db, ids), holdersById(db, ids)]);
  return holderIds.map((id = '') => {
    const level = stored.get(id) ?? 0;
    return level === 0 && holders.get(id)?.emailVerifiedAt !== undefined ? 1 : level;
  });
}

/** Returns a signed-in holder, with their mailbox if it is verified; undefined if there is none. */
export async function shownHolder(db: Statements, id: string | undefined): Promise<ShownHolder | undefined> {
  const holder = id === undefined ? undefined : await holderById(db, id);
  return holder && shownOf(holder);
}

/** Returns the proven data of an account. */
export const shownOf = ({ id, email, emailVerifiedAt }: Holder): ShownHolder => ({
  id,
  ...(emailVerifiedAt && { mailbox: email }),
});

/**
 * Returns the account holder with an address, whose level the desk may set. Throws `validation` on `email` if there is no such
 * account, or its mailbox is not verified: somebody else may have typed the address.
 */
export async function holderWithLevel(db: Statements, email: string): Promise<Holder> {
  const holder = await holderByEmail(db, email);
  if (holder?.emailVerifiedAt === undefined) throw fieldProblem('email', 'email_no_account');
  return holder;
}

/** Sets an account holder's level; `by` names the person who decided. */
export function setLevel(tx: Tx, holderId: string, level: Level, by: string): Promise<void> {
  return writeLevel(tx, holderId, level, by);
}
