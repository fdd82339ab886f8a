import { data } from 'react-router';
import { m } from '../../../features/words.ts';
import type { Head } from '../../../server/document/document.ts';
import { isCallError } from '../../../server/document/failure.ts';
import type { Visit } from '../../../server/routing/visit.ts';

export interface LettersData {
  readonly head: Head;
  /** True if the URL contains the account and the token of a letter's link. */
  readonly isWhole: boolean;
  /** Kind of the letters to switch off: about the progress of orders, or the affiliate's monthly statement. */
  readonly of: 'orders' | 'rewards';
}

/** Result of the form that switches letters off. A person or a mail program sends this form. */
export interface LettersAnswer {
  readonly isOff: boolean;
}

const keyOf = ({ url: { searchParams } }: Visit): { holder: string; token: string } => ({
  holder: searchParams.get('holder') ?? '',
  token: searchParams.get('token') ?? '',
});

const lettersOf = ({ url: { searchParams } }: Visit): LettersData['of'] =>
  searchParams.get('of') === 'rewards' ? 'rewards' : 'orders';

/** Loads a page with a button only: programs that scan mail open links, so opening the page must change nothing. */
export async function load(visit: Visit): Promise<LettersData> {
  const { holder, token } = keyOf(visit);
  const of = lettersOf(visit);
  const title = of === 'rewards' ? m.letters_rewards_head() : m.letters_head();
  return { head: { title }, isWhole: holder !== '' && token !== '', of };
}

/**
 * Switches off letters of one kind. Mail programs may send this form automatically (RFC 8058), without a session. So only the
 * token in the link identifies the account.
 */
export async function submit(visit: Visit): Promise<unknown> {
  try {
    const { client } = visit;
    await (lettersOf(visit) === 'rewards' ? client.affiliateLettersOff(keyOf(visit)) : client.lettersOff(keyOf(visit)));
    return { isOff: true } satisfies LettersAnswer;
  } catch (error) {
    if (!isCallError(error) || error.status >= 500) throw error;
    return data({ isOff: false } satisfies LettersAnswer, { status: error.status });
  }
}
