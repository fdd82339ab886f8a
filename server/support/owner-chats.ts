// Calls about chats, for each kind of owner that registers them. An owner's secret opens its chat.

import { type Output, Problem, type Route, type Routes } from '@kurs/contract';
import { type NumberedOwner, type OwnerKey, type OwnerKind, ownerByNumber } from '../collecting/index.ts';
import type { Sender } from '../deliveries/index.ts';
import {
  type Db,
  type ListMeta,
  type PageRequest,
  type Statements,
  type Tx,
  type Work,
  canonicalEmail,
  listMeta,
} from '../platform/index.ts';
import { type ChatWire, readChat, sayToCustomer, sayToDesk, seeChat } from './chat.ts';
import { threadPage } from './store.ts';

/**
 * Returns the handlers of the calls about chats, by the names that the kinds of owners register. For a wrong secret, each throws
 * the problem that its kind registers.
 */
export function ownerChatRoutes({
  db,
  sender,
  owners,
}: {
  readonly db: Db;
  readonly sender: Sender;
  readonly owners: readonly OwnerKind[];
}): Record<string, Work<Route>> {
  const handlers: Record<string, unknown> = {};
  for (const { chat } of owners) {
    if (!chat) continue;
    const about = ({ id, token }: OwnerKey): Promise<NumberedOwner> => chat.byToken(db, sender, { id, token });
    const read: Work<Routes['orderChat']> = async (input) => readChat(db, (await about(input)).owner);
    const say: Work<Routes['orderSay']> = async ({ text, ...key }, context) => sayToDesk(db, await about(key), text, context);
    const seen: Work<Routes['orderChatSeen']> = async ({ seq, ...key }, context) =>
      seeChat(db, (await about(key)).owner, seq, context);
    Object.assign(handlers, { [chat.calls.read]: read, [chat.calls.say]: say, [chat.calls.seen]: seen });
  }
  return handlers as Record<string, Work<Route>>;
}

/** Returns a page of the chats that wait for the desk, the longest waiting first. */
export async function deskChats(
  db: Db,
  request: PageRequest,
): Promise<{ data: Output<Routes['operatorChats']>; meta: ListMeta }> {
  const { rows, total, next } = await threadPage(db, { ...request, kind: 'chat', isWaiting: true });
  const data = rows.map(({ number, email, locale, statusAt, text }) => ({
    order: number,
    ...{ email, locale, since: statusAt.toISOString(), text },
  }));
  return { data, meta: listMeta(request, total, { rows: rows.length, next }) };
}

/** Returns the chat about the owner with this number. Throws `order_not_found`. */
export async function deskChat(db: Statements, owners: readonly OwnerKind[], number: string): Promise<ChatWire> {
  return readChat(db, (await chatted(db, owners, number)).owner);
}

/** Adds the desk's message to an owner's chat. Throws `order_not_found`, and `validation` for a full chat. */
export async function sayInChat(
  tx: Tx,
  owners: readonly OwnerKind[],
  { number, ...said }: { readonly number: string; readonly text: string; readonly person: string },
): Promise<void> {
  await sayToCustomer(tx, await chatted(tx, owners, number), said);
}

/** True if there is an owner with this number whose customer has this e-mail. */
export async function isNumberOf(
  db: Statements,
  owners: readonly OwnerKind[],
  { number, email }: { readonly number: string; readonly email: string },
): Promise<boolean> {
  const found = await ownerByNumber(db, owners, number);
  return found !== undefined && canonicalEmail(found.email) === canonicalEmail(email);
}

async function chatted(db: Statements, owners: readonly OwnerKind[], number: string): Promise<NumberedOwner> {
  const found = await ownerByNumber(
    db,
    owners.filter(({ chat }) => chat !== undefined),
    number,
  );
  if (!found) throw new Problem('order_not_found');
  return found;
}
