// The chat of an order: whoever has the order's secret reads and writes it; a page follows it by the order's stream.

import { type Input, type Output, type Routes } from '@kurs/contract';
import { type StoredOrder, orderByToken } from '../exchange/index.ts';
import { type Context, type Db, type Statements, type Tokens, type Tx, newId } from '../platform/index.ts';
import { type Thread, addMessage, addThread, chatOf, messagesOf, noteCustomer, noteSeen, threadByKey, unreadOf } from './store.ts'; // prettier-ignore
import { keyOf, plainLines, requireRoom } from './ticket.ts';

export type ChatWire = Output<Routes['orderChat']>;

/** What an order's secret opens. */
export interface ChatDeps {
  readonly db: Db;
  readonly sender: { readonly tokens: Tokens };
}

/** What the customer of one order may say in ten minutes. */
const SAID = { most: 20, seconds: 600 };
const LOOKS = { most: 600, seconds: 3_600 };
/** A page shows the newest so many. */
const SHOWN = 60;

/** The chat of an order. Throws `order_not_found`. */
export async function readChat({ db, sender }: ChatDeps, key: Input<Routes['orderChat']>): Promise<ChatWire> {
  const { view } = await orderByToken(db, sender.tokens, key);
  return chatWire(db, await chatOf(db, view.id));
}

/** The customer says something. Throws `order_not_found`, `rate_limited`, `validation` for a chat that is full. */
export async function sayToDesk(
  { db, sender }: ChatDeps,
  { text, ...asked }: Input<Routes['orderSay']>,
  { limit, idempotencyKey, repeated }: Context,
): Promise<ChatWire> {
  const order = await orderByToken(db, sender.tokens, asked);
  await limit(`chat ${order.view.id}`, SAID);
  const key = keyOf('chat', order.view.id, idempotencyKey);
  await db.tx(async (tx) => {
    if (repeated && key !== undefined && (await threadByKey(tx, key))) return;
    const chat = await lockedChat(tx, order);
    await requireRoom(tx, chat);
    await addMessage(tx, chat, { by: 'customer', text: plainLines(text), key });
    await noteCustomer(tx, chat.id);
  });
  return chatWire(db, await chatOf(db, order.view.id));
}

/** The customer has looked, up to a message. Throws `order_not_found`. */
export async function seeChat(
  { db, sender }: ChatDeps,
  { seq, ...asked }: Input<Routes['orderChatSeen']>,
  { limit }: Context,
): Promise<ChatWire> {
  const { view } = await orderByToken(db, sender.tokens, asked);
  await limit(`chat seen ${view.id}`, LOOKS);
  await db.tx((tx) => noteSeen(tx, view.id, seq));
  return chatWire(db, await chatOf(db, view.id));
}

/** The chat of an order, locked; begun where there was none. */
export async function lockedChat(tx: Tx, { view, number, email, locale }: StoredOrder): Promise<Thread> {
  const found = await chatOf(tx, view.id, true);
  if (found) return found;
  await addThread(tx, {
    id: newId(),
    number,
    orderId: view.id,
    email,
    locale,
    topic: null,
    aboutOrder: null,
    status: 'answered',
  });
  return (await chatOf(tx, view.id, true)) as Thread;
}

/** A chat as it is told; one without a thread is empty. */
export async function chatWire(db: Statements, chat: Thread | undefined): Promise<ChatWire> {
  if (!chat) return { messages: [], unread: 0, version: 0 };
  const [messages, unread] = await Promise.all([messagesOf(db, chat.id, SHOWN), unreadOf(db, chat)]);
  const told = messages.map(({ seq, by, text, at }) => ({ seq, by, text, at: at.toISOString() }));
  return { messages: told, unread, version: chat.version };
}
