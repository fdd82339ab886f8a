import { resourcesOf } from '../auth/index.ts';
import type { Holder } from '../collecting/index.ts';
import type { Statements } from '../platform/index.ts';
import { newestEventsOf } from './rows/event-rows.ts';
import { STORE } from './stores/store.ts';

/**
 * Returns a change token for each holder: it differs after a change of the holder's business, of an invitation to their address,
 * and of an invoice of a store in which they have a role. Two queries serve all holders, and a third those with stores.
 */
export async function gateChangeTokens(db: Statements, holders: readonly Holder[]): Promise<Map<string, string>> {
  const ids = holders.map(({ id }) => id);
  const rows = await db.rows<{ id: string; token: string }>(
    `select given.id, concat_ws(' ',
       (select string_agg(concat_ws(' ', state, state_at), ',' order by id) from business where holder_id = given.id),
       (select string_agg(id::text, ',' order by id) from store_invitation
        where email_key = given.mailbox and ended_at is null and expires_at > clock_now())) as token
     from unnest($1::uuid[], $2::text[]) as given (id, mailbox)`,
    [ids, holders.map(({ mailbox }) => mailbox ?? null)],
    { name: 'gate.change_tokens' },
  );
  const stores = await resourcesOf(db, ids, STORE);
  const events = await newestEventsOf(db, [...new Set([...stores.values()].flat())]);
  const ofStores = (holder: string): string => (stores.get(holder) ?? []).map((id) => events.get(id) ?? '').join(' ');
  return new Map(rows.map(({ id, token }) => [id, `${token} ${ofStores(id)}`]));
}
