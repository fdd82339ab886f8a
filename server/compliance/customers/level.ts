import { type Money, parse } from '@kurs/money';
import { type Holder, emailKey, holderById, holdersByEmail } from '../../auth/index.ts';
import { canonicalEmail, type Statements, type Tx } from '../../platform/index.ts';
import { settings } from '../settings.ts';
import type { ShownHolder } from './subject.ts';
import { type Level, readLevels, writeLevel } from './customer-store.ts';

export interface LevelLimits {
  readonly atOnce: Money<'USD'>;
  readonly day: Money<'USD'>;
  /** Undefined: no limit. */
  readonly month: Money<'USD'> | undefined;
}

/** The limits of a level, as the operator has set them. */
export function limitsOf(level: Level): LevelLimits {
  const { per_order, day, month } = settings.get('compliance.levels')[level];
  return {
    atOnce: parse('USD', per_order),
    day: parse('USD', day),
    month: month === null ? undefined : parse('USD', month),
  };
}

/** A customer's level by any spelling of the e-mail: what was set, and 1 at least for an account with a verified address. */
export async function levelOf(db: Statements, email: string): Promise<Level> {
  return (await levelsOf(db, [email]))[0] ?? 0;
}

/** As `levelOf`, of several, in their order. */
export async function levelsOf(db: Statements, emails: readonly string[]): Promise<Level[]> {
  const [set, holders] = await Promise.all([readLevels(db, emails.map(canonicalEmail)), holdersByEmail(db, emails)]);
  return emails.map((email) => {
    const level = set.get(canonicalEmail(email)) ?? 0;
    return level === 0 && holders.get(emailKey(email))?.emailVerifiedAt !== undefined ? 1 : level;
  });
}

/** The holder who is signed in, with their mailbox where they have shown to read it; undefined for nobody. */
export async function shownHolder(db: Statements, id: string | undefined): Promise<ShownHolder | undefined> {
  const holder = id === undefined ? undefined : await holderById(db, id);
  return holder && shownOf(holder);
}

/** What an account has shown of its holder. */
export const shownOf = ({ id, email, emailVerifiedAt }: Holder): ShownHolder => ({
  id,
  ...(emailVerifiedAt && { mailbox: email }),
});

/** Sets a customer's level; `by` names who decided it. */
export function setLevel(tx: Tx, email: string, level: Level, by: string): Promise<void> {
  return writeLevel(tx, canonicalEmail(email), level, by);
}
