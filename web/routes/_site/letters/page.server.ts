import { data } from 'react-router';
import { m } from '../../../features/words.ts';
import type { Head } from '../../../server/document/document.ts';
import { isCallError } from '../../../server/document/failure.ts';
import type { Visit } from '../../../server/routing/visit.ts';

export interface LettersData {
  readonly head: Head;
  /** The address has what a letter's link has. */
  readonly isWhole: boolean;
  /** Which letters: about the way of orders, or what a month has brought an affiliate. */
  readonly of: 'orders' | 'rewards';
}

/** What pressing the button, or a mail program by itself, came to. */
export interface LettersAnswer {
  readonly isOff: boolean;
}

const keyOf = ({ url: { searchParams } }: Visit): { holder: string; token: string } => ({
  holder: searchParams.get('holder') ?? '',
  token: searchParams.get('token') ?? '',
});

const lettersOf = ({ url: { searchParams } }: Visit): LettersData['of'] =>
  searchParams.get('of') === 'rewards' ? 'rewards' : 'orders';

/** The question: opening a link changes nothing, since programs that look at mail open links. */
export async function load(visit: Visit): Promise<LettersData> {
  const { holder, token } = keyOf(visit);
  const of = lettersOf(visit);
  const title = of === 'rewards' ? m.letters_rewards_head() : m.letters_head();
  return { head: { title }, isWhole: holder !== '' && token !== '', of };
}

/** Switches the letters off. A mail program sends the form by itself (RFC 8058): the link alone says whose. */
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
