// What the desk does with tickets and chats. Who may, and the audit, are the operator's room's.

import { type Output, Problem, type Routes } from '@kurs/contract';
import { canonicalEmail, type Db, type ListMeta, type PageAsked, type Statements, type Tx, listMeta } from '../platform/index.ts';
import { type Sender, readOrder } from '../exchange/index.ts';
import { type ChatWire, chatWire, lockedChat } from './chat.ts';
import { queueAnswer } from './letters.ts';
import { type Thread, addMessage, chatOf, fileOf, noteDesk, setStatus, threadPage, ticketByNumber } from './store.ts';
import { plainLines, requireRoom, ticketWire } from './ticket.ts';

type DeskTicket = Output<Routes['operatorTicket']>;

/** A page of tickets; `waiting`: only those that wait for the desk, the longest first. */
export async function deskTickets(
  db: Db,
  asked: PageAsked & { readonly waiting: boolean },
): Promise<{ data: Output<Routes['operatorTickets']>; meta: ListMeta }> {
  const { rows, total, next } = await threadPage(db, { ...asked, kind: 'ticket' });
  const data = rows.map(({ number, status, topic, email, aboutOrder, locale, statusAt, text }) => ({
    id: number,
    status: status === 'unconfirmed' ? ('waiting' as const) : status,
    topic: topic ?? '',
    email,
    ...(aboutOrder !== null && { order: aboutOrder }),
    ...{ locale, since: statusAt.toISOString(), text },
  }));
  return { data, meta: listMeta(asked, total, { rows: rows.length, next }) };
}

/** A ticket for the desk. Throws `ticket_not_found`. */
export async function deskTicket(db: Statements, number: string): Promise<DeskTicket> {
  const ticket = await known(db, number);
  const order = ticket.aboutOrder === null ? undefined : await readOrder(db, ticket.aboutOrder);
  return {
    ...(await ticketWire(db, ticket)),
    locale: ticket.locale,
    ...(ticket.aboutOrder !== null && {
      order_fits: order !== undefined && canonicalEmail(order.email) === canonicalEmail(ticket.email),
    }),
  };
}

/** A file of a ticket. Throws `ticket_not_found`, the same for no such file. */
export async function deskFile(db: Db, number: string, n: number): Promise<Output<Routes['operatorTicketFile']>> {
  const file = await fileOf(db, (await known(db, number)).id, n);
  if (!file) throw new Problem('ticket_not_found');
  return { name: file.name, type: file.type, data: file.bytes.toString('base64') };
}

/** The desk answers a ticket: its customer is mailed. Throws `ticket_not_found`, `validation` for one that is full. */
export async function answerTicket(
  tx: Tx,
  sender: Sender,
  { id, text, person }: { readonly id: string; readonly text: string; readonly person: string },
): Promise<void> {
  const ticket = await known(tx, id, true);
  await requireRoom(tx, ticket);
  const said = plainLines(text);
  const seq = await addMessage(tx, ticket, { by: 'desk', text: said, key: undefined, person });
  await noteDesk(tx, ticket.id, seq);
  await queueAnswer(tx, sender, ticket, said);
}

/** Closes a ticket. Throws `ticket_not_found`. */
export async function closeTicket(tx: Tx, number: string): Promise<void> {
  const ticket = await known(tx, number, true);
  if (ticket.status !== 'closed') await setStatus(tx, ticket.id, 'closed');
}

/** A page of the chats that wait for the desk, the longest first. */
export async function deskChats(db: Db, asked: PageAsked): Promise<{ data: Output<Routes['operatorChats']>; meta: ListMeta }> {
  const { rows, total, next } = await threadPage(db, { ...asked, kind: 'chat', waiting: true });
  const data = rows.map(({ number, email, locale, statusAt, text }) => ({
    order: number,
    ...{ email, locale, since: statusAt.toISOString(), text },
  }));
  return { data, meta: listMeta(asked, total, { rows: rows.length, next }) };
}

/** The chat of an order, by the order's number. Throws `order_not_found`. */
export async function deskChat(db: Statements, number: string): Promise<ChatWire> {
  const order = await readOrder(db, number);
  if (!order) throw new Problem('order_not_found');
  return chatWire(db, await chatOf(db, order.view.id));
}

/** The desk says something to an order's customer. Throws `order_not_found`, `validation` for a chat that is full. */
export async function sayInChat(
  tx: Tx,
  { order: number, text, person }: { readonly order: string; readonly text: string; readonly person: string },
): Promise<void> {
  const order = await readOrder(tx, number);
  if (!order) throw new Problem('order_not_found');
  const chat = await lockedChat(tx, order);
  await requireRoom(tx, chat);
  const seq = await addMessage(tx, chat, { by: 'desk', text: plainLines(text), key: undefined, person });
  await noteDesk(tx, chat.id, seq);
}

async function known(db: Statements, number: string, lock = false): Promise<Thread> {
  const ticket = await ticketByNumber(db, number, lock);
  if (!ticket || ticket.status === 'unconfirmed') throw new Problem('ticket_not_found');
  return ticket;
}
