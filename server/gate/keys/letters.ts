// Letters to the owner of a store and to the maker of an API key: about a new key, and about one that ends.

import { sitePath } from '@kurs/contract';
import { type EndingKey, type Holder, type ListedKey, holdersById, letterTimes, membersOf, nameOfKey } from '../../auth/index.ts';
import { type Letter, type Sender, mail } from '../../deliveries/index.ts';
import { type Tx, type User, letterWords } from '../../platform/index.ts';
import { type Store, asResource } from '../stores/store.ts';

/** Queues the letters about a new key. `ip`: network address of the request. */
export async function queueKeyMade(
  tx: Tx,
  sender: Sender,
  store: Store,
  { key, by, ip }: { readonly key: ListedKey; readonly by: User; readonly ip: string },
): Promise<void> {
  const readers = await readersOf(tx, store, by.id);
  const letters = readers.map((reader) => {
    const words = wordsOf(sender, store, reader);
    const at = letterTimes(reader);
    return {
      ...addressed(sender, reader, `store key ${key.id} ${reader.id}`),
      subject: words('key_made.subject'),
      paragraphs: [words('key_made.lead', { by: by.email }), words('key_made.not_you')],
      facts: [
        ...[[words('key'), nameOfKey(key)] as const, [words('permissions'), key.scopes.join(', ')] as const],
        ...[[words('ends'), at(new Date(key.expires_at))] as const, [words('from'), ip] as const],
      ],
      keep: words('keep'),
    };
  });
  mail.queue(tx, ...letters);
}

/** Queues the letters about a key that ends in some days, or has ended. */
export async function queueKeyEnding(tx: Tx, sender: Sender, store: Store, key: EndingKey): Promise<void> {
  const { id, madeBy, expiresAt, days } = key;
  const kind = days === 0 ? 'key_over' : 'key_ending';
  const readers = await readersOf(tx, store, madeBy);
  const letters = readers.map((reader) => {
    const words = wordsOf(sender, store, reader);
    return {
      ...addressed(sender, reader, `store key ${id} ends ${days} ${reader.id}`),
      subject: words(`${kind}.subject`),
      paragraphs: [words(`${kind}.lead`), words(`${kind}.then`)],
      facts: [[words('key'), nameOfKey(key)] as const, [words('ends'), letterTimes(reader)(expiresAt)] as const],
      keep: words('keep'),
    };
  });
  mail.queue(tx, ...letters);
}

/** Returns the owner of a store and the maker of a key, if they are still a member, each once. */
async function readersOf(tx: Tx, store: Store, madeBy: string | undefined): Promise<Holder[]> {
  const members = await membersOf(tx, asResource(store));
  const ids = members.map(({ holderId }) => holderId).filter((id) => id === store.holderId || id === madeBy);
  return [...(await holdersById(tx, ids)).values()].filter(({ isAltered }) => !isAltered);
}

const wordsOf = ({ name }: Sender, { name: store }: Store, { locale }: Holder) => letterWords(locale, 'store', { name, store });

/** Returns the address and the link of a letter about keys. */
function addressed(
  { name, url }: Sender,
  { email: to, locale }: Holder,
  key: string,
): Omit<Letter, 'subject' | 'paragraphs' | 'keep'> {
  const page = url + sitePath(locale, 'dashboard/business');
  return { to, locale, name, key, link: { url: page, words: letterWords(locale, 'store')('open') } };
}
