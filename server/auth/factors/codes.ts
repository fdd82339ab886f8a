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

/**
 * Rules of one-time codes. `seconds`: lifetime of a code; `resendSeconds`: minimum time between requests for two codes;
 * `tries`: maximum number of wrong tries of a code.
 */
export const CODE = { seconds: 600, resendSeconds: 60, tries: 5 } as const;

const purposes = openNames('purpose of codes');

/** Registers a purpose of one-time codes, and returns the purpose. Called by the room whose action such a code allows. */
export const defineCodePurpose = purposes.define;

for (const own of ['sign_up', 'password_reset', 'verify_email', 'new_email', 'google_link']) purposes.define(own);
// Purposes of mailed step-up codes.
for (const own of ['change_email', 'close_account', 'guard_account']) purposes.define(own);

/** Purpose, subject and browser to which a one-time code is bound. */
export interface CodeFor {
  /** The action that the code allows. A code is refused for any other purpose. */
  readonly purpose: string;
  readonly subject: string;
  /** Handle of the browser that requested the code (`handleOf`). Each browser gets a code of its own. */
  readonly handle?: string | undefined;
}

/** Options of a new code. */
export interface Asking {
  /** Name of the counter of unused codes to which the new code is added. */
  readonly countedAs?: string;
  /** Maximum number of unused codes of the counter within an hour; no limit if absent. */
  readonly max?: number;
  /** Referral code of the person who requests the code; it is stored with the code. */
  readonly referralCode?: string | undefined;
}

/**
 * Maximum number of wrong tries of one code in this process. This count is separate from the count in the database, so
 * resetting the latter by SQL gains nothing. The limit is above the database's limit, since requests with the right code are
 * counted, too, until they turn out right.
 */
const HERE = { max: 20, seconds: 3_600 };
const triedHere = createLimiter();

const HOUR_SECONDS = 3_600;
/** Time between the expiry of an unused code and its deletion, in seconds. */
const RETENTION_SECONDS = 24 * HOUR_SECONDS;

/**
 * Returns the browser's handle for codes. Returns the given handle if it belongs to a code of the same purpose and subject,
 * else a new random handle.
 */
export async function handleOf(db: Statements, { purpose, subject }: CodeFor, given: string | undefined): Promise<string> {
  const known = given
    ? await db.row('select 1 from one_time_code where purpose = $1 and subject = $2 and handle = $3', [purpose, subject, given])
    : undefined;
  return known && given ? given : randomBytes(16).toString('base64url');
}

/**
 * Creates a six-digit code, which replaces the previous code of the same purpose, subject and browser. Throws `rate_limited`
 * within a minute of the previous code, and above `max`. Throws an error for an undefined purpose.
 */
export async function makeCode(tx: Tx, what: CodeFor, { countedAs, max, referralCode }: Asking = {}): Promise<string> {
  purposes.require(what.purpose);
  if (countedAs !== undefined && max !== undefined) {
    await tx.row('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`code ${countedAs}`]);
    if ((await unusedCodes(tx, countedAs, tx.now)) >= max) throw new Problem('rate_limited', { retryAfter: HOUR_SECONDS, max });
  }
  const code = randomInt(0, 1_000_000).toString().padStart(6, '0');
  const bound = { expiresAt: secondsOn(tx.now, CODE.seconds), referralCode: referralCode ?? null };
  const made = await tx.run(
    `insert into one_time_code (purpose, subject, handle, code_hash, made_at, expires_at, referral_code, counted_as)
     values ($1, $2, $3, $4, $5, $6, $8, $9)
     on conflict (purpose, subject, handle) do update set code_hash = excluded.code_hash, made_at = excluded.made_at,
       expires_at = excluded.expires_at, referral_code = excluded.referral_code, counted_as = excluded.counted_as, tries = 0,
       requests = case when one_time_code.made_at > $10 then one_time_code.requests + 1 else 1 end
     where one_time_code.made_at <= $7`,
    [
      ...[what.purpose, what.subject, what.handle ?? '', secretHash('one-time code', ...partsOf(what, code, bound)), tx.now],
      ...[bound.expiresAt, secondsOn(tx.now, -CODE.resendSeconds)],
      ...[bound.referralCode, countedAs ?? null, secondsOn(tx.now, -HOUR_SECONDS)],
    ],
  );
  if (made === 0) throw new Problem('rate_limited', { retryAfter: CODE.resendSeconds, max: 1 });
  return code;
}

/** Returns the number of codes of a counter that were requested in the last hour and not used. */
export async function unusedCodes(db: Statements, countedAs: string, now: Date): Promise<number> {
  const row = await db.row<{ codes: number }>(
    'select coalesce(sum(requests), 0)::int as codes from one_time_code where counted_as = $1 and made_at > $2',
    [countedAs, secondsOn(now, -HOUR_SECONDS)],
  );
  return row?.codes ?? 0;
}

/** Deletes codes that expired a day ago. Returns the number of deleted codes. */
export async function forgetCodes(db: Db): Promise<number> {
  return db.run('delete from one_time_code where expires_at < $1', [secondsOn(await db.now(), -RETENTION_SECONDS)]);
}

/**
 * Checks a code. A wrong try is counted in its own transaction, so that no rollback undoes the count. Throws `code_required`
 * without a code, `code_expired` if there is no valid code, and `code_wrong` with the number of remaining tries.
 */
export async function tryCode(db: Db, what: CodeFor, code: string | undefined): Promise<void> {
  const [wrong] = await tryCodes(db, [{ what, code }]);
  if (wrong) throw wrong;
}

/**
 * Checks several codes as `tryCode` does. Returns the problem of each code, or undefined for a right code. If two tries are for
 * the same code, one of them may be reported as expired.
 */
export async function tryCodes(
  db: Db,
  tried: readonly { readonly what: CodeFor; readonly code: string | undefined }[],
): Promise<(Problem | undefined)[]> {
  const requests = tried.flatMap(({ what, code }, place) => (code === undefined ? [] : [{ ...what, code, place }]));
  const bound =
    requests.length === 0 ? [] : await db.rows<Bound & { place: number }>(BOUND, named(requests), { name: 'auth.bound_codes' });
  const given = bound.flatMap((one) => {
    const what = requests[one.place - 1]!;
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
    if (one.isRight) void given.find((each) => each.place === place)?.counted.undo();
    return one.isRight ? undefined : new Problem('code_wrong', { params: { tries: String(CODE.tries - one.tries) } });
  });
}

/** Counts a try of a code in this process. Returns undefined if the code was tried too often. */
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
  readonly isRight: boolean;
  readonly tries: number;
}

