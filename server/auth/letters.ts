import { type Locale, say } from '@kurs/contract';
import { type Tx, mail, newId, writeLetter } from '../platform/index.ts';

/** Queues the letter with a code to sign up or in with. */
export async function queueCode(
  tx: Tx,
  { to, locale, name, code }: { to: string; locale: Locale; name: string; code: string },
): Promise<void> {
  const words = (key: string): string => {
    const found = say(locale, `mail.sign_in.${key}`, { name });
    if (found === undefined) throw new Error(`No words for mail.sign_in.${key} in ${locale}`);
    return found;
  };
  const letter = writeLetter({ locale, name, subject: words('subject'), paragraphs: [words('lead')], code, keep: words('keep') });
  await mail.queue(tx, { to, locale, ...letter, key: `code ${newId()}` });
}
