// The desk's messages to customers. Anybody of the desk may read them; sending takes an operator and is stored in the audit.

import type { Input, Output, Routes } from '@kurs/contract';
import type { OwnerKind } from '../../collecting/index.ts';
import type { Sender } from '../../deliveries/index.ts';
import type { Db, Tx } from '../../platform/index.ts';
import { answerTicket, closeTicket, deskChat, deskTicket, sayInChat } from '../../support/index.ts';
import type { Person } from '../people/roles.ts';
import { actAs } from '../people/two-people.ts';

interface Talking {
  readonly db: Db;
  readonly owners: readonly OwnerKind[];
}

/** Answers a ticket. Throws `forbidden`, `ticket_not_found`, `validation`. */
export async function answer(
  { db, sender, owners }: Talking & { readonly sender: Sender },
  person: Person,
  { id, text }: Input<Routes['operatorTicketAnswer']>,
  key: string | undefined,
): Promise<Output<Routes['operatorTicketAnswer']>> {
  await act(db, person, { action: 'ticket_answer', subject: id, body: { text }, key }, (tx) =>
    answerTicket(tx, sender, { id, text, person: person.name }),
  );
  return deskTicket(db, owners, id);
}

/** Closes a ticket. Throws `forbidden`, `ticket_not_found`. */
export async function close(
  { db, owners }: Talking,
  person: Person,
  { id }: Input<Routes['operatorTicketClose']>,
  key: string | undefined,
): Promise<Output<Routes['operatorTicketClose']>> {
  await act(db, person, { action: 'ticket_close', subject: id, body: {}, key }, (tx) => closeTicket(tx, id));
  return deskTicket(db, owners, id);
}

/**
 * Adds a message to the chat of an order, or of another owner with this number. Throws `forbidden`, `order_not_found`,
 * `validation`.
 */
export async function say(
  { db, owners }: Talking,
  person: Person,
  { order, text }: Input<Routes['operatorSay']>,
  key: string | undefined,
): Promise<Output<Routes['operatorSay']>> {
  await act(db, person, { action: 'chat_say', subject: order, body: { text }, key }, (tx) =>
    sayInChat(tx, owners, { number: order, text, person: person.name }),
  );
  return deskChat(db, owners, order);
}

type Said = { readonly action: string; readonly subject: string; readonly body: object; readonly key: string | undefined };

/** Carries out an action and records it in the audit. Messages need no reason from the person: the audit has their text. */
async function act(db: Db, person: Person, said: Said, work: (tx: Tx) => Promise<void>): Promise<void> {
  await db.tx((tx) => actAs(tx, person, { ...said, reason: 'support', permission: 'tickets.answer', people: 1 }, () => work(tx)));
}
