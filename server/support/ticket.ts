// Tickets: a form opens a ticket, and anyone with its secret link may read and reply.

import { createHash, randomBytes } from 'node:crypto';
import { type Input, type Output, Problem, type Routes, fieldProblem } from '@kurs/contract';
import { type Fraction, orderNumber as newNumber } from '@kurs/money';
import { larger, pressureOf } from '../auth/index.ts';
import type { SpendBot } from '../compliance/index.ts';
import type { Sender } from '../exchange/index.ts';
import { type Context, type Db, type Statements, type Tx, canonicalEmail, newId } from '../platform/index.ts';
import { type StoredFile, storedFiles } from './file-type.ts';
import { TICKET_VERSION, queueOpened } from './letters.ts';
import { settings } from './settings.ts';
import {
  type Thread,
  addMessage,
  addThread,
  confirm,
  countIn,
  fileOf,
  filesOf,
  messagesOf,
  noteCustomer,
  threadByKey,
  ticketByNumber,
} from './store.ts';

type TicketWire = Output<Routes['ticketRead']>;

export interface TicketDeps {
  readonly db: Db;
  readonly sender: Sender;
  readonly proveBot: (token: string | undefined, of: { ip: string; pressure?: Fraction }) => Promise<SpendBot>;
}

const HOUR = 3_600;
/** Maximum number (`max`) of tickets from one session within `seconds`. */
const OF_SESSION = { max: 10, seconds: HOUR };
/**
 * Numbers of tickets at which the work of the bot check rises: from one network, and to one e-mail address. The address matters,
 * since each ticket causes a letter to it.
 */
const OPENED = { ofNetwork: { steps: [10, 20, 40, 80], seconds: HOUR }, toAddress: { steps: [5, 10, 20, 40], seconds: HOUR } };
/** Maximum number of tickets without a bot check: from one network, and to one e-mail address. Further tickets require a check. */
const UNPROVED = { ofNetwork: { max: 3, seconds: HOUR }, toAddress: { max: 1, seconds: HOUR } };
const REPLIES = { max: 20, seconds: HOUR };
/** Maximum number of files in all messages of one ticket. */
const MAX_FILES = 12;

/**
 * Opens a ticket and mails its link. A visitor's ticket without a bot check waits until the link is opened, which proves that a
 * person wrote it. Account holders need no check. Throws `validation`, and the errors of `proveBot` for a wrong check. Throws
 * `bot_check_required` for a missing check after some tickets, and `rate_limited` for an account holder after too many.
 */
export async function openTicket(
  { db, sender, proveBot }: TicketDeps,
  input: Input<Routes['ticketOpen']>,
  context: Context,
): Promise<Output<Routes['ticketOpen']>> {
  const files = storedFiles(input.files);
  const isProved = input.bot_token !== undefined || context.user !== undefined;
  if (context.user) await context.limit(`tickets of session ${context.user.sessionId}`, OF_SESSION);
  else if (!isProved) await countUnproved(context, input.email);
  const isRequested = input.bot_token !== undefined && !context.user;
  const spend =
    isRequested && (await proveBot(input.bot_token, { ip: context.ip, pressure: await pressing(context, input.email) }));
  const key = keyOf('open', context.deviceKey, context.idempotencyKey);
  const ticket = await db.tx(async (tx) => {
    const known = context.isRepeated && key !== undefined ? await threadByKey(tx, key) : undefined;
    if (known) return known;
    if (spend) await spend(tx);
    return addTicket(tx, sender, { ...input, locale: context.locale, isProved, key, stored: files });
  });
  return {
    id: ticket.number,
    ...(ticket.status !== 'unconfirmed' && { token: sender.tokens.make('ticket', ticket.id, TICKET_VERSION) }),
  };
}

/** Counts a ticket without a bot check. Throws `bot_check_required` if there were too many such tickets. */
async function countUnproved({ limit, limitNetwork }: Context, email: string): Promise<void> {
  try {
    await limitNetwork('unproved tickets', UNPROVED.ofNetwork);
    await limit(`unproved tickets to ${canonicalEmail(email)}`, UNPROVED.toAddress);
  } catch (error) {
    throw error instanceof Problem && error.code === 'rate_limited' ? new Problem('bot_check_required') : error;
  }
}

/** Counts a ticket. Returns the share of the maximum work that the ticket's bot check must have. */
async function pressing({ limit, limitNetwork }: Context, email: string): Promise<Fraction> {
  const ofNetwork = await pressureOf(limitNetwork, 'tickets', OPENED.ofNetwork);
  const toAddress = await pressureOf(limit, `tickets to ${canonicalEmail(email)}`, OPENED.toAddress);
  return larger(ofNetwork.share, toAddress.share);
}

interface Opening extends Pick<Input<Routes['ticketOpen']>, 'order' | 'topic' | 'text' | 'email'> {
  readonly locale: Thread['locale'];
  readonly isProved: boolean;
  readonly key: string | undefined;
  readonly stored: readonly StoredFile[];
}

