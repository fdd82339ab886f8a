// Whose tries are counted together. What a session asks is counted by the session. One that anybody with the password could
// have begun counts with all such of its account, since there may be as many of those as they like; so strangers who know the
// password use up nothing of a browser in which the holder has shown more.

import type { Statements, Tx } from '../../platform/index.ts';

/** Who confirms: an account holder, by a session. */
export interface Confirming {
  readonly id: string;
  readonly sessionId: string;
}

/** The name under which a session's own tries are counted. */
export const sessionOf = ({ sessionId }: Pick<Confirming, 'sessionId'>): string => `session ${sessionId}`;

/** Under which name the codes that a session asks for are counted. */
export async function askerOf(db: Statements, { id, sessionId }: Confirming): Promise<string> {
  const row = await db.row(
    `select 1 from session s where s.id = $1 and s.holder_id = $2 and (s.proved_at is not null or exists (
       select 1 from session k where k.holder_id = s.holder_id and k.browser = s.browser and k.proved_at is not null))`,
    [sessionId, id],
  );
  return row ? sessionOf({ sessionId }) : `others of ${id}`;
}

/**
 * Under which name the second factor's tries of the person who signs in are counted: the browser's own where the holder has
 * shown in it what no stranger has, else with all others.
 */
export async function trierOf(db: Statements, holderId: string, browser: string | undefined): Promise<string> {
  if (browser === undefined) return OTHERS;
  const row = await db.row('select 1 from session where holder_id = $1 and browser = $2 and proved_at is not null limit 1', [
    holderId,
    browser,
  ]);
  return row ? `browser ${browser}` : OTHERS;
}

const OTHERS = 'others';

/** Notes that holders have shown in these sessions what no stranger has. */
export async function proveSessions(tx: Tx, sessionIds: readonly string[]): Promise<void> {
  await tx.run(
    `update session set proved_at = $2 where id in (
       select id from session where id = any ($1::uuid[]) and proved_at is null order by id for no key update)`,
    [sessionIds.filter((id) => IS_ID.test(id)), tx.now],
    { name: 'auth.prove_sessions' },
  );
}

/** Someone without a session has none to note it in. */
const IS_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
