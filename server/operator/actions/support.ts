// The desk's words to customers: reads are for anybody of the desk, what is said is an operator's action and a row of the audit.

import type { Input, Output, Routes } from '@kurs/contract';
import type { Sender } from '../../exchange/index.ts';
import type { Db, Tx } from '../../platform/index.ts';
import { answerTicket, closeTicket, deskChat, deskTicket, sayInChat } from '../../support/index.ts';
import type { Person } from '../people/roles.ts';
import { actAs } from '../people/two-people.ts';

/** Answers a ticket. Throws `forbidden`, `ticket_not_found`, `validation`. */
export async function answer(
  { db, sender }: { readonly db: Db; readonly sender: Sender },
  person: Person,
  { id, text }: Input<Routes['operatorTicketAnswer']>,
  key: string | undefined,
): Promise<Output<Routes['operatorTicketAnswer']>> {
  await act(db, person, { action: 'ticket_answer', subject: id, body: { text }, key }, (tx) =>
    answerTicket(tx, sender, { id, text, person: person.name }),
  );
  return deskTicket(db, id);
}

/** Closes a ticket. Throws `forbidden`, `ticket_not_found`. */
export async function close(
  db: Db,
  person: Person,
  { id }: Input<Routes['operatorTicketClose']>,
  key: string | undefined,
): Promise<Output<Routes['operatorTicketClose']>> {
  await act(db, person, { action: 'ticket_close', subject: id, body: {}, key }, (tx) => closeTicket(tx, id));
  return deskTicket(db, id);
}

/** Writes to an order's customer. Throws `forbidden`, `order_not_found`, `validation`. */
export async function say(
  db: Db,
  person: Person,
  { order, text }: Input<Routes['operatorSay']>,
  key: string | undefined,
): Promise<Output<Routes['operatorSay']>> {
  await act(db, person, { action: 'chat_say', subject: order, body: { text }, key }, (tx) =>
    sayInChat(tx, { order, text, person: person.name }),
  );
  return deskChat(db, order);
}

type Said = { readonly action: string; readonly subject: string; readonly body: object; readonly key: string | undefined };

/** An answer is its own reason. */
async function act(db: Db, person: Person, said: Said, work: (tx: Tx) => Promise<void>): Promise<void> {
  await db.tx((tx) => actAs(tx, person, { ...said, reason: 'support', permission: 'tickets.answer', people: 1 }, () => work(tx)));
}