/**
 * SQL: the given codes with their positions, counted from 1. The rows of the codes are locked in a fixed order to avoid
 * deadlocks.
 */
const GIVEN = `with given as (
    select * from unnest($1::text[], $2::text[], $3::text[]) with ordinality as given (purpose, subject, handle, place)
  ), locked as (
    select purpose, subject, handle, place from one_time_code join given using (purpose, subject, handle)
    order by purpose, subject, handle for update of one_time_code
  )`;
const IS_LOCKED = 'c.purpose = locked.purpose and c.subject = locked.subject and c.handle = locked.handle';
/** SQL: further data to which the hashes of stored codes are bound. */
const BOUND = `select given.place::int as place, c.expires_at as "expiresAt", c.referral_code as "referralCode"
  from unnest($1::text[], $2::text[], $3::text[]) with ordinality as given (purpose, subject, handle, place)
  join one_time_code c using (purpose, subject, handle) order by given.place`;
/** SQL: true if the row has the hash of the given code, under any version of the server's key. */
const IS_RIGHT = 'c.code_hash = any (($4::bytea[])[(locked.place - 1) * $6 + 1 : locked.place * $6])';
// SQL: checks each code and counts wrong tries. The rows of right codes are locked, too, so that at most five of many
// concurrent guesses are compared.
const TRY = `${GIVEN}
  update one_time_code c set tries = tries + case when ${IS_RIGHT} then 0 else 1 end
  from locked where ${IS_LOCKED} and c.expires_at > clock_now() and c.expires_at = ($7::timestamptz[])[locked.place] and c.tries < $5
  returning locked.place::int as place, ${IS_RIGHT} as "isRight", c.tries`;
const SPEND = `${GIVEN} delete from one_time_code c using locked where ${IS_LOCKED}
  returning locked.place::int as place, c.referral_code as code`;

const named = (codes: readonly CodeFor[]): string[][] => [
  codes.map(({ purpose }) => purpose),
  codes.map(({ subject }) => subject),
  codes.map(({ handle = '' }) => handle),
];

/**
 * Deletes a checked code, in the transaction of the action that the code allows. Returns the referral code that was stored with
 * the code. Throws `code_expired` if a concurrent request has used the code.
 */
export async function spendCode(tx: Tx, code: CodeFor): Promise<string | undefined> {
  const [spent] = await spendCodes(tx, [code]);
  if (!spent) throw new Problem('code_expired');
  return spent.code ?? undefined;
}

/** Deletes several codes as `spendCode` does. Returns undefined for a code that a concurrent request has used. */
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
 * Returns the values that a code's hash covers: purpose, subject, browser, code, expiry and referral code. A row that was moved
 * to another subject or prolonged by SQL therefore matches no code.
 */
const partsOf = ({ purpose, subject, handle = '' }: CodeFor, code: string, { expiresAt, referralCode }: Bound): string[] => [
  ...[purpose, subject, handle, code, expiresAt.toISOString(), referralCode ?? ''],
];
const secondsOn = (from: Date, seconds: number): Date => new Date(from.getTime() + seconds * 1_000);
