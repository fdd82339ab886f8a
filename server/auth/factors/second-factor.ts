// The second factor of an account: set up, tried, spent, switched off. Where it is asked for is decided in sign-in.ts and
// step-up.ts. An authenticator keeps the world's time, so its codes go by the machine's clock.

import { Problem } from '@kurs/contract';
import { type Db, type Sealer, type Statements, type Tx, createLimiter, wallClock } from '../../platform/index.ts';
import { changeHolder } from '../accounts/holder-mac.ts';
import { hashOfRecovery, hashesOfRecovery, looksLikeRecovery, newRecoveryCodes } from './recovery-codes.ts';
import { newSecret, stepOfCode } from './totp.ts';

/** Tries within a time, right ones not counted, after which the next has to wait. */
const TRIES = { most: 5, seconds: 900 };
/**
 * Wrong tries of one holder that this process answers, whatever the database says of them: somebody who deletes the counters there
 * gets no more. Nobody comes near it by the counters alone.
 */
const HERE = { most: 100, seconds: 3_600 };
const triedHere = createLimiter();

/**
 * A factor that was right when it was tried, and the counter of its tries. It counts once it is spent, and only for the secret,
 * as it is kept, that it was tried on.
 */
export type Factor = { readonly whose: string } & (
  | { readonly by: 'authenticator'; readonly step: number; readonly secret: Buffer }
  | { readonly by: 'recovery'; readonly hash: Buffer; readonly used: Buffer }
);

/** What is tried, and the counter of its tries: `session …`, `order …`, or by `trierOf` for the person who signs in. */
export interface Trying {
  readonly code: string;
  readonly whose: string;
}

/** Whether an account asks for a second factor. */
export async function isSecondFactorOn(db: Statements, holderId: string): Promise<boolean> {
  return (await withSecondFactor(db, [holderId])).has(holderId);
}

/** Those of some accounts that ask for a second factor. */
export async function withSecondFactor(db: Statements, holderIds: readonly string[]): Promise<Set<string>> {
  const rows = await db.rows<{ id: string }>(
    'select holder_id as id from second_factor where holder_id = any ($1::uuid[]) and enabled_at is not null',
    [holderIds],
    { name: 'auth.with_second_factor' },
  );
  return new Set(rows.map(({ id }) => id));
}

/** Since when an account asks for its second factor; undefined where it doesn't. */
export async function secondFactorSince(db: Statements, holderId: string): Promise<Date | undefined> {
  const row = await db.row<{ at: Date }>(
    'select enabled_at as at from second_factor where holder_id = $1 and enabled_at is not null',
    [holderId],
  );
  return row?.at;
}

/** How many recovery codes of an account were not used yet. */
export async function recoveryCodesLeft(db: Statements, holderId: string): Promise<number> {
  const row = await db.row<{ left: number }>(
    'select count(*)::int as left from recovery_code where holder_id = $1 and used_at is null',
    [holderId],
  );
  return row?.left ?? 0;
}

/** Makes a new secret that waits for its first code. Throws `two_factor_on` where one is in use. */
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
 * Switches the secret that waits on, by its first code, and gives the recovery codes, which are shown this once. Throws
 * `two_factor_on`, `two_factor_off` where none waits, and as `tryFactor` does.
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
  const factor = await tryFactor(db, sealer, holderId, { ...trying, waiting: true });
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
    await keepRecoveryCodes(tx, holderId, codes);
  };
  return { codes, enable };
}

/**
 * Makes new recovery codes by the authenticator's code, and gives them, which are shown this once; the old ones are void.
 * One of those doesn't do: anyone who found one would keep the way in. Throws as `tryFactor` does.
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
    await keepRecoveryCodes(tx, holderId, codes);
  };
  return { codes, renew };
}

const keepRecoveryCodes = (tx: Tx, holderId: string, codes: readonly string[]): Promise<number> =>
  tx.run('insert into recovery_code (holder_id, code_hash) select $1, unnest($2::bytea[])', [
    holderId,
    codes.map((each) => hashOfRecovery(holderId, each)),
  ]);

/**
 * Says what a code is: one of the authenticator that is no older than the last accepted, or a recovery code that was not used.
 * Counts a wrong one in a transaction of its own, so that a refusal can't undo it; one that is right but was used already, as
 * by a duplicate of the same request, is no wrong try. Throws `two_factor_off`, `two_factor_wrong`, and `rate_limited` after five
 * wrong ones of the same session, browser or order.
 */
