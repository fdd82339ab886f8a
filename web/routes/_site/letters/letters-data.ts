import { data } from 'react-router';
import { m } from '../../../features/words.ts';
import type { Head } from '../../../server/document/document.ts';
import { isCallError } from '../../../server/document/failure.ts';
import type { Visit } from '../../../server/routing/visit.ts';

export interface LettersData {
  readonly head: Head;
  /** The address has what a letter's link has. */
  readonly isWhole: boolean;
}

/** What pressing the button, or a mail program by itself, came to. */
export interface LettersAnswer {
  readonly isOff: boolean;
}

const keyOf = ({ url: { searchParams } }: Visit): { holder: string; token: string } => ({
  holder: searchParams.get('holder') ?? '',
  token: searchParams.get('token') ?? '',
});

/** The question: opening a link changes nothing, since programs that look at mail open links. */
export async function load(visit: Visit): Promise<LettersData> {
  const { holder, token } = keyOf(visit);
  return { head: { title: m.letters_head() }, isWhole: holder !== '' && token !== '' };
}

/** Switches the letters off. A mail program sends the form by itself (RFC 8058): the link alone says whose. */
export async function act(visit: Visit): Promise<unknown> {
  try {
    await visit.client.lettersOff(keyOf(visit));
    return { isOff: true } satisfies LettersAnswer;
  } catch (error) {
    if (!isCallError(error) || error.status >= 500) throw error;
    return data({ isOff: false } satisfies LettersAnswer, { status: error.status });
  }
}
