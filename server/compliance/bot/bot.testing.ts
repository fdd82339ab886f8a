// Solves challenges as a browser does, for tests only.

import { createHash } from 'node:crypto';
import type { BotChallenge } from './bot.ts';

/** Returns the token of a solved challenge; `change` overrides its fields. */
export function solutionOf(request: BotChallenge, change: Readonly<Record<string, unknown>> = {}): string {
  const { algorithm, challenge, salt, signature, maxnumber } = request;
  const hashOf = (number: number): string => createHash('sha256').update(`${salt}${number}`).digest('hex');
  let number = 0;
  while (number <= maxnumber && hashOf(number) !== challenge) number += 1;
  return Buffer.from(JSON.stringify({ algorithm, challenge, number, salt, signature, ...change })).toString('base64');
}
