import { randomBytes, randomInt } from 'node:crypto';
import { Problem } from '@kurs/contract';
import {
  type Counted,
  type Db,
  type Statements,
  type Tx,
  createLimiter,
  openNames,
  secretHash,
  secretHashes,
  steady,
} from '../../platform/index.ts';

/** Seconds for which a code is good, seconds until another may be asked for, tries that one code has. */
export const CODE = { seconds: 600, resendSeconds: 60, tries: 5 } as const;

const purposes = openNames('purpose of codes');

/** Defines what a code may allow, and gives its name; the room whose purpose it is does so. */
export const defineCodePurpose = purposes.define;

for (const own of ['sign_up', 'password_reset', 'verify_email', 'new_email', 'google_link']) purposes.define(own);
// What an account holder confirms once more.
for (const own of ['change_email', 'close_account', 'guard_account']) purposes.define(own);

/** A code's purpose, the row or address that it is about, and its owner where the row doesn't say. */
export interface CodeFor {
  /** One that was mailed for one purpose is worth nothing for another. */
  readonly purpose: string;
  readonly subject: string;
  /** The handle of the browser that asked, from `handleOf`: each browser has a code of its own. */
  readonly handle?: string | undefined;
}

/** The counter of a new code, and what is stored with it. */
export interface Asking {
  /** With which others it is counted, until it is used rightly. */
  readonly countedAs?: string;
  /** How many of those there may be in an hour; without it they are only counted. */
  readonly most?: number;
  /** The referral code that its asker came with. */
  readonly referralCode?: string | undefined;
}

/**
 * Tries of one code that this process answers, whatever the database says of them: somebody who sets the row's tries back gets no
 * more. It is above what the row allows, since duplicates of a right code may come at once.
 */
const HERE = { most: 20, seconds: 3_600 };
const triedHere = createLimiter();

const HOUR_SECONDS = 3_600;
/** Seconds after which a code that was not used is forgotten: it counts for an hour. */
const KEPT_SECONDS = 24 * HOUR_SECONDS;

/**
 * The handle of anyone who asks for a code: the one that they were given for this before, else a new one that nobody
 * guesses.
 */
export async function handleOf(db: Statements, { purpose, subject }: CodeFor, given: string | undefined): Promise<string> {
  const kept = given
    ? await db.row('select 1 from one_time_code where purpose = $1 and subject = $2 and handle = $3', [purpose, subject, given])
    : undefined;
  return kept && given ? given : randomBytes(16).toString('base64url');
}

/**
 * Makes a new six-digit code in place of an older one of the same asker. Throws `rate_limited` within a minute of their last,
 * and beyond the most; and where no room has defined the purpose.
 */
