import type { Locale } from '@kurs/contract';
import type { Statements, Tx } from '../../platform/index.ts';
import { type Holder, emailKey } from './holder.ts';
import { MARKED, type MarkedRow, changeHolder, insertHolder, isHolderAsKept } from './holder-mac.ts';
import { type Referrer, referrerOf } from './referral.ts';
import { type MarkedSession, type Session, isSessionAsBegun, sessionMac, stands } from './session.ts';

const HOLDER = `${MARKED}, h.name, h.locale, h.timezone, h.progress_letters as "progressLetters", h.avatar_key as "avatarKey"`;
const SESSION = `s.id as "sessionId", s.created_at as "sessionAt", s.seen_at as "seenAt", s.token_hash as hash, s.mac as "sessionMac"`;

type HolderRow = MarkedRow & Pick<Holder, 'name' | 'locale' | 'timezone' | 'progressLetters'> & { avatarKey: string | null };

const holderOf = (row: HolderRow): Holder => {
  const { id, email, name, locale, timezone, progressLetters, referralCode, passwordHash, factorSince, createdAt } = row;
  const { emailVerifiedAt, avatarKey, closingAt, frozenUntil, frozenBecause } = row;
  return {
    id,
    email,
    emailVerifiedAt: emailVerifiedAt ?? undefined,
    name,
    locale,
    timezone,
    progressLetters,
    avatarKey: avatarKey ?? undefined,
    referralCode,
    closingAt: closingAt ?? undefined,
    hasPassword: passwordHash !== null,
    hasSecondFactor: factorSince !== null,
    freeze: frozenUntil && frozenBecause ? { until: frozenUntil, reason: frozenBecause } : undefined,
    createdAt,
    ...(!isHolderAsKept(row) && { isAltered: true }),
  };
};

/** The account of an address, whatever its letters' case. */
export async function holderByEmail(db: Statements, email: string): Promise<Holder | undefined> {
  return (await holdersByEmail(db, [email])).get(emailKey(email));
}

/** Accounts of addresses, by `emailKey` of each; those without one are left out. */
export async function holdersByEmail(db: Statements, emails: readonly string[]): Promise<Map<string, Holder>> {
  const rows = await db.rows<HolderRow & { key: string }>(
    `select h.email_key as key, ${HOLDER} from account_holder h where h.email_key = any ($1::text[])`,
    [[...new Set(emails.map(emailKey))]],
    { name: 'auth.holders_by_email' },
  );
  return new Map(rows.map(({ key, ...row }) => [key, holderOf(row)]));
}

/** An account by its id. */
export async function holderById(db: Statements, id: string): Promise<Holder | undefined> {
  return (await holdersById(db, [id])).get(id);
}

/** Accounts by their ids. */
export async function holdersById(db: Statements, ids: readonly string[]): Promise<Map<string, Holder>> {
  if (ids.length === 0) return new Map();
  const rows = await db.rows<HolderRow>(`select ${HOLDER} from account_holder h where h.id = any ($1::uuid[])`, [ids], {
    name: 'auth.holders',
  });
  return new Map(rows.map((row) => [row.id, holderOf(row)]));
}

/** What rooms above do as somebody opens an account. `by`: who sent them. */
export type SignedUp = (tx: Tx, newcomer: { readonly email: string; readonly by: Referrer | undefined }) => Promise<void>;

/** How somebody comes in who may be new. */
interface Newcomer {
  readonly locale: Locale;
  /** Whose reference they came with. */
  readonly referralCode?: string | undefined;
  readonly signedUp: SignedUp;
}

/**
 * The account of an address whose mailbox its owner has just shown to read: a new one where there was none. Two that come
 * at once get the same. A new one keeps whose reference it came with, which `signedUp` is told. Of one whose mailbox nobody had shown to read all
 * that opened it is gone: somebody else had set that up.
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

/** The kept text of an account's password; undefined where none is set. */
export async function keptPassword(db: Statements, holderId: string): Promise<string | undefined> {
  const row = await db.row<{ kept: string | null }>('select password_hash as kept from account_holder where id = $1', [holderId]);
  return row?.kept ?? undefined;
}

/**
 * Keeps a password's text in place of the one that was there (undefined for none); false where that one has changed
 * meanwhile, and nothing was kept. Throws `record_altered`.
 */
export const keepPassword = (
  tx: Tx,
  holderId: string,
  { was, kept }: { was: string | undefined; kept: string },
): Promise<boolean> =>
  changeHolder(tx, holderId, ({ passwordHash }) => (passwordHash === (was ?? null) ? { passwordHash: kept } : undefined));

/** Keeps a password's text in place of whatever was there. Throws `record_altered`. */
export async function resetPassword(tx: Tx, holderId: string, kept: string): Promise<void> {
  await changeHolder(tx, holderId, () => ({ passwordHash: kept }));
}

