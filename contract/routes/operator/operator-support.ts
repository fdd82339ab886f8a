import { z } from 'zod';
import { route } from '../../route.ts';
import { desk } from './desk.ts';
import { longPage, orderId, time } from '../../wire.ts';
import { FILE_TYPES } from '../../support.ts';
import { chat, chatText, ticket, ticketId, ticketStatus, ticketText } from '../support.ts';

export const operatorTickets = route({
  ...desk,
  allows: 'operator: tickets.read',
  method: 'GET',
  path: '/operator/tickets',
  summary: 'Tickets, newest first; `open=1`: those that wait for the desk, the longest first',
  input: z.object({ ...longPage, open: z.enum(['0', '1']).default('0') }),
  output: z.array(
    z.object({
      id: ticketId,
      status: ticketStatus,
      topic: z.string(),
      email: z.string(),
      order: z.string().optional(),
      locale: z.string(),
      since: time,
      text: z.string(),
    }),
  ),
  problems: ['unauthorised', 'forbidden'],
  isList: true,
});

/** A ticket as the desk sees it. */
const deskTicket = ticket
  .extend({
    locale: z.string(),
    /** True if the order that the writer named has the ticket's e-mail. Otherwise the writer has proven nothing about the order. */
    order_fits: z.boolean().optional(),
  })
  .meta({ id: 'DeskTicket' });

export const operatorTicket = route({
  ...desk,
  allows: 'operator: tickets.read',
  method: 'GET',
  path: '/operator/ticket',
  summary: 'A ticket with all messages',
  input: z.object({ id: ticketId }),
  output: deskTicket,
  problems: ['unauthorised', 'forbidden', 'ticket_not_found'],
});

export const operatorTicketFile = route({
  ...desk,
  allows: 'operator: tickets.read',
  method: 'GET',
  path: '/operator/ticket/file',
  summary: 'A file of a ticket, in base64',
  input: z.object({ id: ticketId, n: z.coerce.number().int().min(1).max(1000) }),
  output: z.object({ name: z.string(), type: z.enum(FILE_TYPES), data: z.string() }),
  problems: ['unauthorised', 'forbidden', 'ticket_not_found'],
});

export const operatorTicketAnswer = route({
  ...desk,
  allows: 'operator: tickets.answer',
  method: 'POST',
  path: '/operator/ticket/answer',
  summary: 'Answer a ticket, by mail and on its page',
  input: z.object({ id: ticketId, text: ticketText }),
  output: deskTicket,
  problems: ['unauthorised', 'forbidden', 'ticket_not_found'],
  isIdempotent: true,
});

export const operatorTicketClose = route({
  ...desk,
  allows: 'operator: tickets.answer',
  method: 'POST',
  path: '/operator/ticket/close',
  summary: 'Close a ticket; its customer may still write, which opens it again',
  input: z.object({ id: ticketId }),
  output: deskTicket,
  problems: ['unauthorised', 'forbidden', 'ticket_not_found'],
  isIdempotent: true,
});

export const operatorChats = route({
  ...desk,
  allows: 'operator: tickets.read',
  method: 'GET',
  path: '/operator/chats',
  summary: 'Chats of orders that wait for the desk, the longest first',
  input: z.object(longPage),
  output: z.array(z.object({ order: orderId, email: z.string(), locale: z.string(), since: time, text: z.string() })),
  problems: ['unauthorised', 'forbidden'],
  isList: true,
});

export const operatorChat = route({
  ...desk,
  allows: 'operator: tickets.read',
  method: 'GET',
  path: '/operator/chat',
  summary: 'Messages about an order',
  input: z.object({ order: orderId }),
  output: chat,
  problems: ['unauthorised', 'forbidden', 'order_not_found'],
});

export const operatorSay = route({
  ...desk,
  allows: 'operator: tickets.answer',
  method: 'POST',
  path: '/operator/chat/say',
  summary: 'Write to an order’s customer: at once on its page, later by mail if unread',
  input: z.object({ order: orderId, text: chatText }),
  output: chat,
  problems: ['unauthorised', 'forbidden', 'order_not_found'],
  isIdempotent: true,
});
