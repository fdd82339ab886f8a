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
  /** Limit in 30 days; undefined if there is none. */
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
 * Returns the level of a signed-in account holder: the stored level, and at least 1 if their e-mail is verified. Without a holder
 * (visitors), returns 0, whatever the visitor typed.
 */
export async function levelOf(db: Statements, holderId: string | undefined): Promise<Level> {
  return (await levelsOf(db, [holderId]))[0] ?? 0;
}

/** Format of an account's id. Other texts are not looked up, since they would make the query fail. */
const ACCOUNT = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the levels of several account holders, in the same sequence. `undefined` among the ids stands for a visitor. */
export async function levelsOf(db: Statements, holderIds: readonly (string | undefined)[]): Promise<Level[]> {
  const ids = [...new Set(holderIds.filter((id) => id !== undefined && ACCOUNT.test(id)))] as string[];
  if (ids.length === 0) return holderIds.map(() => 0);
  const [stored, holders] = await Promise.all([readLevels(db, ids), holdersById(db, ids)]);
  return holderIds.map((id = '') => {
    const level = stored.get(id) ?? 0;
    return level === 0 && holders.get(id)?.emailVerifiedAt !== undefined ? 1 : level;
  });
}

/** Returns an account holder, with their mailbox if it is verified; undefined for an unknown or missing id. */
export async function shownHolder(db: Statements, id: string | undefined): Promise<ShownHolder | undefined> {
  const holder = id === undefined ? undefined : await holderById(db, id);
  return holder && shownOf(holder);
}

/** Returns the proven data of an account holder. */
export const shownOf = ({ id, email, emailVerifiedAt }: Holder): ShownHolder => ({
  id,
  ...(emailVerifiedAt && { mailbox: email }),
});

/**
 * Returns the account holder with an e-mail address, to set their level. Throws `validation` on `email` if there is no such
 * account, or if its mailbox is not verified: then somebody else may have typed the address.
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
