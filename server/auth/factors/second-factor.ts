// Sets up, checks and switches off the second factor of an account. sign-in.ts and step-up.ts decide when the second factor is
// required. Codes depend on the machine's clock, since authenticators use real time.

import { Problem } from '@kurs/contract';
import { type Db, type Sealer, type Statements, type Tx, createLimiter, wallClock } from '../../platform/index.ts';
import { changeHolder } from '../accounts/holder-mac.ts';
import { hashOfRecovery, hashesOfRecovery, looksLikeRecovery, newRecoveryCodes } from './recovery-codes.ts';
import { newSecret, stepOfCode } from './totp.ts';

/** Limit of wrong codes for one counter (`Trying.whose`). */
const TRIES = { max: 5, seconds: 900 };
/**
 * Limit of wrong codes of one holder in this process. This count is separate from the counters in the database, so deleting
 * counters by SQL gains nothing. The limit is far above `TRIES`.
 */
const HERE = { max: 100, seconds: 3_600 };
const triedHere = createLimiter();

/**
 * A code of the second factor that was found right, and the name of the counter of its tries (`whose`). The code has an effect
 * only after `spendFactor`, which fails if the secret has changed since the check.
 */
export type Factor = { readonly whose: string } & (
  | { readonly by: 'authenticator'; readonly step: number; readonly secret: Buffer }
  | { readonly by: 'recovery'; readonly hash: Buffer; readonly used: Buffer }
);

/**
 * A code to check, and the name of the counter of its tries (`whose`): `session …`, `order …`, or the result of `trierOf` at
 * sign-in.
 */
export interface Trying {
  readonly code: string;
  readonly whose: string;
}

/** True if the account requires a second factor. */
export async function isSecondFactorOn(db: Statements, holderId: string): Promise<boolean> {
  return (await withSecondFactor(db, [holderId])).has(holderId);
}

/** Returns the ids, among those given, of accounts that require a second factor. */
export async function withSecondFactor(db: Statements, holderIds: readonly string[]): Promise<Set<string>> {
  const rows = await db.rows<{ id: string }>(
    'select holder_id as id from second_factor where holder_id = any ($1::uuid[]) and enabled_at is not null',
    [holderIds],
    { name: 'auth.with_second_factor' },
  );
  return new Set(rows.map(({ id }) => id));
}

/** Returns the time since when an account requires a second factor; undefined if the account requires none. */
export async function secondFactorSince(db: Statements, holderId: string): Promise<Date | undefined> {
  const row = await db.row<{ at: Date }>(
    'select enabled_at as at from second_factor where holder_id = $1 and enabled_at is not null',
    [holderId],
  );
  return row?.at;
}

/** Returns the number of an account's unused recovery codes. */
export async function recoveryCodesLeft(db: Statements, holderId: string): Promise<number> {
  const row = await db.row<{ left: number }>(
    'select count(*)::int as left from recovery_code where holder_id = $1 and used_at is null',
    [holderId],
  );
  return row?.left ?? 0;
}

/**
 * Creates the secret of a new second factor. The factor is switched on later, by its first code (`enableSecondFactor`). Throws
 * `two_factor_on` if a second factor is on.
 */
export async function beginSecondFactor(tx: Tx, sealer: Sealer, holderId: string): Promise<Buffer> {
  const secret = newSecret();
  const made = await tx.run(
    `insert into second_factor (holder_id, secret, made_at) values ($1, $2, $3)
     on conflict (holder_id) do update set secret = excluded.secret, made_at = excluded.made_at, last_step = 0
     where second_factor.enabled_at is null`,
    [holderId, sealer.seal(secret, rowOf(holderId)), tx.now],
  );
  if (made === 0) throw new Problem('two_factor_on');
  return secret;
}

/**
 * Checks the first code of a new secret. Returns recovery codes, which are shown only this once, and a function that switches
 * the second factor on. Throws `two_factor_on` if a second factor is on, `two_factor_off` if there is no new secret, and the
 * errors of `tryFactor`.
 */
