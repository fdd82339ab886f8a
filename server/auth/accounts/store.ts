import type { Locale } from '@kurs/contract';
import { type Statements, type Tx, likePart } from '../../platform/index.ts';
import { type Holder, emailKey } from './holder.ts';
import { MARKED, type MarkedRow, changeHolder, insertHolder, isHolderAsStored } from './holder-mac.ts';
import { type Referrer, referrerOf } from './referral.ts';
import { type MarkedSession, type Session, isSessionAsBegun, sessionMac, stands } from './session.ts';

const HOLDER = `${MARKED}, h.name, h.locale, h.timezone, h.has_progress_letters as "hasProgressLetters", h.avatar_key as "avatarKey"`;
const SESSION = `s.id as "sessionId", s.created_at as "sessionAt", s.seen_at as "seenAt", s.token_hash as hash, s.mac as "sessionMac"`;

type HolderRow = MarkedRow & Pick<Holder, 'name' | 'locale' | 'timezone' | 'hasProgressLetters'> & { avatarKey: string | null };

const holderOf = (row: HolderRow): Holder => {
  const { id, email, name, locale, timezone, hasProgressLetters, referralCode, passwordHash, factorSince, createdAt } = row;
  const { emailVerifiedAt, avatarKey, closingAt, frozenUntil, frozenBecause } = row;
  return {
    id,
    email,
    emailVerifiedAt: emailVerifiedAt ?? undefined,
    name,
    locale,
    timezone,
    hasProgressLetters,
    avatarKey: avatarKey ?? undefined,
    referralCode,
    closingAt: closingAt ?? undefined,
    hasPassword: passwordHash !== null,
    hasSecondFactor: factorSince !== null,
    freeze: frozenUntil && frozenBecause ? { until: frozenUntil, reason: frozenBecause } : undefined,
    createdAt,
    ...(!isHolderAsStored(row) && { isAltered: true }),
  };
};

/** Returns the account with this e-mail address, in upper or lower case. */
export async function holderByEmail(db: Statements, email: string): Promise<Holder | undefined> {
  return (await holdersByEmail(db, [email])).get(emailKey(email));
}

/** Returns the accounts with these e-mail addresses, by `emailKey`. Addresses without an account are missing in the result. */
export async function holdersByEmail(db: Statements, emails: readonly string[]): Promise<Map<string, Holder>> {
  const rows = await db.rows<HolderRow & { key: string }>(
    `select h.email_key as key, ${HOLDER} from account_holder h where h.email_key = any ($1::text[])`,
    [[...new Set(emails.map(emailKey))]],
    { name: 'auth.holders_by_email' },
  );
  return new Map(rows.map(({ key, ...row }) => [key, holderOf(row)]));
}

/** Returns the account with this id. */
export async function holderById(db: Statements, id: string): Promise<Holder | undefined> {
  return (await holdersById(db, [id])).get(id);
}

/** Returns accounts by their ids. */
export async function holdersById(db: Statements, ids: readonly string[]): Promise<Map<string, Holder>> {
  if (ids.length === 0) return new Map();
  const rows = await db.rows<HolderRow>(`select ${HOLDER} from account_holder h where h.id = any ($1::uuid[])`, [ids], {
    name: 'auth.holders',
  });
  return new Map(rows.map((row) => [row.id, holderOf(row)]));
}

/** Maximum number of accounts that a search by a part of the address returns. */
const MAX_FOUND = 1_000;

/** Returns the ids of accounts whose e-mail address contains a text, at most `MAX_FOUND`. */
export async function holderIdsLike(db: Statements, part: string): Promise<string[]> {
  const rows = await db.rows<{ id: string }>('select id from account_holder where email_key like $1 limit $2', [
    ...[likePart(emailKey(part)), MAX_FOUND],
  ]);
  return rows.map(({ id }) => id);
}

/** Called in the transaction that opens an account. `by`: the account's referrer. */
export type SignedUp = (tx: Tx, newcomer: { readonly email: string; readonly by: Referrer | undefined }) => Promise<void>;

/** Details for opening an account, if the person has no account yet. */
interface Newcomer {
  readonly locale: Locale;
  /** The reference in the affiliate's link that brought the newcomer. */
  readonly referralCode?: string | undefined;
  readonly signedUp: SignedUp;
}

/**
 * Returns the account for an e-mail address whose mailbox was just verified; opens an account if there is none. Concurrent
 * calls return the same account. Opening an account stores its referrer and calls `signedUp`. An existing account whose address
 * was never verified before loses its password, second factor, Google link and sessions. A stranger may have set them up.
 */
