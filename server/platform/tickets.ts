import { createHash, randomBytes } from 'node:crypto';

/** Milliseconds that a ticket is good for. */
export const TICKET_MS = 60_000;
/** Tickets that are out at once, at most: the oldest goes. */
const MOST = 10_000;

/** One-use tickets for what a browser loads by a plain link, which brings no token. They are known in this process alone. */
export interface Tickets<T> {
  /** A new ticket, good once and for a minute. */
  issue(value: T): string;
  /** What a ticket stands for, this once; undefined for one that is used, over, or none. */
  take(ticket: string): T | undefined;
  /** The same, and the ticket stays good: for who asks what would be answered. */
  look(ticket: string): T | undefined;
}

/** Opens an empty store. `now`: milliseconds of a clock that only goes forward. */
export function openTickets<T>(now: () => number): Tickets<T> {
  const out = new Map<string, { readonly value: T; readonly until: number }>();
  const keyOf = (ticket: string): string => createHash('sha256').update(ticket).digest('base64');
  const look = (ticket: string): T | undefined => {
    const found = out.get(keyOf(ticket));
    return found && found.until > now() ? found.value : undefined;
  };
  return {
    issue(value) {
      const ticket = randomBytes(32).toString('base64url');
      for (const [key, { until }] of out) {
        if (until > now() && out.size < MOST) break;
        out.delete(key);
      }
      out.set(keyOf(ticket), { value, until: now() + TICKET_MS });
      return ticket;
    },
    take(ticket) {
      const found = look(ticket);
      out.delete(keyOf(ticket));
      return found;
    },
    look,
  };
}