/** A session with its holder, and the moment of the look. */
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
 * Sessions that were not ended, by the hashes of their tokens or by their ids, in that order; undefined for none, and for one of an
 * account whose row, or of a session whose row, was changed past the product.
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

/** Which of these sessions are valid at this moment. */
export async function sessionsThatStand(db: Statements, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db.rows<Session & { now: Date; hash: Buffer; mac: string | null }>(
    `select id, holder_id as "holderId", created_at as "createdAt", seen_at as "seenAt", clock_now() as now, token_hash as hash, mac
     from session where id = any($1) and ended_at is null`,
    [ids],
    { name: 'auth.standing' },
  );
  return new Set(rows.filter((one) => stands(one, one.now) && isSessionAsBegun(one, one.mac)).map(({ id }) => id));
}

/** Notes that a session is in use; nothing happens to one that has ended. */
export async function touchSession(db: Statements, session: MarkedSession, now: Date): Promise<void> {
  const seen = { ...session, seenAt: now };
  await db.run('update session set seen_at = $2, mac = $3 where id = $1 and ended_at is null', [seen.id, now, sessionMac(seen)], {
    name: 'auth.seen',
  });
}

/** A session with the device it is on. */
export interface ListedSession extends Session {
  readonly device: string;
  readonly ip: string;
}

/** The sessions of an account that were not ended, those seen last first; some may be over by their age. */
export async function openSessions(db: Statements, holderId: string): Promise<ListedSession[]> {
  return db.rows<ListedSession>(
    `select id, holder_id as "holderId", created_at as "createdAt", seen_at as "seenAt", device, host(ip) as ip
     from session where holder_id = $1 and ended_at is null order by seen_at desc, id limit 200`,
    [holderId],
  );
}

/** Ends one session of an account; false if it has no such open session. */
export async function endSessionOf(db: Statements, holderId: string, id: string, now: Date): Promise<boolean> {
  const ended = await db.run(
    'update session set ended_at = $3, mac = null where id = $2 and holder_id = $1 and ended_at is null',
    [holderId, id, now],
  );
  return ended === 1;
}

/** Whether this device, by what its browser says, is new to an account that was signed in to before. */
export async function isNewDevice(tx: Tx, holderId: string, device: string): Promise<boolean> {
  const row = await tx.row<{ known: boolean; before: boolean }>(
    'select coalesce(bool_or(device = $2), false) as known, count(*) > 0 as before from session where holder_id = $1',
    [holderId, device],
  );
  return row !== undefined && row.before && !row.known;
}

/**
 * Gives an account another address, whose mailbox its owner has just shown to read. Throws as PostgreSQL does for one that is
 * taken, and `record_altered`.
 */
export async function moveHolder(tx: Tx, holderId: string, email: string): Promise<void> {
  const shown = { email: email.trim(), emailKey: emailKey(email), emailVerifiedAt: tx.now };
  await changeHolder(tx, holderId, () => shown);
}

/** Voids the codes that were mailed to an account to confirm something. */
export async function forgetStepUps(tx: Tx, holderId: string): Promise<void> {
  await tx.run(`delete from one_time_code where subject = $1 or starts_with(subject, $1 || ' ')`, [holderId]);
}

/** Notes that somebody reads the mailbox of an account. Throws `record_altered`. */
export async function verifyEmail(tx: Tx, holderId: string): Promise<void> {
  await changeHolder(tx, holderId, (before) => (before.emailVerifiedAt === null ? { emailVerifiedAt: tx.now } : undefined));
}

/** Ends a session; nothing happens to one that has ended. */
export async function endSession(db: Statements, id: string, now: Date): Promise<void> {
  await db.run('update session set ended_at = $2, mac = null where id = $1 and ended_at is null', [id, now]);
}

/** Ends the sessions of an account, but for one of them; gives how many. */
export async function endOtherSessions(tx: Tx, holderId: string, but?: string): Promise<number> {
  return tx.run(
    'update session set ended_at = $2, mac = null where holder_id = $1 and ended_at is null and id is distinct from $3::uuid',
    [holderId, tx.now, but ?? null],
  );
}

/** Sets when an account is closed, or with undefined that it is not; false where that is so already. Throws `record_altered`. */
export const setClosing = (tx: Tx, holderId: string, at: Date | undefined): Promise<boolean> =>
  changeHolder(tx, holderId, ({ closingAt }) => (closingAt?.getTime() === at?.getTime() ? undefined : { closingAt: at ?? null }));

/**
 * Leaves of an account a row that says nothing of anybody: its address is free for another, nothing opens it, and what was
 * known of its holder here is gone.
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
