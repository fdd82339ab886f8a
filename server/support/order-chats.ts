// The chats of orders: an order's secret opens it, and a page follows it by the order's stream. The only file here that knows
// orders.

import { type Output, Problem, type Routes } from '@kurs/contract';
import { type Sender, type StoredOrder, linkTo, orderByToken, readOrder, readOrders } from '../exchange/index.ts';
import {
  type Db,
  type ListMeta,
  type PageAsked,
  type Statements,
  type Tx,
  type Work,
  canonicalEmail,
  listMeta,
} from '../platform/index.ts';
import { type ChatWire, type Chatting, readChat, sayToCustomer, sayToDesk, seeChat } from './chat.ts';
import type { ChatAddress } from './letters.ts';
import { threadPage } from './store.ts';

type Names = 'orderChat' | 'orderSay' | 'orderChatSeen';

const chatting = ({ view, number, email, locale }: StoredOrder): Chatting => ({
  owner: { kind: 'order', id: view.id },
  ...{ number, email, locale },
});

/** The calls of an order's page. All throw `order_not_found`. */
export function orderChatRoutes({ db, sender }: { readonly db: Db; readonly sender: Sender }): { [N in Names]: Work<Routes[N]> } {
  const about = async (key: { readonly id: string; readonly token: string }): Promise<Chatting> =>
    chatting(await orderByToken(db, sender.tokens, key));
  return {
    orderChat: async (input) => readChat(db, (await about(input)).owner),
    orderSay: async ({ text, ...key }, context) => sayToDesk(db, await about(key), text, context),
    orderChatSeen: async ({ seq, ...key }, context) => seeChat(db, (await about(key)).owner, seq, context),
  };
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
  return readChat(db, (await known(db, number)).owner);
}

/** The desk says something to an order's customer. Throws `order_not_found`, `validation` for a chat that is full. */
export async function sayInChat(
  tx: Tx,
  { order: number, ...said }: { readonly order: string; readonly text: string; readonly person: string },
): Promise<void> {
  await sayToCustomer(tx, await known(tx, number), said);
}

/** Whether an order bears this number and is of somebody with this mailbox. */
export async function isOrderOf(db: Statements, number: string, email: string): Promise<boolean> {
  const order = await readOrder(db, number);
  return order !== undefined && canonicalEmail(order.email) === canonicalEmail(email);
}

/** Where the letters about the chats of these orders go; nowhere for an order whose row was changed past the product. */
export async function addressesOfOrders(tx: Tx, sender: Sender, ids: readonly string[]): Promise<ChatAddress[]> {
  const orders = (await readOrders(tx, ids)).filter(({ isAltered }) => !isAltered);
  return orders.map((order) => {
    const { owner, number, email, locale } = chatting(order);
    return { ...{ owner, number, locale, to: email }, url: `${linkTo(sender, order)}&chat=1` };
  });
}

async function known(db: Statements, number: string): Promise<Chatting> {
  const order = await readOrder(db, number);
  if (!order) throw new Problem('order_not_found');
  return chatting(order);
}