async function addTicket(tx: Tx, sender: Sender, opening: Opening): Promise<Thread> {
  const { order: about, topic, text, email, locale, isProved, key, stored } = opening;
  const number = newNumber(randomBytes(5), 'TK');
  const status = isProved ? 'waiting' : 'unconfirmed';
  await addThread(tx, { id: newId(), number, owner: null, email, locale, topic, aboutNumber: about ?? null, status });
  const ticket = (await ticketByNumber(tx, number)) as Thread;
  await addMessage(tx, ticket, { by: 'customer', text: plainLines(text), key, files: stored });
  queueOpened(tx, sender, ticket);
  return ticket;
}

/**
 * Returns a ticket with all messages. An unconfirmed ticket is thereby confirmed and passed on to the desk. Throws
 * `ticket_not_found`.
 */
export async function readTicket({ db, sender }: TicketDeps, request: Input<Routes['ticketRead']>): Promise<TicketWire> {
  const ticket = await ownTicket(db, sender, request);
  if (ticket.status !== 'unconfirmed') return ticketWire(db, ticket);
  await db.tx((tx) => confirm(tx, ticket.id));
  return ticketWire(db, await ownTicket(db, sender, request));
}

/**
 * Adds the customer's message to a ticket; a closed ticket is reopened. Throws `ticket_not_found`, `validation`, `rate_limited`.
 */
export async function replyToTicket(
  { db, sender }: TicketDeps,
  { text, files, ...request }: Input<Routes['ticketReply']>,
  { limit, idempotencyKey, isRepeated }: Context,
): Promise<TicketWire> {
  const stored = storedFiles(files);
  const { id } = await ownTicket(db, sender, request);
  await limit(`ticket ${id}`, REPLIES);
  const key = keyOf('reply', id, idempotencyKey);
  await db.tx(async (tx) => {
    if (isRepeated && key !== undefined && (await threadByKey(tx, key))) return;
    const ticket = (await ticketByNumber(tx, request.id, true)) as Thread;
    await requireRoom(tx, ticket, stored.length);
    await addMessage(tx, ticket, { by: 'customer', text: plainLines(text), key, files: stored });
    await noteCustomer(tx, ticket);
  });
  return ticketWire(db, await ownTicket(db, sender, request));
}

/** Returns a file of a ticket, for anyone with the ticket's secret. Throws `ticket_not_found`, also for an unknown file. */
export async function fileOfTicket(
  { db, sender }: Pick<TicketDeps, 'db' | 'sender'>,
  request: { readonly id: string; readonly token: string; readonly n: number },
): Promise<StoredFile> {
  const ticket = await ownTicket(db, sender, request);
  const file = await fileOf(db, ticket.id, request.n);
  if (!file) throw new Problem('ticket_not_found');
  return file;
}

/** Returns a ticket by its number and secret. Throws `ticket_not_found` for an unknown number and for a wrong secret alike. */
async function ownTicket(
  db: Statements,
  { tokens }: Sender,
  { id, token }: { readonly id: string; readonly token: string },
): Promise<Thread> {
  const ticket = await ticketByNumber(db, id);
  if (!ticket || !tokens.check(token, 'ticket', ticket.id, TICKET_VERSION)) throw new Problem('ticket_not_found');
  return ticket;
}

/** Returns a ticket as its page shows it. */
export async function ticketWire(db: Statements, ticket: Thread): Promise<TicketWire> {
  const [messages, files] = await Promise.all([
    messagesOf(db, ticket.id, settings.get('support.most_messages')),
    filesOf(db, ticket.id),
  ]);
  return {
    id: ticket.number,
    topic: ticket.topic as TicketWire['topic'],
    ...(ticket.aboutNumber !== null && { order: ticket.aboutNumber }),
    email: ticket.email,
    status: ticket.status === 'unconfirmed' ? 'waiting' : ticket.status,
    created_at: ticket.createdAt.toISOString(),
    messages: messages.map(({ seq, by, text, at }) => ({
      ...{ seq, by, text, at: at.toISOString() },
      files: files.filter((one) => one.seq === seq).map(({ n, name, type, size }) => ({ n, name, type, bytes: size })),
    })),
  };
}

/** Throws `validation` if a thread has the maximum number of messages, or if `more` further files would exceed the maximum. */
export async function requireRoom(tx: Tx, { id }: Thread, more = 0): Promise<void> {
  const { messages, files } = await countIn(tx, id);
  if (messages >= settings.get('support.most_messages')) throw fieldProblem('text', 'thread_full');
  if (more > 0 && files + more > MAX_FILES) throw fieldProblem('files', 'files_enough', { max: String(MAX_FILES) });
}

/** Returns a text with line feeds as line ends, and with at most one empty line between two others. */
export const plainLines = (text: string): string => text.replace(/\r\n?/g, '\n').replace(/\n{3,}/g, '\n\n');

/** Returns the key by which a repeated call finds the message of the first; undefined for a call without an idempotency key. */
export function keyOf(what: string, whose: string, key: string | undefined): string | undefined {
  return key === undefined
    ? undefined
    : createHash('sha256')
        .update(JSON.stringify([what, whose, key]))
        .digest('base64url');
}
