import { linkedReferences, readReference } from '@kurs/contract/reference';
import { type Statements, type Tx, canonicalEmail } from '../../platform/index.ts';
import { emailKey } from './holder.ts';
import { MARKED, type MarkedRow, changeHolder, isHolderAsStored } from './holder-mac.ts';

/** The account (`id`) that referred a newcomer, and the campaign of the reference; empty without a campaign. */
export interface Referrer {
  readonly id: string;
  readonly campaign: string;
}

/**
 * Returns the id of the account with this referral code or alias, in upper or lower case. Undefined for an unknown code, for a
 * closed account, and for an account whose row was changed outside the product.
 */
export async function holderOfReference(db: Statements, code: string): Promise<string | undefined> {
  return (await ofReference(db, code))?.id;
}

async function ofReference(db: Statements, code: string): Promise<MarkedRow | undefined> {
  const row = await db.row<MarkedRow>(
    `select ${MARKED} from account_holder h
     where (h.referral_code = upper($1) or h.referral_alias = lower($1)) and h.closed_at is null`,
    [code],
    { name: 'auth.reference' },
  );
  return row && isHolderAsStored(row) ? row : undefined;
}

/**
 * Returns the referrer that a newcomer's reference names. Undefined for an unknown code, for a closed account, and if the
 * e-mail addresses of referrer and newcomer are spellings of one mailbox.
 */
export async function referrerOf(db: Statements, text: string | undefined, email: string): Promise<Referrer | undefined> {
  for (const linked of linkedReferences(text ?? '')) {
    const { code = '', campaign = '' } = readReference(linked) ?? {};
    const found = await ofReference(db, code);
    if (!found) continue;
    return canonicalEmail(found.email) === canonicalEmail(email) ? undefined : { id: found.id, campaign };
  }
  return undefined;
}

/**
 * Sets an account's alias, which works in links like its referral code; undefined removes the alias. Returns false if another
 * account has this alias.
 */
export async function nameReferrer(tx: Tx, holderId: string, alias: string | undefined): Promise<boolean> {
  const isTaken = alias !== undefined && ![undefined, holderId].includes(await holderOfReference(tx, alias));
  if (!isTaken) await changeHolder(tx, holderId, () => ({ referralAlias: alias ?? null }));
  return !isTaken;
}

/** An account and its referrer. */
interface Referred {
  readonly id: string;
  readonly email: string;
  /**
   * Id of the account that referred this account; undefined without a referrer, or if the referrer's account is closed.
   * `campaign`: the reference's campaign; empty without a campaign.
   */
  readonly referredBy: string | undefined;
  readonly campaign: string;
  readonly createdAt: Date;
}

type ReferredRow = MarkedRow & { readonly openBy: string | null };
const REFERRED = `${MARKED}, by.id as "openBy"
  from account_holder h left join account_holder by on by.id = h.referred_by and by.closed_at is null`;

/** Converts a row. If the account's row was changed outside the product, its referrer is ignored. */
function referredIn(row: ReferredRow): Referred {
  const { id, email, createdAt } = row;
  const isStored = isHolderAsStored(row);
  return {
    id,
    email,
    createdAt,
    referredBy: (isStored && row.openBy) || undefined,
    campaign: (isStored && row.referredCampaign) || '',
  };
}

/** Returns those of the given accounts that are open, with their referrers, by id. */
export async function referralsOf(db: Statements, holderIds: readonly string[]): Promise<Map<string, Referred>> {
  if (holderIds.length === 0) return new Map();
  const rows = await db.rows<ReferredRow>(`select ${REFERRED} where h.closed_at is null and h.id = any ($1)`, [holderIds], {
    name: 'auth.referrals_of',
  });
  return new Map(rows.map((row) => [row.id, referredIn(row)]));
}

/**
 * Returns an open account with its referrer. The account is found by its id or, without an id, by its e-mail address. Undefined
 * if no open account is found.
 */
export async function referralOf(
  db: Statements,
  { email, holderId }: { readonly email: string | undefined; readonly holderId: string | undefined },
): Promise<Referred | undefined> {
  if (holderId !== undefined) return (await referralsOf(db, [holderId])).get(holderId);
  const row = await db.row<ReferredRow>(
    `select ${REFERRED} where h.closed_at is null and h.email_key = $1`,
    [emailKey(email ?? '')],
    {
      name: 'auth.referral_of',
    },
  );
  return row && referredIn(row);
}