export async function holderWithMailbox(
  tx: Tx,
  email: string,
  { locale, referralCode, signedUp }: Newcomer,
): Promise<{ holder: Holder; isNew: boolean }> {
  const referrer = await referrerOf(tx, referralCode, email);
  const isNew = await insertHolder(tx, {
    ...{ email: email.trim(), emailKey: emailKey(email), locale },
    ...{ referredBy: referrer?.id ?? null, referredCampaign: referrer?.campaign ?? null },
  });
  if (isNew) await signedUp(tx, { email, by: referrer });
  const unshown = await tx.row<{ id: string }>(
    'select id from account_holder where email_key = $1 and email_verified_at is null for no key update',
    [emailKey(email)],
  );
  if (unshown) {
    await changeHolder(tx, unshown.id, () => ({ emailVerifiedAt: tx.now, passwordHash: null, factorSince: null }));
    for (const table of ['second_factor', 'google_account'])
      await tx.run(`delete from ${table} where holder_id = $1`, [unshown.id]);
    await endOtherSessions(tx, unshown.id);
  }
  const holder = await holderByEmail(tx, email);
  if (!holder) throw new Error('an account that was just made is missing');
  return { holder, isNew };
}

/** Returns the stored hash of an account's password; undefined if no password is set. */
export async function storedHash(db: Statements, holderId: string): Promise<string | undefined> {
  const row = await db.row<{ stored: string | null }>('select password_hash as stored from account_holder where id = $1', [
    holderId,
  ]);
  return row?.stored ?? undefined;
}

/**
 * Stores the hash of a new password (`stored`) in place of the hash `was` (undefined if there was no password). If the
 * account's hash is no longer `was`, stores nothing and returns false. Throws `record_altered`.
 */
export const storePassword = (
  tx: Tx,
  holderId: string,
  { was, stored }: { was: string | undefined; stored: string },
): Promise<boolean> =>
  changeHolder(tx, holderId, ({ passwordHash }) => (passwordHash === (was ?? null) ? { passwordHash: stored } : undefined));

/** Stores the hash of a new password, whether or not a password was set before. Throws `record_altered`. */
export async function resetPassword(tx: Tx, holderId: string, stored: string): Promise<void> {
  await changeHolder(tx, holderId, () => ({ passwordHash: stored }));
}

/** A session with its account, and the time of the query. */
export interface FoundSession {
  readonly holder: Holder;
  readonly session: MarkedSession;
  readonly now: Date;
}

type SessionRow = HolderRow & {
  place: number;
  sessionId: string;
  sessionAt: Date;
  seenAt: Date;
  now: Date;
  hash: Buffer;
  sessionMac: string | null;
};

/**
 * Returns the open sessions with these token hashes or ids, in the order of `values`. Undefined for an unknown or ended session.
 * Also undefined if the row of the session or of its account was changed outside the product. An expired session may be
 * returned.
 */
export async function sessionsBy(
  db: Statements,
  by: 'token_hash' | 'id',
  values: readonly (Buffer | string)[],
): Promise<(FoundSession | undefined)[]> {
  const rows = await db.rows<SessionRow>(
    `select asked.place::int as place, ${HOLDER}, ${SESSION}, clock_now() as now
     from unnest($1::${by === 'id' ? 'uuid' : 'bytea'}[]) with ordinality as asked (value, place)
     join session s on s.${by} = asked.value join account_holder h on h.id = s.holder_id where s.ended_at is null`,
    [values],
    { name: `auth.sessions_by_${by}` },
  );
  const found = new Map(
    rows.flatMap(({ place, sessionId: id, sessionAt: createdAt, seenAt, now, hash, sessionMac: mac, ...row }) => {
      const [holder, session] = [holderOf(row), { id, holderId: row.id, createdAt, seenAt, hash }];
      const isBelieved = !holder.isAltered && isSessionAsBegun(session, mac);
      return isBelieved ? [[place, { holder, session, now }] as const] : [];
    }),
  );
  return values.map((_, at) => found.get(at + 1));
}

/** Returns the ids, among those given, of sessions that are valid now. */
export async function sessionsThatStand(db: Statements, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db.rows<Session & { now: Date; hash: Buffer; mac: string | null }>(
    `select id, holder_id as "holderId", created_at as "createdAt", seen_at as "seenAt", clock_now() as now, token_hash as hash, mac
     from session where id = any($1) and ended_at is null`,
    [ids],
    { name: 'auth.status' },
  );
  return new Set(rows.filter((one) => stands(one, one.now) && isSessionAsBegun(one, one.mac)).map(({ id }) => id));
}

/** Updates the time of a session's last use. Does nothing if the session has ended. */
export async function touchSession(db: Statements, session: MarkedSession, now: Date): Promise<void> {
  const seen = { ...session, seenAt: now };
  await db.run('update session set seen_at = $2, mac = $3 where id = $1 and ended_at is null', [seen.id, now, sessionMac(seen)], {
    name: 'auth.seen',
  });
}

