// The desk's part of tickets. The room operator checks permissions and writes the audit.

import { type Output, Problem, type Routes } from '@kurs/contract';
import type { OwnerKind } from '../collecting/index.ts';
import type { Sender } from '../deliveries/index.ts';
import { type Db, type ListMeta, type PageRequest, type Statements, type Tx, listMeta } from '../platform/index.ts';
import { queueAnswer } from './letters.ts';
import { isNumberOf } from './owner-chats.ts';
import { type Thread, addMessage, close, fileOf, noteDesk, threadPage, ticketByNumber } from './store.ts';
import { plainLines, requireRoom, ticketWire } from './ticket.ts';

type DeskTicket = Output<Routes['operatorTicket']>;

/** Returns a page of tickets. `isWaiting`: only tickets that wait for the desk, the longest waiting first. */
export async function deskTickets(
  db: Db,
  request: PageRequest & { readonly isWaiting: boolean },
): Promise<{ data: Output<Routes['operatorTickets']>; meta: ListMeta }> {
  const { rows, total, next } = await threadPage(db, { ...request, kind: 'ticket' });
  const data = rows.map(({ number, status, topic, email, aboutNumber, locale, statusAt, text }) => ({
    id: number,
    status: status === 'unconfirmed' ? ('waiting' as const) : status,
    topic: topic ?? '',
    email,
    ...(aboutNumber !== null && { order: aboutNumber }),
    ...{ locale, since: statusAt.toISOString(), text },
  }));
  return { data, meta: listMeta(request, total, { rows: rows.length, next }) };
}

/** Returns a ticket for the desk. Throws `ticket_not_found`. */
export async function deskTicket(db: Statements, owners: readonly OwnerKind[], number: string): Promise<DeskTicket> {
  const ticket = await known(db, number);
  return {
    ...(await ticketWire(db, ticket)),
    locale: ticket.locale,
    ...(ticket.aboutNumber !== null && {
      order_fits: await isNumberOf(db, owners, { number: ticket.aboutNumber, email: ticket.email }),
    }),
  };
}

/** Returns a file of a ticket. Throws `ticket_not_found`, also for an unknown file. */
export async function deskFile(db: Db, number: string, n: number): Promise<Output<Routes['operatorTicketFile']>> {
  const file = await fileOf(db, (await known(db, number)).id, n);
  if (!file) throw new Problem('ticket_not_found');
  return { name: file.name, type: file.type, data: file.bytes.toString('base64') };
}

/** Adds the desk's answer to a ticket and mails it. Throws `ticket_not_found`, and `validation` for a full ticket. */
export async function answerTicket(
  tx: Tx,
  sender: Sender,
  { id, text, person }: { readonly id: string; readonly text: string; readonly person: string },
): Promise<void> {
  const ticket = await known(tx, id, true);
  await requireRoom(tx, ticket);
  const said = plainLines(text);
  const seq = await addMessage(tx, ticket, { by: 'desk', text: said, key: undefined, person });
  await noteDesk(tx, ticket, seq);
  queueAnswer(tx, sender, ticket, said);
}

/** Closes a ticket. Throws `ticket_not_found`. */
export async function closeTicket(tx: Tx, number: string): Promise<void> {
  const ticket = await known(tx, number, true);
  await close(tx, ticket);
}

async function known(db: Statements, number: string, lock = false): Promise<Thread> {
  const ticket = await ticketByNumber(db, number, lock);
  if (!ticket || ticket.status === 'unconfirmed') throw new Problem('ticket_not_found');
  return ticket;
}
