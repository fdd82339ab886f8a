// Bindings of the contract's calls to this room's verbs; no logic.

import { type Routes, TICKET_TOPICS } from '@kurs/contract';
import { type Db, LastGood, type Work } from '../platform/index.ts';
import { orderChatRoutes } from './order-chats.ts';
import { medianAnswer } from './store.ts';
import { type TicketDeps, openTicket, readTicket, replyToTicket } from './ticket.ts';

export type SupportDeps = TicketDeps;

type Names = 'supportDetails' | 'ticketOpen' | 'ticketRead' | 'ticketReply' | keyof ReturnType<typeof orderChatRoutes>;

const DAY_MS = 86_400_000;
/** How soon answers come is measured over so many days, and told from so many tickets on. */
const MEASURED = { days: 90, least: 20 };
/** It is measured at most once in so long. */
const KEPT_MS = 60_000;

/** The room's calls by their names in the contract. */
export function supportRoutes(deps: SupportDeps): { [N in Names]: Work<Routes[N]> } {
  const median = new LastGood<number | undefined>('how soon answers come', KEPT_MS);
  return {
    async supportDetails(_input, { db }) {
      const minutes = (await median.ask(() => measured(db)))?.value;
      return { topics: [...TICKET_TOPICS], ...(minutes !== undefined && { median_minutes: minutes }) };
    },
    ticketOpen: (input, context) => openTicket(deps, input, context),
    ticketRead: (input) => readTicket(deps, input),
    ticketReply: (input, context) => replyToTicket(deps, input, context),
    ...orderChatRoutes(deps),
  };
}

async function measured(db: Db): Promise<number | undefined> {
  const since = new Date((await db.now()).getTime() - MEASURED.days * DAY_MS);
  const seconds = await medianAnswer(db, since, MEASURED.least);
  return seconds === undefined ? undefined : Math.max(1, Math.ceil(seconds / 60));
}
