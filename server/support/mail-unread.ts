import type { ChatAddress, OwnerKind } from '../collecting/index.ts';
import type { Sender } from '../deliveries/index.ts';
import type { Db } from '../platform/index.ts';
import { queueUnread } from './letters.ts';
import { settings } from './settings.ts';
import { lockUnseen, messagesOf, noteMailed } from './store.ts';

const MAX = 50;
/** Maximum number of messages in one letter, the newest ones. */
const REPORTED = 20;

/**
 * Mails the desk's messages of chats that their customers haven't read for a while. One letter has all unread messages of a chat.
 * The next letter about a chat is sent only after the customer has read these messages. Returns the number of chats that were
 * mailed.
 */
export async function mailUnread(db: Db, sender: Sender, kinds: readonly OwnerKind[]): Promise<number> {
  return db.tx(async (tx) => {
    const before = new Date(tx.now.getTime() - settings.get('support.chat_mail_seconds') * 1_000);
    const chats = await lockUnseen(tx, before, MAX);
    const owners = Map.groupBy(
      chats.flatMap(({ owner }) => owner ?? []),
      ({ kind }) => kind,
    );
    const addresses: ChatAddress[] = [];
    for (const [kind, some] of owners) {
      const chat = kinds.find((one) => one.kind === kind)?.chat;
      if (!chat) throw new Error(`No room has registered chats about the kind ${kind}`);
      addresses.push(
        ...(await chat.addresses(
          tx,
          sender,
          some.map(({ id }) => id),
        )),
      );
    }
    for (const chat of chats) {
      const address = addresses.find(({ owner }) => owner.id === chat.owner?.id);
      const said = (await messagesOf(tx, chat.id, REPORTED)).filter(({ by, seq }) => by === 'desk' && seq > chat.seenSeq);
      const texts = said.map(({ text }) => text);
      if (address && texts.length > 0) queueUnread(tx, sender, address, { seq: chat.deskSeq, texts });
      await noteMailed(tx, chat.id, chat.deskSeq);
    }
    return chats.length;
  });
}
