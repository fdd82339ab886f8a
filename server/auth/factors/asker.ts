// Names of counters for tries and for requested codes. Anybody who knows the password can begin many sessions, so sessions with
// only the password share one counter. If the holder has proved more than the password in a session or browser, it has a
// counter of its own. Strangers can't use up the tries of this counter.

import type { Statements, Tx } from '../../platform/index.ts';

/** An account holder (`id`) and the session in which they confirm an action. */
export interface Confirming {
  readonly id: string;
  readonly sessionId: string;
}

/** Returns the name of the session's own counter. */
export const sessionOf = ({ sessionId }: Pick<Confirming, 'sessionId'>): string => `session ${sessionId}`;

/**
 * Returns the name of the counter for codes that a session requests. A session has its own counter if the holder has proved the
 * session or its browser. All other sessions of the holder share one.
 */
export async function askerOf(db: Statements, { id, sessionId }: Confirming): Promise<string> {
  const row = await db.row(
    `select 1 from session s where s.id = $1 and s.holder_id = $2 and (s.proved_at is not null or exists (
       select 1 from session k where k.holder_id = s.holder_id and k.browser = s.browser and k.proved_at is not null))`,
    [sessionId, id],
  );
  return row ? sessionOf({ sessionId }) : `others of ${id}`;
}

/**
 * Returns the name of the counter for second-factor tries at sign-in. A browser that the holder has proved has its own counter.
 * All other browsers share one.
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

/** Marks sessions as proved: the holder has proved more than the password there. */
export async function proveSessions(tx: Tx, sessionIds: readonly string[]): Promise<void> {
  await tx.run(
    `update session set proved_at = $2 where id in (
       select id from session where id = any ($1::uuid[]) and proved_at is null order by id for no key update)`,
    [sessionIds.filter((id) => IS_ID.test(id)), tx.now],
    { name: 'auth.prove_sessions' },
  );
}

/** Matches a session id. Callers without a session pass a text of another form. */
const IS_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
