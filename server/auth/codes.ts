import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { Problem } from '@kurs/contract';
import type { Db, Tx } from '../platform/index.ts';

/** Seconds for which a code is good, seconds until another may be asked for, tries that one code has. */
export const CODE = { seconds: 600, resendSeconds: 60, tries: 5 } as const;

/** What a code allows; one that was mailed for one purpose is worth nothing for another. */
export type CodePurpose = 'order' | 'sign_up' | 'password_reset' | 'verify_email' | 'new_email' | 'google_link' | StepUpPurpose;

/** What an account holder confirms once more. */
export type StepUpPurpose = 'money_out' | 'change_email' | 'close_account' | 'guard_account';

/** What a code is for, and about which row or address. */
export interface CodeFor {
  readonly purpose: CodePurpose;
  readonly subject: string;
}

/**
 * Makes a new six-digit code in place of any older one, and notes whose referral code its asker came with. Throws
 * `rate_limited` within a minute of the last.
 */
export async function makeCode(tx: Tx, { purpose, subject }: CodeFor, referralCode?: string): Promise<string> {
  const code = randomInt(0, 1_000_000).toString().padStart(6, '0');
  const made = await tx.run(
    `insert into one_time_code (purpose, subject, code_hash, made_at, expires_at, referral_code) values ($1, $2, $3, $4, $5, $7)
     on conflict (purpose, subject) do update set code_hash = excluded.code_hash, made_at = excluded.made_at,
       expires_at = excluded.expires_at, referral_code = excluded.referral_code, tries = 0
     where one_time_code.made_at <= $6`,
    [
      purpose,
      subject,
      hashOf({ purpose, subject }, code),
      tx.now,
      secondsOn(tx.now, CODE.seconds),
      secondsOn(tx.now, -CODE.resendSeconds),
      referralCode ?? null,
    ],
  );
  if (made === 0) throw new Problem('rate_limited', { retryAfter: CODE.resendSeconds, most: 1 });
  return code;
}

/**
 * Counts a try, in a transaction of its own so that a refusal can't undo it, and says whether the code is right.
 * Throws `code_required` without one, `code_expired` for none that is good, `code_wrong` with the tries left.
 */
export async function tryCode(db: Db, { purpose, subject }: CodeFor, code: string | undefined): Promise<void> {
  if (code === undefined) throw new Problem('code_required');
  const now = await db.now();
  const row = await db.row<{ code_hash: Buffer; tries: number }>(
    `update one_time_code set tries = tries + 1 where purpose = $1 and subject = $2 and expires_at > $3 and tries < $4
     returning code_hash, tries`,
    [purpose, subject, now, CODE.tries],
  );
  if (!row) throw new Problem('code_expired');
  if (!timingSafeEqual(row.code_hash, hashOf({ purpose, subject }, code))) {
    throw new Problem('code_wrong', { params: { tries: String(CODE.tries - row.tries) } });
  }
}

/**
 * A code is good once: spends it in the transaction of what it allowed, and gives the referral code that was noted with it.
 * Throws `code_expired` where a twin was faster.
 */
export async function spendCode(tx: Tx, { purpose, subject }: CodeFor): Promise<string | undefined> {
  const spent = await tx.row<{ code: string | null }>(
    'delete from one_time_code where purpose = $1 and subject = $2 returning referral_code as code',
    [purpose, subject],
  );
  if (!spent) throw new Problem('code_expired');
  return spent.code ?? undefined;
}

const hashOf = ({ purpose, subject }: CodeFor, code: string): Buffer =>
  createHash('sha256').update(`${purpose} ${subject} ${code}`).digest();
const secondsOn = (from: Date, seconds: number): Date => new Date(from.getTime() + seconds * 1_000);
