// One-use tickets for what a browser loads by a plain link, which brings no token. Every process that answers knows them.

import { randomBytes } from 'node:crypto';
import { isMac, macOf, steady } from '../secrets/macs.ts';
import { secretHash, secretHashes } from '../secrets/secret-hashes.ts';
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

type Row<T> = Ticket<T> & { readonly hash: Buffer; readonly until: Date; readonly mac: string | null };

const hashesOf = (ticket: string): Buffer[] => secretHashes('download ticket', ticket);

/** The tickets of a download, by its name. One that was put in, changed or prolonged past the product stands for nothing. */
export function openTickets<T>(db: Statements, what: string): Tickets<T> {
  const contentOf = ({ hash, until, sessionId, wanted }: Omit<Row<T>, 'mac'>): string =>
    steady([hash.toString('hex'), what, sessionId, wanted, until]);
  const standing = 'hash = any ($1) and what = $2 and until > clock_timestamp()';
  const shown = 'hash, until, mac, session_id as "sessionId", wanted';
  const believed = async (found: Promise<Row<T> | undefined>): Promise<Ticket<T> | undefined> => {
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
      believed(db.row(`delete from download_ticket where ${standing} returning ${shown}`, [hashesOf(ticket), what])),
    look: (ticket) => believed(db.row(`select ${shown} from download_ticket where ${standing}`, [hashesOf(ticket), what])),
  };
}

/** Forgets tickets that are over; gives the end of a new one, in whole milliseconds. */
async function untilOfNew(db: Statements): Promise<Date> {
  const row = await db.row<{ until: Date }>(
    `with over as (delete from download_ticket where until <= clock_timestamp())
     select date_trunc('milliseconds', clock_timestamp()) + $1 * interval '1 millisecond' as until`,
    [TICKET_MS],
  );
  if (!row) throw new Error('the database did not say what time it is');
  return row.until;
}
