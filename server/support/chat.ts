// Chats: conversations of a customer with the desk about one owner of money. The owner's kind decides who may read and write.

import { type Output, type Routes } from '@kurs/contract';
import type { NumberedOwner } from '../collecting/index.ts';
import { type Context, type Db, type Owner, type Statements, type Tx, newId } from '../platform/index.ts';
import {
  type Thread,
  addMessage,
  addThread,
  chatOf,
  messagesOf,
  noteCustomer,
  noteDesk,
  noteSeen,
  threadByKey,
  unreadOf,
} from './store.ts';
import { keyOf, plainLines, requireRoom } from './ticket.ts';

export type ChatWire = Output<Routes['orderChat']>;

/** Maximum number (`max`) of a customer's messages in one chat within `seconds`. */
const SAID = { max: 20, seconds: 600 };
const POLLS = { max: 600, seconds: 3_600 };
/** Maximum number of messages on a page, the newest ones. */
const SHOWN = 60;

/** Returns the chat about an owner; empty before its first message. */
export async function readChat(db: Statements, owner: Owner): Promise<ChatWire> {
  const chat = await chatOf(db, owner);
  if (!chat) return { messages: [], unread: 0, version: 0 };
  const [messages, unread] = await Promise.all([messagesOf(db, chat.id, SHOWN), unreadOf(db, chat)]);
  const reported = messages.map(({ seq, by, text, at }) => ({ seq, by, text, at: at.toISOString() }));
  return { messages: reported, unread, version: chat.version };
}

/** Adds a customer's message. Throws `rate_limited`, and `validation` for a full chat. */
export async function sayToDesk(
  db: Db,
  about: NumberedOwner,
  text: string,
  { limit, idempotencyKey, isRepeated }: Context,
): Promise<ChatWire> {
  const { owner } = about;
  await limit(`chat ${owner.id}`, SAID);
  const key = keyOf('chat', owner.id, idempotencyKey);
  await db.tx(async (tx) => {
    if (isRepeated && key !== undefined && (await threadByKey(tx, key))) return;
    const chat = await lockedChat(tx, about);
    await addMessage(tx, chat, { by: 'customer', text: plainLines(text), key });
    await noteCustomer(tx, chat);
  });
  return readChat(db, owner);
}

/** Adds the desk's message. Throws `validation` for a full chat. */
export async function sayToCustomer(
  tx: Tx,
  about: NumberedOwner,
  { text, person }: { readonly text: string; readonly person: string },
): Promise<void> {
  const chat = await lockedChat(tx, about);
  const seq = await addMessage(tx, chat, { by: 'desk', text: plainLines(text), key: undefined, person });
  await noteDesk(tx, chat, seq);
}

/** Marks the desk's messages as read by the customer, up to the message with the number `seq`. Returns the chat. */
export async function seeChat(db: Db, owner: Owner, seq: number, { limit }: Context): Promise<ChatWire> {
  await limit(`chat seen ${owner.id}`, POLLS);
  await db.tx((tx) => noteSeen(tx, owner, seq));
  return readChat(db, owner);
}

/** Locks and returns the owner's chat; creates the chat if there is none. Throws `validation` if it is full. */
async function lockedChat(tx: Tx, about: NumberedOwner): Promise<Thread> {
  let chat = await chatOf(tx, about.owner, true);
  if (!chat) {
    await addThread(tx, { ...about, id: newId(), topic: null, aboutNumber: null, status: 'answered' });
    chat = (await chatOf(tx, about.owner, true)) as Thread;
  }
  await requireRoom(tx, chat);
  return chat;
}
