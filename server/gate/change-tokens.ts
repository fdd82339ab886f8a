import type { Holder } from '../collecting/index.ts';
import type { Statements } from '../platform/index.ts';

/**
 * Returns a change token for each holder: it differs after a change of the holder's business, or of an invitation to their
 * address. One query serves all holders.
 */
export async function gateChangeTokens(db: Statements, holders: readonly Holder[]): Promise<Map<string, string>> {
  const rows = await db.rows<{ id: string; token: string }>(
    `select given.id, concat_ws(' ',
       (select string_agg(concat_ws(' ', state, state_at), ',' order by id) from business where holder_id = given.id),
       (select string_agg(id::text, ',' order by id) from store_invitation
        where email_key = given.mailbox and ended_at is null and expires_at > clock_now())) as token
     from unnest($1::uuid[], $2::text[]) as given (id, mailbox)`,
    [holders.map(({ id }) => id), holders.map(({ mailbox }) => mailbox ?? null)],
    { name: 'gate.change_tokens' },
  );
  return new Map(rows.map(({ id, token }) => [id, token]));
}
