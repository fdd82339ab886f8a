// A seed's words at the terminal: typing them in, and writing new ones down.

import {
  ConfigError,
  SEED_WORDS,
  type TypedWord,
  sortedByPlace,
  isListed,
  isSeed,
  nearWords,
  typedWords,
} from '../platform/index.ts';
import type { Questions } from './ask.ts';

const NOTHING = 'Nothing was made.';
/** Number of wrong answers to one question before the words are shown again or the command ends. */
const TRIES = 3;

/**
 * Asks for the words of a seed. Returns them as they are stored. A word that is not in the list is asked for again. Throws a
 * ConfigError, which never repeats what was typed, if there are too many or too few words, if a word stays unknown, or if their
 * checksum is wrong.
 */
export async function askSeed(questions: Questions): Promise<string> {
  questions.say(`Type the ${SEED_WORDS} words of the seed in their order, or paste them: in one line or in several, with numbers or without.
Nothing of what you type is shown.\n`);
  const typed: TypedWord[] = [];
  while (typed.length < SEED_WORDS) {
    const line = await questions.ask(`Word ${typed.length + 1}: `);
    if (line === undefined) break;
    const words = typedWords(line);
    if (typed.length === 0 && words.length > 0 && words.every(({ word }) => isForeign(word))) {
      questions.say('These are letters of another language. Switch the keyboard to English, and type them again.');
      await questions.rest();
      continue;
    }
    typed.push(...words);
  }
  for (const line of await questions.rest()) typed.push(...typedWords(line));
  if (typed.length !== SEED_WORDS) {
    const count = typed.length === 1 ? 'This was 1 word' : `These were ${typed.length} words`;
    throw new ConfigError(`${count}, and a seed of Kurs has ${SEED_WORDS}. ${NOTHING}`);
  }
  const words = sortedByPlace(typed);
  if (words === undefined)
    throw new ConfigError(
      `The numbers before the words are not 1 to ${SEED_WORDS}, each once. Type the words without numbers. ${NOTHING}`,
    );
  for (const [at, word] of words.entries()) if (!isListed(word)) words[at] = await askAgain(questions, at + 1, word);
  if (!isSeed(words))
    throw new ConfigError(`Each of the words is in the list, and yet their checksum is wrong: one of them is another word, or two have
changed places. Compare them with your paper, word by word. ${NOTHING}`);
  return words.join(' ');
}

/** Asks again for a word that is not in the list. Throws a ConfigError after a few tries. */
async function askAgain(questions: Questions, number: number, typed: string): Promise<string> {
  let unknown = typed;
  for (let tries = 0; tries < TRIES; tries += 1) {
    questions.say(unlisted(number, unknown));
    const answer = await questions.ask(`Word ${number}: `);
    if (answer === undefined) break;
    const [again, ...more] = typedWords(answer);
    if (again !== undefined && more.length === 0 && isListed(again.word)) return again.word;
    unknown = again?.word ?? '';
  }
  throw new ConfigError(`${unlisted(number, unknown)} ${NOTHING}`);
}

/** True if the word has letters of another alphabet; hidden typing doesn't show which ones a keyboard types. */
const isForeign = (word: string): boolean => /[^a-z]/.test(word) && /\p{L}/u.test(word.replace(/[a-z]/g, ''));

function unlisted(number: number, word: string): string {
  const near = nearWords(word);
  const wrong = `Word ${number} is not one of the list that seeds are made of`;
  if (isForeign(word)) return `${wrong}: it has letters of another language. Switch the keyboard to English.`;
  return `${wrong}. ${near.length > 0 ? `Near it: ${near.join(', ')}.` : 'Nothing in the list is near it.'}`;
}

const CLEAR = '\u001b[2J\u001b[3J\u001b[H';

/**
 * Shows new words and asks for all of them in order. After a few wrong answers to one word, shows all words once more. Returns
 * false if they were not repeated, or standard input has ended.
 */
export async function areWrittenDown(questions: Questions, words: readonly string[]): Promise<boolean> {
  for (let shown = 0; shown < TRIES; shown += 1) {
    if (shown > 0)
      questions.say('\nThese are the words once more. Correct your paper: all of them are asked back again, from the first.\n');
    for (let at = 0; at < words.length; at += 4) {
      questions.say(
        words
          .slice(at, at + 4)
          .map((word, offset) => `${String(at + offset + 1).padStart(4)} ${word.padEnd(10)}`)
          .join(''),
      );
    }
    questions.say('');
    if (process.stdin.isTTY && process.stdout.isTTY) {
      await questions.ask('Press Enter when they are on paper: the screen is cleared, and you type all of them from the paper. ');
      process.stdout.write(CLEAR);
    }
    const given = await askBack(questions, words);
    if (given !== 'wrong') return given === 'right';
  }
  return false;
}

async function askBack(questions: Questions, words: readonly string[]): Promise<'right' | 'wrong' | 'ended'> {
  let at = 0;
  let tries = 0;
  while (at < words.length) {
    const answer = await questions.ask(`Word ${at + 1}: `);
    if (answer === undefined) return 'ended';
    // Several words in one line are checked one after another.
    const typed = typedWords(answer).map(({ word }) => word);
    const right = typed.findIndex((word, offset) => word !== words[at + offset]);
    const count = right === -1 ? typed.length : right;
    if (count > 0) tries = 0;
    at += count;
    if (right === -1 && typed.length > 0) continue;
    tries += 1;
    if (tries === TRIES) return 'wrong';
    const before = at === 0 ? '' : at === 1 ? ' Word 1 was right.' : ` Words 1 to ${at} were right.`;
    questions.say(`That is not word ${at + 1}.${before} Look at your paper, and type word ${at + 1} again.`);
  }
  return 'right';
}