export async function enableSecondFactor(
  db: Db,
  sealer: Sealer,
  holderId: string,
  trying: Trying,
): Promise<{
  codes: string[];
  enable: (tx: Tx) => Promise<void>;
}> {
  if (await isSecondFactorOn(db, holderId)) throw new Problem('two_factor_on');
  const factor = await tryFactor(db, sealer, holderId, { ...trying, isWaiting: true });
  const codes = newRecoveryCodes();
  const enable = async (tx: Tx): Promise<void> => {
    await lockHolder(tx, holderId);
    await changeHolder(tx, holderId, ({ factorSince }) => (factorSince === null ? { factorSince: tx.now } : undefined));
    const enabled = await tx.run('update second_factor set enabled_at = $2 where holder_id = $1 and enabled_at is null', [
      holderId,
      tx.now,
    ]);
    if (enabled === 0) throw new Problem('two_factor_on');
    await spendFactor(tx, holderId, factor);
    await storeRecoveryCodes(tx, holderId, codes);
  };
  return { codes, enable };
}

/**
 * Checks a code of the authenticator. Returns new recovery codes, which are shown only this once, and a function that stores
 * them in place of the old recovery codes. An old recovery code is refused as proof, since a stranger who found one could
 * otherwise keep access. Throws the errors of `tryFactor`.
 */
export async function renewRecoveryCodes(
  db: Db,
  sealer: Sealer,
  holderId: string,
  trying: Trying,
): Promise<{ codes: string[]; renew: (tx: Tx) => Promise<void> }> {
  const factor = await tryFactor(db, sealer, holderId, trying);
  if (factor.by === 'recovery') throw new Problem('two_factor_wrong');
  const codes = newRecoveryCodes();
  const renew = async (tx: Tx): Promise<void> => {
    await lockHolder(tx, holderId);
    await spendFactor(tx, holderId, factor);
    await tx.run('delete from recovery_code where holder_id = $1', [holderId]);
    await storeRecoveryCodes(tx, holderId, codes);
  };
  return { codes, renew };
}

const storeRecoveryCodes = (tx: Tx, holderId: string, codes: readonly string[]): Promise<number> =>
  tx.run('insert into recovery_code (holder_id, code_hash) select $1, unnest($2::bytea[])', [
    holderId,
    codes.map((each) => hashOfRecovery(holderId, each)),
  ]);

/**
 * Checks a code. An unused recovery code is right, and so is a code of the authenticator that is newer than the last accepted
 * code. A wrong try is counted in its own transaction, so that no rollback undoes the count. A code that was used already, for
 * example by a duplicate request, is refused but not counted.
 *
 * Throws `two_factor_off`, `two_factor_wrong`, and `rate_limited` after five wrong tries of the same session, browser or order.
 */
export async function tryFactor(
  db: Db,
  sealer: Sealer,
  holderId: string,
  { code, whose, isWaiting = false }: Trying & { readonly isWaiting?: boolean },
): Promise<Factor> {
  const outcome = await db.tx(async (tx) => {
    const row = await tx.row<{ secret: Buffer; last_step: string }>(
      'select secret, last_step from second_factor where holder_id = $1 and (enabled_at is null) = $2 for no key update',
      [holderId, isWaiting],
    );
    if (!row) return new Problem('two_factor_off');
    // Only checks the limit. `countWrong` counts the try if the code is wrong. The row is locked, so no other try is counted in
    // between.
    void triedHere.take(holderId, HERE).undo();
    if (await isLocked(tx, holderId, whose)) return new Problem('rate_limited', { retryAfter: TRIES.seconds, max: TRIES.max });
    const secret = sealer.open(row.secret, rowOf(holderId));
    const found = await factorOf(tx, holderId, { code, secret, after: Number.parseInt(row.last_step, 10), isWaiting });
    if (found === 'wrong') await countWrong(tx, holderId, whose);
    if (typeof found === 'string') return new Problem('two_factor_wrong');
    return found.by === 'recovery' ? { ...found, whose } : { ...found, secret: row.secret, whose };
  });
  if (outcome instanceof Problem) throw outcome;
  return outcome;
}

type Found =
  | { readonly by: 'authenticator'; readonly step: number }
  | { readonly by: 'recovery'; readonly hash: Buffer; readonly used: Buffer };

