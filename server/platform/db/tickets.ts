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

type Row<T> = Ticket<T> & { readonly hash: Buffer; readonly mac: string | null };

const hashesOf = (ticket: string): Buffer[] => secretHashes('download ticket', ticket);

/** The tickets of a download, by its name. One that was put in or changed past the product stands for nothing. */
export function openTickets<T>(db: Statements, what: string): Tickets<T> {
  const contentOf = (hash: Buffer, { sessionId, wanted }: Ticket<T>): string =>
    steady([hash.toString('hex'), what, sessionId, wanted]);
  const standing = 'hash = any ($1) and what = $2 and until > clock_timestamp()';
  const shown = 'hash, mac, session_id as "sessionId", wanted';
  const believed = async (found: Promise<Row<T> | undefined>): Promise<Ticket<T> | undefined> => {
    const { hash, mac, ...ticket } = (await found) ?? {};
    return hash && isMac('ticket', contentOf(hash, ticket as Ticket<T>), mac ?? null) ? (ticket as Ticket<T>) : undefined;
  };
  return {
    async issue({ sessionId, wanted }) {
      const ticket = randomBytes(32).toString('base64url');
      await db.run('delete from download_ticket where until <= clock_timestamp()');
      const hash = secretHash('download ticket', ticket);
      const json = JSON.stringify(wanted);
      const mac = macOf('ticket', contentOf(hash, { sessionId, wanted: JSON.parse(json) as T }));
      await db.run(
        `insert into download_ticket (hash, what, session_id, wanted, until, mac)
         values ($1, $2, $3, $4, clock_timestamp() + $5 * interval '1 millisecond', $6)`,
        [hash, what, sessionId, json, TICKET_MS, mac],
      );
      return ticket;
    },
    take: (ticket) =>
      believed(db.row(`delete from download_ticket where ${standing} returning ${shown}`, [hashesOf(ticket), what])),
    look: (ticket) => believed(db.row(`select ${shown} from download_ticket where ${standing}`, [hashesOf(ticket), what])),
  };
}
