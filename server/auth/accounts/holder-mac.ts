// MACs of accounts' rows. A MAC covers the columns that decide who can sign in, where letters go, whether money may leave, and
// who earns referral rewards. Only this file writes these columns. After a change of the row by SQL, nobody can sign in, no
// codes are mailed, and no money leaves.

import { Problem } from '@kurs/contract';
import { type Statements, type Tx, alarmOnce, idsOfAltered, isMac, macOf, newId, steady } from '../../platform/index.ts';

/** Causes of a withdrawal freeze. */
export type FreezeReason = 'password_reset' | 'recovery_code' | 'two_factor_off' | 'email_changed';

/** The columns of an account's row that its MAC covers. */
export interface MarkedHolder {
  readonly id: string;
  readonly email: string;
  readonly emailKey: string;
  readonly emailVerifiedAt: Date | null;
  readonly createdAt: Date;
  readonly closedAt: Date | null;
  /** Time when the account will be closed; null if its holder didn't request closing. */
  readonly closingAt: Date | null;
  readonly passwordHash: string | null;
  /** Time since when the account requires a second factor; null if it requires none. */
  readonly factorSince: Date | null;
  readonly frozenUntil: Date | null;
  readonly frozenBecause: FreezeReason | null;
  readonly referralCode: string;
  readonly referralAlias: string | null;
  readonly referredBy: string | null;
  readonly referredCampaign: string | null;
}

/** The columns that an account's MAC covers, and the stored MAC. */
export type MarkedRow = MarkedHolder & { readonly mac: string | null };

/** SQL: columns of a `MarkedRow`, to select from `account_holder h`. */
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

const reportAltered = alarmOnce('an account’s row was changed outside the product: nobody signs in to it and no money leaves it');

/** Returns true if the MAC of the account's row is right. If the MAC is wrong, raises an alarm, once per account. */
export function isHolderAsStored(row: MarkedRow): boolean {
  if (isMac('holder', contentOf(row), row.mac)) return true;
  reportAltered(row.id, { holderId: row.id });
  return false;
}

/** Throws `record_altered` if the account's row was changed outside the product. */
export function requireHolderAsStored(row: MarkedRow): void {
  if (!isHolderAsStored(row)) throw new Problem('record_altered');
}

/** A change of columns that the MAC covers. */
type Change = Partial<Omit<MarkedHolder, 'id' | 'createdAt' | 'referralCode'>>;

/**
 * Locks an account's row and writes the columns that `change` returns. If `change` returns undefined, the row stays unchanged.
 * Returns false if the account doesn't exist or nothing changes. Throws `record_altered` for a row that was changed outside the
 * product; otherwise the row would get a right MAC.
 */
export async function changeHolder(tx: Tx, id: string, change: (before: MarkedHolder) => Change | undefined): Promise<boolean> {
  const before = await tx.row<MarkedRow>(`select ${MARKED} from account_holder h where h.id = $1 for no key update of h`, [id]);
  if (!before) return false;
  requireHolderAsStored(before);
  const changed = change(before);
  if (!changed) return false;
  const { mac: _, ...stored } = { ...before, ...changed };
  await tx.run(
    `update account_holder set email = $2, email_key = $3, email_verified_at = $4, closed_at = $5, password_hash = $6,
       password_set_at = case when $6 is not distinct from password_hash then password_set_at when $6 is null then null else $7 end,
       frozen_until = $8, frozen_because = $9, referral_alias = $10, referred_by = $11, referred_campaign = $12, mac = $13,
       closing_at = $14
     where id = $1`,
    [
      ...[id, stored.email, stored.emailKey, stored.emailVerifiedAt, stored.closedAt, stored.passwordHash, tx.now],
      ...[
        stored.frozenUntil,
        stored.frozenBecause,
        stored.referralAlias,
        stored.referredBy,
        stored.referredCampaign,
        holderMac(stored),
      ],
      stored.closingAt,
    ],
  );
  return true;
}

/** Inserts an account with a verified e-mail address. Returns false if the address already has an account. */
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

/** Returns the ids of accounts whose rows were changed outside the product. For the proof of the books. */
export const alteredHolders = (db: Statements): Promise<string[]> =>
  idsOfAltered(
    (behind, max) =>
      db.rows<MarkedRow>(
        `select ${MARKED} from account_holder h where $1::uuid is null or h.id > $1 order by h.id limit $2`,
        [behind ?? null, max],
        { name: 'auth.marked' },
      ),
    (row) => isMac('holder', contentOf(row), row.mac),
  );

/** Recomputes the MACs of all accounts. Only for tests and benchmarks that write rows by SQL. */
export async function writeHolderMacs(db: Statements): Promise<void> {
  const rows = await db.rows<MarkedRow>(`select ${MARKED} from account_holder h`);
  await db.run(
    'update account_holder h set mac = made.mac from unnest($1::uuid[], $2::uuid[]) as made (id, mac) where h.id = made.id and h.mac is distinct from made.mac',
    [rows.map(({ id }) => id), rows.map(holderMac)],
  );
}