export async function tryFactor(
  db: Db,
  sealer: Sealer,
  holderId: string,
  { code, whose, waiting = false }: Trying & { readonly waiting?: boolean },
): Promise<Factor> {
  const outcome = await db.tx(async (tx) => {
    const row = await tx.row<{ secret: Buffer; last_step: string }>(
      'select secret, last_step from second_factor where holder_id = $1 and (enabled_at is null) = $2 for no key update',
      [holderId, waiting],
    );
    if (!row) return new Problem('two_factor_off');
    // The row is locked, so nobody else counts a try until this transaction ends.
    void triedHere.take(holderId, HERE).undo();
    if (await isLocked(tx, holderId, whose)) return new Problem('rate_limited', { retryAfter: TRIES.seconds, most: TRIES.most });
    const secret = sealer.open(row.secret, rowOf(holderId));
    const found = await factorOf(tx, holderId, { code, secret, after: Number.parseInt(row.last_step, 10), waiting });
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
  { code, secret, after, waiting }: { code: string; secret: Buffer; after: number; waiting: boolean },
): Promise<Found | 'used' | 'wrong'> {
  if (!waiting && looksLikeRecovery(code)) {
    const { good, used } = hashesOfRecovery(holderId, code);
    const kept = await tx.row<{ hash: Buffer; isGood: boolean }>(
      `select code_hash as hash, code_hash = any ($2) and used_at is null as "isGood" from recovery_code
       where holder_id = $1 and (code_hash = any ($2) or code_hash = any ($3))`,
      [holderId, good, used],
    );
    if (kept) return kept.isGood ? { by: 'recovery', hash: kept.hash, used: used[0]! } : 'used';
  }
  const at = wallClock();
  const step = stepOfCode(secret, code, { at, after });
  if (step !== undefined) return { by: 'authenticator', step };
  return stepOfCode(secret, code, { at, after: 0 }) === undefined ? 'wrong' : 'used';
}

async function isLocked(tx: Tx, holderId: string, whose: string): Promise<boolean> {
  const row = await tx.row('select 1 from factor_tries where holder_id = $1 and whose = $2 and tries >= $3 and since > $4', [
    ...[holderId, whose, TRIES.most],
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
 * A factor is good once: spends it in the transaction of what it allowed. Throws `two_factor_wrong` where a concurrent duplicate
 * was faster, or another secret was made meanwhile.
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

/** Switches it off: its secret and its recovery codes are gone. */
export async function dropSecondFactor(tx: Tx, holderId: string): Promise<void> {
  await lockHolder(tx, holderId);
  await changeHolder(tx, holderId, () => ({ factorSince: null }));
  await tx.run('delete from second_factor where holder_id = $1', [holderId]);
}

/**
 * Anyone who begins a session and anyone who switches the second factor come one after the other, so that none begins on
 * what no longer holds. Rows that name the holder are written meanwhile: of two holders who pay each other none waits for
 * the other.
 */
export async function lockHolder(tx: Tx, holderId: string): Promise<void> {
  await lockHolders(tx, [holderId]);
}

/** Locks several as `lockHolder` does one, in the order of their ids. */
export async function lockHolders(tx: Tx, holderIds: readonly string[]): Promise<void> {
  await tx.run('select from account_holder where id = any ($1::uuid[]) order by id for no key update', [holderIds], {
    name: 'auth.lock_holders',
  });
}

/** What a secret is sealed to: in another holder's row it opens nothing. */
const rowOf = (holderId: string): string[] => ['second_factor', holderId];
