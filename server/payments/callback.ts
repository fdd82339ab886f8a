import { createHash } from 'node:crypto';
import { type Db, type Statements, log, newId } from '../platform/index.ts';

/** A provider's message as it came. */
export interface Callback {
  readonly raw: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a rail's own check of a callback says: is it the provider's, and which of our places does it speak of? */
export interface CallbackProof {
  readonly proven: boolean;
  readonly to?: string;
}

export type CallbackCheck = (callback: Callback) => CallbackProof;

const LARGEST = 65_536;
const KEEP_TRYING_HOURS = 24;

/**
 * Keeps a provider's message before it is answered, whether or not it can be proven. The same bytes again are counted,
 * not kept twice. It is a hint and nothing more: a loop has the place looked at, and only what the rail then shows
 * counts. Gives false for what is too large to be kept.
 */
export async function receiveCallback(db: Statements, rail: string, callback: Callback, check: CallbackCheck): Promise<boolean> {
  if (callback.raw.length > LARGEST) return false;
  const { proven, to } = check(callback);
  const digest = createHash('sha256').update(callback.raw).digest();
  await db.run(
    `insert into callback (id, rail, digest, raw, headers, proven, target, received_at, due_at, outcome)
     values ($1, $2, $3, $4, $5, $6, $7, clock_now(), case when $6 then clock_now() end, case when $6 then null else 'not_proven' end)
     on conflict (rail, digest) do update set copies = callback.copies + 1,
       due_at = case when callback.proven then clock_now() end`,
    [newId(), rail, digest, Buffer.from(callback.raw), JSON.stringify(callback.headers), proven, to ?? null],
  );
  return true;
}

/**
 * Applies callbacks that are due: their places are looked at now. One whose place isn't known (it came before our own
 * commit) is tried again for 24 hours, then given up with an alarm. Gives how many were applied.
 */
export async function applyCallbacks(db: Db): Promise<number> {
  return db.tx(async (tx) => {
    const due = await tx.rows<{ id: string; rail: string; target: string | null; tries: number; is_old: boolean }>(
      `select id, rail, target, tries, received_at < $1::timestamptz - $2 * interval '1 hour' as is_old from callback
       where due_at <= $1 order by due_at limit 256 for update skip locked`,
      [tx.now, KEEP_TRYING_HOURS],
    );
    let applied = 0;
    for (const { id, rail, target, tries, is_old: isOld } of due) {
      const places = await tx.run(
        `update place set due_at = least(due_at, $3), asked = true where rail = $1 and to_text = $2 and owner_id is not null`,
        [rail, target, tx.now],
      );
      const outcome = places > 0 ? 'applied' : isOld ? 'unknown' : null;
      if (outcome === 'applied') applied += 1;
      if (outcome === 'unknown') log.alarm('callback speaks of no place of ours', { callback: id, rail });
      await tx.run(
        `update callback set tries = tries + 1, outcome = $2,
           due_at = case when $2::text is null then $3::timestamptz + least(3600, 2 ^ least($4::int, 12)) * interval '1 second' end
         where id = $1`,
        [id, outcome, tx.now, tries],
      );
    }
    return applied;
  });
}