/** A session with the description (User-Agent) and IP address of its device. */
export interface ListedSession extends Session {
  readonly device: string;
  readonly ip: string;
}

/** Returns the account's open sessions, the last used first. Expired sessions may be included. */
export async function openSessions(db: Statements, holderId: string): Promise<ListedSession[]> {
  return db.rows<ListedSession>(
    `select id, holder_id as "holderId", created_at as "createdAt", seen_at as "seenAt", device, host(ip) as ip
     from session where holder_id = $1 and ended_at is null order by seen_at desc, id limit 200`,
    [holderId],
  );
}

/** Ends one session of an account. Returns false if the account has no such open session. */
export async function endSessionOf(db: Statements, holderId: string, id: string, now: Date): Promise<boolean> {
  const ended = await db.run(
    'update session set ended_at = $3, mac = null where id = $2 and holder_id = $1 and ended_at is null',
    [holderId, id, now],
  );
  return ended === 1;
}

/** True if the account has had sessions, but none from a browser with this description (User-Agent). */
export async function isNewDevice(tx: Tx, holderId: string, device: string): Promise<boolean> {
  const row = await tx.row<{ known: boolean; before: boolean }>(
    'select coalesce(bool_or(device = $2), false) as known, count(*) > 0 as before from session where holder_id = $1',
    [holderId, device],
  );
  return row !== undefined && row.before && !row.known;
}

/**
 * Gives an account another e-mail address, whose mailbox was just verified. Throws PostgreSQL's error for a duplicate if the
 * address has an account. Throws `record_altered`.
 */
export async function moveHolder(tx: Tx, holderId: string, email: string): Promise<void> {
  const shown = { email: email.trim(), emailKey: emailKey(email), emailVerifiedAt: tx.now };
  await changeHolder(tx, holderId, () => shown);
}

/** Deletes all one-time codes for actions of an account. */
export async function forgetStepUps(tx: Tx, holderId: string): Promise<void> {
  await tx.run(`delete from one_time_code where subject = $1 or starts_with(subject, $1 || ' ')`, [holderId]);
}

/** Marks an account's e-mail address as verified. Throws `record_altered`. */
export async function verifyEmail(tx: Tx, holderId: string): Promise<void> {
  await changeHolder(tx, holderId, (before) => (before.emailVerifiedAt === null ? { emailVerifiedAt: tx.now } : undefined));
}

/** Ends a session. Does nothing if the session has ended. */
export async function endSession(db: Statements, id: string, now: Date): Promise<void> {
  await db.run('update session set ended_at = $2, mac = null where id = $1 and ended_at is null', [id, now]);
}

/** Ends the sessions of an account, except the session with the id `but`. Returns the number of ended sessions. */
export async function endOtherSessions(tx: Tx, holderId: string, but?: string): Promise<number> {
  return tx.run(
    'update session set ended_at = $2, mac = null where holder_id = $1 and ended_at is null and id is distinct from $3::uuid',
    [holderId, tx.now, but ?? null],
  );
}

/**
 * Sets the time when an account will be closed; undefined cancels the closing. Returns false if nothing changes. Throws
 * `record_altered`.
 */
export const setClosing = (tx: Tx, holderId: string, at: Date | undefined): Promise<boolean> =>
  changeHolder(tx, holderId, ({ closingAt }) => (closingAt?.getTime() === at?.getTime() ? undefined : { closingAt: at ?? null }));

/**
 * Closes an account: anonymizes its row, and deletes its API keys, sessions, factors, picture, notices and codes. Afterwards its
 * e-mail address can open another account.
 */
export async function closeHolder(tx: Tx, { id, email }: Holder): Promise<void> {
  const nobody = `closed-${id}@account.invalid`;
  await changeHolder(tx, id, () => ({
    ...{ email: nobody, emailKey: nobody, emailVerifiedAt: null, closedAt: tx.now, passwordHash: null, factorSince: null },
    ...{ referredBy: null, referredCampaign: null, referralAlias: null, closingAt: null },
  }));
  for (const table of ['api_key', 'session', 'second_factor', 'google_account', 'avatar', 'account_notice'])
    await tx.run(`delete from ${table} where holder_id = $1`, [id]);
  await tx.run(`delete from one_time_code where subject in ($1, $2) or starts_with(subject, $1 || ' ')`, [id, emailKey(email)]);
  await tx.run(
    `update account_holder set name = '', timezone = 'UTC', avatar_key = null, notices_seen_at = null
     where id = $1`,
    [id],
  );
}
