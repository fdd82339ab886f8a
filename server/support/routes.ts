// Handlers of this room's calls.

import { type Routes, TICKET_TOPICS } from '@kurs/contract';
import type { OwnerKind } from '../collecting/index.ts';
import { type Db, LastGood, type Work } from '../platform/index.ts';
import { ownerChatRoutes } from './owner-chats.ts';
import { medianAnswer } from './store.ts';
import { type TicketDeps, openTicket, readTicket, replyToTicket } from './ticket.ts';

export type SupportDeps = TicketDeps & { readonly owners: readonly OwnerKind[] };

type ChatCalls = 'orderChat' | 'orderSay' | 'orderChatSeen';
type SupportCall = ChatCalls | 'supportDetails' | 'ticketOpen' | 'ticketRead' | 'ticketReply';

type Support = { [N in SupportCall]: Work<Routes[N]> };

const DAY_MS = 86_400_000;
/** Measurement of the time to the desk's first answer: over `days` days, published from `min` answered tickets on. */
const MEASURED = { days: 90, min: 20 };
/** Time for which the measured time is cached, in ms. */
const RETENTION_MS = 60_000;

/** Returns the handlers of the room's calls by their names in the contract, and of the chats' calls. */
export function supportRoutes(deps: SupportDeps): Support {
  const median = new LastGood<number | undefined>('how soon answers come', RETENTION_MS);
  return {
    async supportDetails(_input, { db }) {
      const minutes = (await median.ask(() => measured(db)))?.value;
      return { topics: [...TICKET_TOPICS], ...(minutes !== undefined && { median_minutes: minutes }) };
    },
    ticketOpen: (input, context) => openTicket(deps, input, context),
    ticketRead: (input) => readTicket(deps, input),
    ticketReply: (input, context) => replyToTicket(deps, input, context),
    ...(ownerChatRoutes(deps) as Record<string, unknown> as Pick<Support, ChatCalls>),
  };
}

async function measured(db: Db): Promise<number | undefined> {
  const since = new Date((await db.now()).getTime() - MEASURED.days * DAY_MS);
  const seconds = await medianAnswer(db, since, MEASURED.min);
  return seconds === undefined ? undefined : Math.max(1, Math.ceil(seconds / 60));
}
