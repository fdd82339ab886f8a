import type { Statements, Tx } from '../../platform/index.ts';

/** Marks a challenge as used until it expires. Returns false if it was used before. Also deletes some expired challenges. */
export async function useChallenge(tx: Tx, challenge: string, expiresAt: Date): Promise<boolean> {
  await tx.run(
    `delete from bot_use where challenge in
       (select challenge from bot_use where expires_at < $1 order by expires_at limit 20 for update skip locked)`,
    [tx.now],
  );
  return (
    (await tx.run('insert into bot_use (challenge, expires_at) values ($1, $2) on conflict do nothing', [
      challenge,
      expiresAt,
    ])) === 1
  );
}

/** Returns the number of used challenges that have not expired, counted up to `max`. */
export async function countUsedChallenges(db: Statements, now: Date, max: number): Promise<number> {
  const row = await db.row<{ used: number }>(
    'select count(*)::int as used from (select from bot_use where expires_at > $1 limit $2) as used',
    [now, max],
    { name: 'compliance.used_challenges' },
  );
  return row?.used ?? 0;
}