async function factorOf(
  tx: Tx,
  holderId: string,
  { code, secret, after, isWaiting }: { code: string; secret: Buffer; after: number; isWaiting: boolean },
): Promise<Found | 'used' | 'wrong'> {
  if (!isWaiting && looksLikeRecovery(code)) {
    const { good, used } = hashesOfRecovery(holderId, code);
    const stored = await tx.row<{ hash: Buffer; isGood: boolean }>(
      `select code_hash as hash, code_hash = any ($2) and used_at is null as "isGood" from recovery_code
       where holder_id = $1 and (code_hash = any ($2) or code_hash = any ($3))`,
      [holderId, good, used],
    );
    if (stored) return stored.isGood ? { by: 'recovery', hash: stored.hash, used: used[0]! } : 'used';
  }
  const at = wallClock();
  const step = stepOfCode(secret, code, { at, after });
  if (step !== undefined) return { by: 'authenticator', step };
  return stepOfCode(secret, code, { at, after: 0 }) === undefined ? 'wrong' : 'used';
}

async function isLocked(tx: Tx, holderId: string, whose: string): Promise<boolean> {
  const row = await tx.row('select 1 from factor_tries where holder_id = $1 and whose = $2 and tries >= $3 and since > $4', [
    ...[holderId, whose, TRIES.max],
    lastWindow(tx),
  ]);
  return row !== undefined;
}

async function countWrong(tx: Tx, holderId: string, whose: string): Promise<void> {
  triedHere.take(holderId, HERE);
  await tx.run(
    `insert into factor_tries as f (holder_id, whose, tries, since) values ($1, $2, 1, $3)
     on conflict (holder_id, whose) do update set
       tries = case when f.since > $4 then f.tries + 1 else 1 end,
       since = case when f.since > $4 then f.since else excluded.since end`,
    [holderId, whose, tx.now, lastWindow(tx)],
  );
}

const lastWindow = ({ now }: Tx): Date => new Date(now.getTime() - TRIES.seconds * 1_000);

/**
 * Uses up a checked code, in the transaction of the action that the code allows. Throws `two_factor_wrong` if a concurrent
 * request has used the code, or if the secret has changed.
 */
export async function spendFactor(tx: Tx, holderId: string, factor: Factor): Promise<void> {
  const spent =
    factor.by === 'authenticator'
      ? await tx.run(
          `update second_factor set last_step = $2
           where holder_id = $1 and last_step < $2 and enabled_at is not null and secret = $3`,
          [holderId, factor.step, factor.secret],
        )
      : await tx.run(
          `update recovery_code set used_at = $3, code_hash = $4 where holder_id = $1 and code_hash = $2 and used_at is null`,
          [holderId, factor.hash, tx.now, factor.used],
        );
  if (spent === 0) throw new Problem('two_factor_wrong');
  await tx.run('delete from factor_tries where holder_id = $1 and whose = $2', [holderId, factor.whose]);
}

/** Switches the second factor off and deletes its secret and recovery codes. */
export async function dropSecondFactor(tx: Tx, holderId: string): Promise<void> {
  await lockHolder(tx, holderId);
  await changeHolder(tx, holderId, () => ({ factorSince: null }));
  await tx.run('delete from second_factor where holder_id = $1', [holderId]);
}

/**
 * Locks an account while a session begins or the second factor is switched on or off, so that no session begins on outdated
 * facts. Other transactions may still insert rows that refer to the account, so two holders who pay each other don't wait for
 * each other.
 */
export async function lockHolder(tx: Tx, holderId: string): Promise<void> {
  await lockHolders(tx, [holderId]);
}

/** Locks several accounts as `lockHolder` does, in the order of their ids. */
export async function lockHolders(tx: Tx, holderIds: readonly string[]): Promise<void> {
  await tx.run('select from account_holder where id = any ($1::uuid[]) order by id for no key update', [holderIds], {
    name: 'auth.lock_holders',
  });
}

/** Identity to which a sealed secret is bound. In another account's row the secret can't be decrypted. */
const rowOf = (holderId: string): string[] => ['second_factor', holderId];
