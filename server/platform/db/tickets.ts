// One-use tickets for what a browser loads by a plain link, which brings no token. Every process that answers knows them.

import { createHash, randomBytes } from 'node:crypto';
import type { Statements } from './db.ts';

/** Milliseconds that a ticket is good for. */
export const TICKET_MS = 60_000;

/** What a ticket stands for: what was asked for, and by which session. */
export interface Ticket<T> {
  readonly sessionId: string;
  readonly wanted: T;
}

/** The tickets of one download. What is wanted is kept as JSON. */
export interface Tickets<T> {
  /** A new ticket, good once and for a minute. */
  issue(ticket: Ticket<T>): Promise<string>;
  /** What a ticket stands for, this once; undefined for one that is used, over, or none. */
  take(ticket: string): Promise<Ticket<T> | undefined>;
  /** The same, and the ticket stays good: for who asks what would be answered. */
  look(ticket: string): Promise<Ticket<T> | undefined>;
}

/** The tickets of a download, by its name. */
export function openTickets<T>(db: Statements, what: string): Tickets<T> {
  const keyOf = (ticket: string): Buffer => createHash('sha256').update(ticket).digest();
  const standing = 'hash = $1 and what = $2 and until > clock_timestamp()';
  const shown = 'session_id as "sessionId", wanted';
  return {
    async issue({ sessionId, wanted }) {
      const ticket = randomBytes(32).toString('base64url');
      await db.run('delete from download_ticket where until <= clock_timestamp()');
      await db.run(
        `insert into download_ticket (hash, what, session_id, wanted, until)
         values ($1, $2, $3, $4, clock_timestamp() + $5 * interval '1 millisecond')`,
        [keyOf(ticket), what, sessionId, JSON.stringify(wanted), TICKET_MS],
      );
      return ticket;
    },
    take: (ticket) =>
      db.row<Ticket<T>>(`delete from download_ticket where ${standing} returning ${shown}`, [keyOf(ticket), what]),
    look: (ticket) => db.row<Ticket<T>>(`select ${shown} from download_ticket where ${standing}`, [keyOf(ticket), what]),
  };
}
