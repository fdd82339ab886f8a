import { type Sender, readOrders } from '../exchange/index.ts';
import type { Db } from '../platform/index.ts';
import { queueUnread } from './letters.ts';
import { settings } from './settings.ts';
import { lockUnseen, messagesOf, noteMailed } from './store.ts';

const MOST = 50;
/** Of one letter: the newest so many of what was said. */
const TOLD = 20;

/**
 * Mails what the desk said in chats that nobody has looked at for a while: one letter for all of it, and no other before
 * the customer has looked. Gives how many.
 */
export async function mailUnread(db: Db, sender: Sender): Promise<number> {
  return db.tx(async (tx) => {
    const before = new Date(tx.now.getTime() - settings.get('support.chat_mail_seconds') * 1_000);
    const chats = await lockUnseen(tx, before, MOST);
    const orders = await readOrders(
      tx,
      chats.flatMap(({ orderId }) => orderId ?? []),
    );
    for (const chat of chats) {
      const order = orders.find(({ view }) => view.id === chat.orderId);
      const said = (await messagesOf(tx, chat.id, TOLD)).filter(({ by, seq }) => by === 'desk' && seq > chat.seenSeq);
      if (order && said.length > 0)
        await queueUnread(tx, sender, { order, seq: chat.deskSeq, texts: said.map(({ text }) => text) });
      await noteMailed(tx, chat.id, chat.deskSeq);
    }
    return chats.length;
  });
}
