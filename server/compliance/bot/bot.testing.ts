// Solves challenges as a browser does. For tests only.

import { createHash } from 'node:crypto';
import type { BotChallenge } from './bot.ts';

/** Solves a challenge and returns the token. `change`: fields of the token to replace. */
export function solutionOf(request: BotChallenge, change: Readonly<Record<string, unknown>> = {}): string {
  const { algorithm, challenge, salt, signature, maxnumber } = request;
  const hashOf = (number: number): string => createHash('sha256').update(`${salt}${number}`).digest('hex');
  let number = 0;
  while (number <= maxnumber && hashOf(number) !== challenge) number += 1;
  return Buffer.from(JSON.stringify({ algorithm, challenge, number, salt, signature, ...change })).toString('base64');
}
