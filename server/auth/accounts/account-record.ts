import type { Statements } from '../../platform/index.ts';

/** This room's part of an account's export: all its sessions, keys, grants and notices, without secrets. */
export interface AccountRecord {
  readonly sign_in: Readonly<Record<string, string | null>>;
  readonly sessions: readonly Readonly<Record<string, string | null>>[];
  readonly api_keys: readonly Readonly<Record<string, string | null>>[];
  readonly grants: readonly Readonly<Record<string, string | null>>[];
  readonly notices: readonly Readonly<Record<string, string | null>>[];
}

/** Returns this room's part of an account's export. Times are in RFC 3339. */
export async function accountRecord(db: Statements, holderId: string): Promise<AccountRecord> {
  const sign = await db.row<Record<string, Date | string | null>>(
    `select h.email_verified_at, h.password_set_at, h.created_at,
       (select enabled_at from second_factor f where f.holder_id = h.id) as two_factor_since,
       (select linked_at from google_account g where g.holder_id = h.id) as google_linked_at,
       (select by.referral_code from account_holder by where by.id = h.referred_by) as referred_by
     from account_holder h where h.id = $1`,
    [holderId],
  );
  const sessions = await db.rows<Record<string, Date | string | null>>(
    `select device, host(ip) as ip, created_at, seen_at, ended_at from session where holder_id = $1 order by created_at`,
    [holderId],
  );
  const keys = await db.rows<Record<string, Date | string | null>>(
    `select name, hint, array_to_string(scopes, ' ') as scopes, array_to_string(networks, ' ') as networks, created_at, expires_at, used_at,
       host(used_from) as used_from, revoked_at
     from api_key where holder_id = $1 and resource_kind is null order by created_at`,
    [holderId],
  );
  const grants = await db.rows<Record<string, Date | string | null>>(
    `select resource_kind, resource_id, role, since from resource_grant where holder_id = $1 order by seq`,
    [holderId],
  );
  const notices = await db.rows<Record<string, Date | string | null>>(
    `select kind, host(ip) as ip, at from account_notice where holder_id = $1 order by at`,
    [holderId],
  );
  return {
    sign_in: written(sign ?? {}),
    sessions: sessions.map(written),
    api_keys: keys.map(written),
    grants: grants.map(written),
    notices: notices.map(written),
  };
}

const written = (row: Readonly<Record<string, Date | string | null>>): Record<string, string | null> =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]));
