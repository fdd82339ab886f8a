// What of an account decides who gets in, where its letters go, whether its money may leave and who earns by it stands under a
// MAC. This file alone writes those columns. A change by SQL brings no session, no code and no money.

import { Problem } from '@kurs/contract';
import { type Statements, type Tx, alarmOnce, idsOfAltered, isMac, macOf, newId, steady } from '../../platform/index.ts';

/** What withdrawals wait after. */
export type FreezeReason = 'password_reset' | 'recovery_code' | 'two_factor_off' | 'email_changed';

/** The part of an account that stands under its MAC. Null: none, as in the database. */
export interface MarkedHolder {
  readonly id: string;
  readonly email: string;
  readonly emailKey: string;
  readonly emailVerifiedAt: Date | null;
  readonly createdAt: Date;
  readonly closedAt: Date | null;
  /** When it is to be closed. */
  readonly closingAt: Date | null;
  readonly passwordHash: string | null;
  /** Since when its second factor is asked for. */
  readonly factorSince: Date | null;
  readonly frozenUntil: Date | null;
  readonly frozenBecause: FreezeReason | null;
  readonly referralCode: string;
  readonly referralAlias: string | null;
  readonly referredBy: string | null;
  readonly referredCampaign: string | null;
}

/** A row as it was read, with its MAC. */
export type MarkedRow = MarkedHolder & { readonly mac: string | null };

/** The same as SQL, of a row of `account_holder h`. */
export const MARKED = `h.id, h.email, h.email_key as "emailKey", h.email_verified_at as "emailVerifiedAt", h.created_at as "createdAt",
  h.closed_at as "closedAt", h.closing_at as "closingAt", h.password_hash as "passwordHash", h.frozen_until as "frozenUntil", h.frozen_because as "frozenBecause",
  (select f.enabled_at from second_factor f where f.holder_id = h.id) as "factorSince", h.referral_code as "referralCode",
  h.referral_alias as "referralAlias", h.referred_by as "referredBy", h.referred_campaign as "referredCampaign", h.mac`;

function contentOf(row: MarkedHolder): string {
  const { id, email, emailKey, emailVerifiedAt, createdAt, closedAt, passwordHash, factorSince, frozenUntil, frozenBecause } =
    row;
  const { referralCode, referralAlias, referredBy, referredCampaign, closingAt } = row;
  const own = [id, email, emailKey, emailVerifiedAt, createdAt, closedAt, passwordHash, factorSince, frozenUntil, frozenBecause];
  return steady([...own, referralCode, referralAlias, referredBy, referredCampaign, closingAt]);
}

const holderMac = (holder: MarkedHolder): string => macOf('holder', contentOf(holder));

const tellAltered = alarmOnce('an account’s row is not what it was kept as: it opens nothing and no money leaves it');

/** True if an account says what this room wrote. Otherwise an alarm is raised, once for each account. */
export function isHolderAsKept(row: MarkedRow): boolean {
  if (isMac('holder', contentOf(row), row.mac)) return true;
  tellAltered(row.id, { holderId: row.id });
  return false;
}

/** Throws `record_altered` for an account whose row was changed past the product. */
export function requireHolderAsKept(row: MarkedRow): void {
  if (!isHolderAsKept(row)) throw new Problem('record_altered');
}

/** What may be changed of an account. */
type Change = Partial<Omit<MarkedHolder, 'id' | 'createdAt' | 'referralCode'>>;

/**
 * Changes an account, locked, by what `change` makes of it as it stands; undefined leaves it as it is. Returns false for no such
 * account, and where nothing was to be changed. Throws `record_altered` where the row was changed past the product: nothing gives
 * such a row a right MAC again.
 */
export async function changeHolder(tx: Tx, id: string, change: (before: MarkedHolder) => Change | undefined): Promise<boolean> {
  const before = await tx.row<MarkedRow>(`select ${MARKED} from account_holder h where h.id = $1 for no key update of h`, [id]);
  if (!before) return false;
  requireHolderAsKept(before);
  const changed = change(before);
  if (!changed) return false;
  const { mac: _, ...kept } = { ...before, ...changed };
  await tx.run(
    `update account_holder set email = $2, email_key = $3, email_verified_at = $4, closed_at = $5, password_hash = $6,
       password_set_at = case when $6 is not distinct from password_hash then password_set_at when $6 is null then null else $7 end,
       frozen_until = $8, frozen_because = $9, referral_alias = $10, referred_by = $11, referred_campaign = $12, mac = $13,
       closing_at = $14
     where id = $1`,
    [
      ...[id, kept.email, kept.emailKey, kept.emailVerifiedAt, kept.closedAt, kept.passwordHash, tx.now],
      ...[kept.frozenUntil, kept.frozenBecause, kept.referralAlias, kept.referredBy, kept.referredCampaign, holderMac(kept)],
      kept.closingAt,
    ],
  );
  return true;
}

/** Opens an account whose mailbox its owner has shown; returns false where the address has one. */
export async function insertHolder(
  tx: Tx,
  made: Pick<MarkedHolder, 'email' | 'emailKey' | 'referredBy' | 'referredCampaign'> & { readonly locale: string },
): Promise<boolean> {
  const row = await tx.row<MarkedRow>(
    `insert into account_holder as h (id, email, email_key, email_verified_at, locale, created_at, referred_by, referred_campaign)
     values ($1, $2, $3, $4, $5, $4, $6, $7) on conflict (email_key) do nothing returning ${MARKED}`,
    [newId(), made.email, made.emailKey, tx.now, made.locale, made.referredBy, made.referredCampaign],
  );
  if (row) await tx.run('update account_holder set mac = $2 where id = $1', [row.id, holderMac(row)]);
  return row !== undefined;
}

/** Returns the ids of accounts whose rows were changed past the product, for the proof of the books. */
export const alteredHolders = (db: Statements): Promise<string[]> =>
  idsOfAltered(
    (behind, most) =>
      db.rows<MarkedRow>(
        `select ${MARKED} from account_holder h where $1::uuid is null or h.id > $1 order by h.id limit $2`,
        [behind ?? null, most],
        { name: 'auth.marked' },
      ),
    (row) => isMac('holder', contentOf(row), row.mac),
  );

/** Gives all accounts their MACs as they stand. For tests and measurements, which write rows by SQL. */
export async function keepHolders(db: Statements): Promise<void> {
  const rows = await db.rows<MarkedRow>(`select ${MARKED} from account_holder h`);
  await db.run(
    'update account_holder h set mac = made.mac from unnest($1::uuid[], $2::uuid[]) as made (id, mac) where h.id = made.id and h.mac is distinct from made.mac',
    [rows.map(({ id }) => id), rows.map(holderMac)],
  );
}
