import type { Statements, Tx } from '../../platform/index.ts';

/** A security event of an account. */
export interface SecurityNotice {
  readonly id: string;
  readonly kind: string;
  /** Network address of the request; undefined if the product itself acted. */
  readonly ip: string | undefined;
  readonly at: Date;
}

/** Stores a notice of an account holder. */
export async function storeNotice(
  tx: Tx,
  given: { id: string; holderId: string; kind: string; ip: string | undefined },
): Promise<void> {
  const { id, holderId, kind, ip } = given;
  await tx.run('insert into account_notice (id, holder_id, kind, ip, at) values ($1, $2, $3, $4, $5)', [
    ...[id, holderId, kind],
    ip ?? null,
    tx.now,
  ]);
}

/** Returns the newest notices of an account, newest first, at most `limit`. */
export async function securityNotices(db: Statements, holderId: string, limit: number): Promise<SecurityNotice[]> {
  const rows = await db.rows<Omit<SecurityNotice, 'ip'> & { ip: string | null }>(
    `select id, kind, host(ip) as ip, at from account_notice where holder_id = $1 order by at desc, id desc limit $2`,
    [holderId, limit],
    { name: 'auth.notices' },
  );
  return rows.map((row) => ({ ...row, ip: row.ip ?? undefined }));
}

/** Returns the time up to which the holder has read notices; undefined if the holder has read no notice yet. */
export async function noticesSeenAt(db: Statements, holderId: string): Promise<Date | undefined> {
  const row = await db.row<{ at: Date | null }>('select notices_seen_at as at from account_holder where id = $1', [holderId]);
  return row?.at ?? undefined;
}

/** Marks all notices of the account as read. */
export async function seeNotices(db: Statements, holderId: string, now: Date): Promise<void> {
  await db.run('update account_holder set notices_seen_at = greatest(notices_seen_at, $2) where id = $1', [holderId, now]);
}

/** Returns a change token for each holder, which differs after a new notice, and after a change of their roles on resources. */
export async function securityChangeTokens(db: Statements, holderIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.rows<{ id: string; token: string }>(
    `select given.id, concat_ws(' ',
       (select id::text from account_notice where holder_id = given.id order by at desc, id desc limit 1),
       (select max(seq) from resource_grant where holder_id = given.id)) as token
     from unnest($1::uuid[]) as given (id)`,
    [holderIds],
    { name: 'auth.change_tokens' },
  );
  return new Map(rows.map(({ id, token }) => [id, token]));
}
