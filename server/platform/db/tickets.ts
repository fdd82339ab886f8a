// Download tickets. A browser that follows a link sends no Authorization header, so the link's URL contains a ticket. Each
// ticket is valid once, in any process.

import { randomBytes } from 'node:crypto';
import { isMac, macOf, steady } from '../secrets/macs.ts';
import { secretHash, secretHashes } from '../secrets/secret-hashes.ts';
import type { Statements } from './db.ts';

/** Validity of a download ticket, in ms. */
export const TICKET_MS = 60_000;

/** Content of a download ticket: the requested download (`wanted`), and the session that requested it. */
export interface Ticket<T> {
  readonly sessionId: string;
  readonly wanted: T;
}

/** Download tickets of one kind of download. `wanted` is stored as JSON. */
export interface Tickets<T> {
  /** Issues a download ticket, which is valid once within a minute. */
  issue(ticket: Ticket<T>): Promise<string>;
  /**
   * Returns the content of a download ticket and invalidates it. Undefined if the ticket was used, has expired or is unknown.
   */
  take(ticket: string): Promise<Ticket<T> | undefined>;
  /** Returns the content of a download ticket, and leaves the ticket valid. For HEAD requests. */
  peek(ticket: string): Promise<Ticket<T> | undefined>;
}

type TicketRow<T> = Ticket<T> & { readonly hash: Buffer; readonly until: Date; readonly mac: string | null };

const hashesOf = (ticket: string): Buffer[] => secretHashes('download ticket', ticket);

/**
 * Returns the functions for download tickets of the kind `what`. A ticket whose row was inserted or changed by SQL is invalid.
 */
export function openTickets<T>(db: Statements, what: string): Tickets<T> {
  const contentOf = ({ hash, until, sessionId, wanted }: Omit<TicketRow<T>, 'mac'>): string =>
    steady([hash.toString('hex'), what, sessionId, wanted, until]);
  const isValid = 'hash = any ($1) and what = $2 and until > clock_timestamp()';
  const shown = 'hash, until, mac, session_id as "sessionId", wanted';
  const believed = async (found: Promise<TicketRow<T> | undefined>): Promise<Ticket<T> | undefined> => {
    const row = await found;
    return row && isMac('ticket', contentOf(row), row.mac) ? { sessionId: row.sessionId, wanted: row.wanted } : undefined;
  };
  return {
    async issue({ sessionId, wanted }) {
      const ticket = randomBytes(32).toString('base64url');
      const until = await untilOfNew(db);
      const hash = secretHash('download ticket', ticket);
      const json = JSON.stringify(wanted);
      const mac = macOf('ticket', contentOf({ hash, until, sessionId, wanted: JSON.parse(json) as T }));
      await db.run('insert into download_ticket (hash, what, session_id, wanted, until, mac) values ($1, $2, $3, $4, $5, $6)', [
        hash,
        what,
        sessionId,
        json,
        until,
        mac,
      ]);
      return ticket;
    },
    take: (ticket) =>
      believed(db.row(`delete from download_ticket where ${isValid} returning ${shown}`, [hashesOf(ticket), what])),
    peek: (ticket) => believed(db.row(`select ${shown} from download_ticket where ${isValid}`, [hashesOf(ticket), what])),
  };
}

/** Deletes expired download tickets. Returns the expiry of a new ticket, in whole milliseconds. */
async function untilOfNew(db: Statements): Promise<Date> {
  const row = await db.row<{ until: Date }>(
    `with over as (delete from download_ticket where until <= clock_timestamp())
     select date_trunc('milliseconds', clock_timestamp()) + $1 * interval '1 millisecond' as until`,
    [TICKET_MS],
  );
  if (!row) throw new Error('the database did not say what time it is');
  return row.until;
}
