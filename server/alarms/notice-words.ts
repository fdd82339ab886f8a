// Text of the messages about alarms.

import { currencyName } from '../payments/index.ts';
import type { LetterContent } from '../platform/index.ts';
import { TO_DO, type AlarmMessage } from './alarm.ts';

const HEADS: Readonly<Record<AlarmMessage['notice'], string>> = { raised: 'Alarm', reminder: 'Still', over: 'Over' };

/**
 * Returns the heading for an alarm's key, with names of currencies instead of codes: `reserve USDT_TRC20` becomes `reserve USDT
 * (TRON · TRC-20)`.
 */
const headOf = (key: string): string => key.replace(/\b[A-Z]+_[A-Z0-9]+\b/g, currencyName);

const minute = (at: Date): string => at.toISOString().slice(0, 16).replace('T', ' ');

/** Returns a message about an alarm as a letter, and as one line for the webhook and the file. `name`: name of the product. */
export function writeNotice(
  { notice, alarm }: AlarmMessage,
  name: string,
  now: Date,
): { readonly letter: LetterContent; readonly line: string } {
  const { key, kind, since, goneSince } = alarm;
  const head = `${HEADS[notice]}: ${headOf(key)}`;
  // The stored words are in the present tense, so a message about the alarm's end says first that it is over.
  const words = notice === 'over' ? `It is over. It was: ${alarm.words}` : alarm.words;
  const lasted = notice === 'over' ? `from ${minute(since)} to ${minute(goneSince ?? now)} UTC` : `since ${minute(since)} UTC`;
  const letter: LetterContent = {
    ...{ locale: 'en', name, subject: `${name}: ${head}`, paragraphs: notice === 'over' ? [words] : [words, TO_DO[kind]] },
    facts: [[notice === 'over' ? 'Lasted' : 'Since', lasted.replace(/^since /, '')]],
    keep: 'docs/operations.md explains each alarm and what to do.',
  };
  return { letter, line: `${head}. ${words} (${lasted})` };
}
