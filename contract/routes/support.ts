import { z } from 'zod';
import { copiedOrderId } from '../fields/copied-code.ts';
import { line, lines } from '../fields/free-text.ts';
import { route } from '../route.ts';
import { FILES_OF_MESSAGE, FILE_TYPES, LONGEST_MESSAGE, TICKET_TOPICS } from '../support.ts';
import { email, orderId, time, token } from '../wire.ts';

export const ticketId = z
  .string()
  .overwrite(copiedOrderId)
  .regex(/^TK-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/, { error: 'ticket_id_format' })
  .meta({ id: 'TicketId', examples: ['TK-7F3Q-2M8C'] });

const text = (max: number) => lines().min(1, { error: 'message_empty' }).max(max, { error: 'too_long' });
export const ticketText = text(LONGEST_MESSAGE.ticket);
export const chatText = text(LONGEST_MESSAGE.chat);

const sentFile = z.object({
  name: line().max(200, { error: 'too_long' }),
  data: z
    .string()
    .max(FILES_OF_MESSAGE.bytes * 8, { error: 'too_long' })
    .meta({
      description: 'The file’s bytes in base64. A call over HTTP has 64 kB at most: send larger files by the form on the site',
    }),
});
const files = z.array(sentFile).max(FILES_OF_MESSAGE.max, { error: 'files_many' }).default([]);

/** A message with its files. */
export const message = z
  .object({
    seq: z.int(),
    by: z.enum(['customer', 'desk']),
    at: time,
    text: lines(),
    files: z.array(z.object({ n: z.int(), name: line(), type: z.enum(FILE_TYPES), bytes: z.int() })),
  })
  .meta({ id: 'Message' });

export const ticketStatus = z.enum(['waiting', 'answered', 'closed']);

export const ticket = z
  .object({
    id: ticketId,
    topic: z.enum(TICKET_TOPICS),
    order: orderId.optional(),
    email: z.string(),
    status: ticketStatus,
    created_at: time,
    messages: z.array(message),
  })
  .meta({ id: 'Ticket' });

export const chat = z
  .object({
    /** The newest messages of the chat, oldest first. */
    messages: z.array(message.omit({ files: true })),
    /** Number of the desk's messages that the customer has not read. */
    unread: z.int(),
    /** Version of the chat; increases when a message is added and when messages are marked as read. */
    version: z.int(),
  })
  .meta({ id: 'Chat' });

export const supportDetails = route({
  method: 'GET',
  path: '/support/details',
  allows: 'public',
  tag: 'Support',
  summary: 'Topics of tickets, and the median time to an answer, if enough answers were measured',
  input: z.object({}),
  output: z.object({ topics: z.array(z.enum(TICKET_TOPICS)), median_minutes: z.int().optional() }),
  problems: [],
});

export const ticketOpen = route({
  method: 'POST',
  path: '/support/tickets',
  allows: 'public',
  mayKnowUser: true,
  tag: 'Support',
  summary:
    'Write to the desk; its answer comes by mail and to the ticket’s page. Without a robot check the ticket waits until the link in the mail is opened',
  input: z.object({
    order: orderId.optional(),
    topic: z.enum(TICKET_TOPICS, { error: 'topic_unknown' }),
    text: ticketText,
    email,
    files,
    bot_token: z.string().max(5000).optional(),
  }),
  output: z.object({
    id: ticketId,
    /** Secret of the ticket; absent while it waits for the mailed link to be opened. */
    token: token.optional(),
  }),
  problems: ['bot_check_failed', 'bot_check_unavailable'],
  isIdempotent: true,
});

const opened = { id: ticketId, token };

export const ticketRead = route({
  method: 'GET',
  path: '/support/ticket',
  allows: 'public',
  hasEffect: true,
  tag: 'Support',
  summary: 'A ticket with all messages. Reading an unconfirmed one passes it on to the desk',
  input: z.object(opened),
  output: ticket,
  problems: ['ticket_not_found'],
});

export const ticketReply = route({
  method: 'POST',
  path: '/support/ticket/reply',
  allows: 'public',
  tag: 'Support',
  summary: 'Add a message to a ticket; a closed one is reopened',
  input: z.object({ ...opened, text: ticketText, files }),
  output: ticket,
  problems: ['ticket_not_found'],
  isIdempotent: true,
});

const ofOrder = { id: orderId, token };

export const orderChat = route({
  method: 'GET',
  path: '/order/chat',
  allows: 'public',
  tag: 'Support',
  summary: 'Messages about an order; its stream reports new ones (`event: message`)',
  input: z.object(ofOrder),
  output: chat,
  problems: ['order_not_found', 'record_altered'],
});

export const orderSay = route({
  method: 'POST',
  path: '/order/chat',
  allows: 'public',
  tag: 'Support',
  summary: 'Write to the desk about an order',
  input: z.object({ ...ofOrder, text: chatText }),
  output: chat,
  problems: ['order_not_found', 'record_altered'],
  isIdempotent: true,
});

export const orderChatSeen = route({
  method: 'POST',
  path: '/order/chat/seen',
  allows: 'public',
  tag: 'Support',
  summary: 'Mark the desk’s messages as read, up to this one',
  input: z.object({ ...ofOrder, seq: z.int().min(0) }),
  output: chat,
  problems: ['order_not_found', 'record_altered'],
});
