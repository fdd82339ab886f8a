import type { Sender } from '../exchange/index.ts';
import type { Db, Tx } from '../platform/index.ts';
import { type ChatAddress, queueUnread } from './letters.ts';
import { addressesOfOrders } from './order-chats.ts';
import { settings } from './settings.ts';
import { lockUnseen, messagesOf, noteMailed } from './store.ts';

const MOST = 50;
/** How many of the newest messages one letter holds. */
const TOLD = 20;

/** Where the letters about chats go, by the kind of what those are about. */
const ADDRESSES: Readonly<Record<string, (tx: Tx, sender: Sender, ids: readonly string[]) => Promise<ChatAddress[]>>> = {
  order: addressesOfOrders,
};

/**
 * Mails what the desk said in chats that nobody has looked at for a while: one letter for all of it, and no other before
 * the customer has looked. Gives how many.
 */
export async function mailUnread(db: Db, sender: Sender): Promise<number> {
  return db.tx(async (tx) => {
    const before = new Date(tx.now.getTime() - settings.get('support.chat_mail_seconds') * 1_000);
    const chats = await lockUnseen(tx, before, MOST);
    const owners = Map.groupBy(chats.flatMap(({ owner }) => owner ?? []), ({ kind }) => kind); // prettier-ignore
    const addresses: ChatAddress[] = [];
    for (const [kind, some] of owners) {
      const addressesOf = ADDRESSES[kind];
      if (!addressesOf) throw new Error(`Nobody knows where letters about a chat of the kind ${kind} go`);
      addresses.push(...(await addressesOf(tx, sender, some.map(({ id }) => id)))); // prettier-ignore
    }
    for (const chat of chats) {
      const address = addresses.find(({ owner }) => owner.id === chat.owner?.id);
      const said = (await messagesOf(tx, chat.id, TOLD)).filter(({ by, seq }) => by === 'desk' && seq > chat.seenSeq);
      const texts = said.map(({ text }) => text);
      if (address && texts.length > 0) queueUnread(tx, sender, address, { seq: chat.deskSeq, texts });
      await noteMailed(tx, chat.id, chat.deskSeq);
    }
    return chats.length;
  });
}
