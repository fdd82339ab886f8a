// The second factor of an account: set up, tried, spent, switched off. Where it is asked for is decided in sign-in.ts and
// step-up.ts. An authenticator keeps the world's time, so its codes go by the machine's clock.

import { Problem } from '@kurs/contract';
import { type Db, type Sealer, type Statements, type Tx, wallClock } from '../platform/index.ts';
import { hashOfRecovery, looksLikeRecovery, newRecoveryCodes } from './recovery-codes.ts';
import { newSecret, stepOfCode } from './totp.ts';

/** Tries within a time, right ones not counted, after which the next has to wait. */
const TRIES = { most: 5, seconds: 900 };

/** A factor that was right when it was tried; it is good once it is spent. */
export type Factor = { readonly by: 'authenticator'; readonly step: number } | { readonly by: 'recovery'; readonly hash: Buffer };

/** Whether an account asks for a second factor. */
export async function isSecondFactorOn(db: Statements, holderId: string): Promise<boolean> {
  const row = await db.row('select 1 from second_factor where holder_id = $1 and enabled_at is not null', [holderId]);
  return row !== undefined;
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
    [holderId, sealed(sealer, holderId, secret), tx.now],
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
  code: string,
): Promise<{
  codes: string[];
  enable: (tx: Tx) => Promise<void>;
}> {
  if (await isSecondFactorOn(db, holderId)) throw new Problem('two_factor_on');
  const factor = await tryFactor(db, sealer, holderId, code, { waiting: true });
  const codes = newRecoveryCodes();
  const enable = async (tx: Tx): Promise<void> => {
    await lockHolder(tx, holderId);
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
 * One of those doesn't do: whoever found one would keep the way in. Throws as `tryFactor` does.
 */
export async function renewRecoveryCodes(
  db: Db,
  sealer: Sealer,
  holderId: string,
  code: string,
): Promise<{ codes: string[]; renew: (tx: Tx) => Promise<void> }> {
  const factor = await tryFactor(db, sealer, holderId, code);
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
 * Counts a try, in a transaction of its own so that a refusal can't undo it, and says what a code is: one of the authenticator
 * that is no older than the last accepted, or a recovery code that was not used. Throws `two_factor_off`,
 * `two_factor_wrong`, and `rate_limited` after five wrong ones.
 */
export async function tryFactor(
  db: Db,
  sealer: Sealer,
  holderId: string,
  code: string,
  { waiting = false }: { waiting?: boolean } = {},
): Promise<Factor> {
  const { secret, last_step } = await countTry(db, holderId, waiting);
  if (!waiting && looksLikeRecovery(code)) {
    const hash = hashOfRecovery(holderId, code);
    const found = await db.row('select 1 from recovery_code where holder_id = $1 and code_hash = $2 and used_at is null', [
      holderId,
      hash,
    ]);
    if (found) return { by: 'recovery', hash };
  }
  const step = stepOfCode(opened(sealer, holderId, secret), code, { at: wallClock(), after: last_step });
  if (step === undefined) throw new Problem('two_factor_wrong');
  return { by: 'authenticator', step };
}

async function countTry(db: Db, holderId: string, waiting: boolean): Promise<{ secret: Buffer; last_step: number }> {
  const now = await db.now();
  const since = new Date(now.getTime() - TRIES.seconds * 1_000);
  const row = await db.row<{ secret: Buffer; last_step: string }>(
    `update second_factor set
       tries = case when tries_since > $3 then tries + 1 else 1 end,
       tries_since = case when tries_since > $3 then tries_since else $2 end
     where holder_id = $1 and (enabled_at is null) = $5 and (tries < $4 or tries_since is null or tries_since <= $3)
     returning secret, last_step`,
    [holderId, now, since, TRIES.most, waiting],
  );
  if (row) return { secret: row.secret, last_step: Number.parseInt(row.last_step, 10) };
  const there = await db.row('select 1 from second_factor where holder_id = $1 and (enabled_at is null) = $2', [
    holderId,
    waiting,
  ]);
  throw there ? new Problem('rate_limited', { retryAfter: TRIES.seconds, most: TRIES.most }) : new Problem('two_factor_off');
}

/** A factor is good once: spends it in the transaction of what it allowed. Throws `two_factor_wrong` where a twin was faster. */
export async function spendFactor(tx: Tx, holderId: string, factor: Factor): Promise<void> {
  const spent =
    factor.by === 'authenticator'
      ? await tx.run(
          `update second_factor set last_step = $2, tries = 0, tries_since = null
           where holder_id = $1 and last_step < $2 and enabled_at is not null`,
          [holderId, factor.step],
        )
      : await tx.run(`update recovery_code set used_at = $3 where holder_id = $1 and code_hash = $2 and used_at is null`, [
          holderId,
          factor.hash,
          tx.now,
        ]);
  if (spent === 0) throw new Problem('two_factor_wrong');
  if (factor.by === 'recovery')
    await tx.run('update second_factor set tries = 0, tries_since = null where holder_id = $1', [holderId]);
}

/** Switches it off: its secret and its recovery codes are gone. */
export async function dropSecondFactor(tx: Tx, holderId: string): Promise<void> {
  await lockHolder(tx, holderId);
  await tx.run('delete from second_factor where holder_id = $1', [holderId]);
}

/**
 * Whoever begins a session and whoever switches the second factor come one after the other, so that none begins on what no
 * longer holds.
 */
export async function lockHolder(tx: Tx, holderId: string): Promise<void> {
  await tx.run('select 1 from account_holder where id = $1 for update', [holderId]);
}

/** A secret is sealed together with whose it is: in another's row it opens nothing. */
const sealed = (sealer: Sealer, holderId: string, secret: Buffer): Buffer =>
  sealer.seal(Buffer.concat([Buffer.from(holderId), secret]));

function opened(sealer: Sealer, holderId: string, kept: Buffer): Buffer {
  const plain = sealer.open(kept);
  const owner = Buffer.from(holderId);
  if (!plain.subarray(0, owner.length).equals(owner)) throw new Error('a second factor stands in another’s row');
  return plain.subarray(owner.length);
}