export async function makeCode(tx: Tx, what: CodeFor, { countedAs, most, referralCode }: Asking = {}): Promise<string> {
  purposes.require(what.purpose);
  if (countedAs !== undefined && most !== undefined) {
    await tx.row('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`code ${countedAs}`]);
    if ((await unusedCodes(tx, countedAs, tx.now)) >= most) throw new Problem('rate_limited', { retryAfter: HOUR_SECONDS, most });
  }
  const code = randomInt(0, 1_000_000).toString().padStart(6, '0');
  const bound = { expiresAt: secondsOn(tx.now, CODE.seconds), referralCode: referralCode ?? null };
  const made = await tx.run(
    `insert into one_time_code (purpose, subject, handle, code_hash, made_at, expires_at, referral_code, counted_as)
     values ($1, $2, $3, $4, $5, $6, $8, $9)
     on conflict (purpose, subject, handle) do update set code_hash = excluded.code_hash, made_at = excluded.made_at,
       expires_at = excluded.expires_at, referral_code = excluded.referral_code, counted_as = excluded.counted_as, tries = 0,
       asked = case when one_time_code.made_at > $10 then one_time_code.asked + 1 else 1 end
     where one_time_code.made_at <= $7`,
    [
      ...[what.purpose, what.subject, what.handle ?? '', secretHash('one-time code', ...partsOf(what, code, bound)), tx.now],
      ...[bound.expiresAt, secondsOn(tx.now, -CODE.resendSeconds)],
      ...[bound.referralCode, countedAs ?? null, secondsOn(tx.now, -HOUR_SECONDS)],
    ],
  );
  if (made === 0) throw new Problem('rate_limited', { retryAfter: CODE.resendSeconds, most: 1 });
  return code;
}

/** How many codes that are counted together were asked for within an hour and not used rightly. */
export async function unusedCodes(db: Statements, countedAs: string, now: Date): Promise<number> {
  const row = await db.row<{ codes: number }>(
    'select coalesce(sum(asked), 0)::int as codes from one_time_code where counted_as = $1 and made_at > $2',
    [countedAs, secondsOn(now, -HOUR_SECONDS)],
  );
  return row?.codes ?? 0;
}

/** Forgets codes that were never used; gives how many. */
export async function forgetCodes(db: Db): Promise<number> {
  return db.run('delete from one_time_code where expires_at < $1', [secondsOn(await db.now(), -KEPT_SECONDS)]);
}

/**
 * Says whether a code is right, and counts a wrong one in a transaction of its own, so that a refusal can't undo it. Throws
 * `code_required` without one, `code_expired` if no valid code exists, `code_wrong` with the tries left.
 */
export async function tryCode(db: Db, what: CodeFor, code: string | undefined): Promise<void> {
  const [wrong] = await tryCodes(db, [{ what, code }]);
  if (wrong) throw wrong;
}

/** As `tryCode`, of several; gives for each what that would throw, undefined for a right one. Of duplicates one may be as expired. */
export async function tryCodes(
  db: Db,
  tried: readonly { readonly what: CodeFor; readonly code: string | undefined }[],
): Promise<(Problem | undefined)[]> {
  const asked = tried.flatMap(({ what, code }, place) => (code === undefined ? [] : [{ ...what, code, place }]));
  const bound =
    asked.length === 0 ? [] : await db.rows<Bound & { place: number }>(BOUND, named(asked), { name: 'auth.bound_codes' });
  const given = bound.flatMap((one) => {
    const what = asked[one.place - 1]!;
    const counted = countHere(what, one);
    if (!counted) return [];
    return [
      { ...what, counted, hashes: secretHashes('one-time code', ...partsOf(what, what.code, one)), expiresAt: one.expiresAt },
    ];
  });
  const hashes = given.flatMap((one) => one.hashes);
  const found =
    given.length === 0
      ? []
      : await db.rows<Tried>(
          TRY,
          [...named(given), hashes, CODE.tries, given[0]!.hashes.length, given.map(({ expiresAt }) => expiresAt)],
          { name: 'auth.try_codes' },
        );
  const byPlace = new Map(found.map((one) => [given[one.place - 1]?.place, one]));
  return tried.map(({ code }, place) => {
    if (code === undefined) return new Problem('code_required');
    const one = byPlace.get(place);
    if (!one) return new Problem('code_expired');
    if (one.right) void given.find((each) => each.place === place)?.counted.undo();
    return one.right ? undefined : new Problem('code_wrong', { params: { tries: String(CODE.tries - one.tries) } });
  });
}

/** Counts a try of a code in this process; undefined where there were too many. */
function countHere({ purpose, subject, handle = '' }: CodeFor, { expiresAt }: Bound): Counted | undefined {
  try {
    return triedHere.take(steady([purpose, subject, handle, expiresAt]), HERE);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

interface Tried {
  readonly place: number;
  readonly right: boolean;
  readonly tries: number;
}

/** Codes that were given, with their places from 1, and their rows locked in one order, so that nobody waits in a circle. */
const GIVEN = `with given as (
    select * from unnest($1::text[], $2::text[], $3::text[]) with ordinality as given (purpose, subject, handle, place)
  ), locked as (
    select purpose, subject, handle, place from one_time_code join given using (purpose, subject, handle)
    order by purpose, subject, handle for update of one_time_code
  )`;
const IS_LOCKED = 'c.purpose = locked.purpose and c.subject = locked.subject and c.handle = locked.handle';
/** What a code that was made is bound to, beside what it is for. */
const BOUND = `select given.place::int as place, c.expires_at as "expiresAt", c.referral_code as "referralCode"
  from unnest($1::text[], $2::text[], $3::text[]) with ordinality as given (purpose, subject, handle, place)
  join one_time_code c using (purpose, subject, handle) order by given.place`;
/** True of a row whose code is the given one, as any of our keys would have stored it. */
const IS_RIGHT = 'c.code_hash = any (($4::bytea[])[(locked.place - 1) * $6 + 1 : locked.place * $6])';
// A right one is locked as a wrong one is, so that of many guesses at once no more than five are looked at.
const TRY = `${GIVEN}
  update one_time_code c set tries = tries + case when ${IS_RIGHT} then 0 else 1 end
  from locked where ${IS_LOCKED} and c.expires_at > clock_now() and c.expires_at = ($7::timestamptz[])[locked.place] and c.tries < $5
  returning locked.place::int as place, ${IS_RIGHT} as right, c.tries`;
const SPEND = `${GIVEN} delete from one_time_code c using locked where ${IS_LOCKED}
  returning locked.place::int as place, c.referral_code as code`;

const named = (codes: readonly CodeFor[]): string[][] => [
  codes.map(({ purpose }) => purpose),
  codes.map(({ subject }) => subject),
  codes.map(({ handle = '' }) => handle),
];

/**
 * A code is good once: spends it in the transaction of what it allowed, and gives the referral code that was noted with it.
 * Throws `code_expired` where a concurrent duplicate was faster.
 */
export async function spendCode(tx: Tx, code: CodeFor): Promise<string | undefined> {
  const [spent] = await spendCodes(tx, [code]);
  if (!spent) throw new Problem('code_expired');
  return spent.code ?? undefined;
}

/** Spends codes as `spendCode` does; undefined for one that a concurrent duplicate was faster with. */
export async function spendCodes(tx: Tx, codes: readonly CodeFor[]): Promise<({ readonly code: string | null } | undefined)[]> {
  if (codes.length === 0) return [];
  const rows = await tx.rows<{ place: number; code: string | null }>(SPEND, named(codes), { name: 'auth.spend_codes' });
  const spent = new Map(rows.map((row) => [row.place, row]));
  return codes.map((_, at) => spent.get(at + 1));
}

interface Bound {
  readonly expiresAt: Date;
  readonly referralCode: string | null;
}

/**
 * The parts that the stored form of a code is made of: what it is for, until when and whose reference came with it. A row that is
 * moved to another subject, or kept good for longer, holds no code.
 */
const partsOf = ({ purpose, subject, handle = '' }: CodeFor, code: string, { expiresAt, referralCode }: Bound): string[] => [
  ...[purpose, subject, handle, code, expiresAt.toISOString(), referralCode ?? ''],
];
const secondsOn = (from: Date, seconds: number): Date => new Date(from.getTime() + seconds * 1_000);
