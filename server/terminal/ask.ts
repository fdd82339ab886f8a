// Questions on the terminal, whose answers come line by line from standard input: typed, or from another program.

import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

export interface Questions {
  /**
   * Asks; gives the answer, trimmed, or undefined where standard input has ended. What is `hidden` is not shown as it is typed.
   */
  ask(words: string, options?: { readonly hidden?: boolean }): Promise<string | undefined>;
  close(): void;
}

/** Opens standard input for answers. */
export function openQuestions(): Questions {
  const isTyped = process.stdin.isTTY === true;
  let isHidden = false;
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!isHidden) process.stdout.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, terminal: isTyped, ...(isTyped && { output }) });
  const answers = lines[Symbol.asyncIterator]();
  return {
    async ask(words, { hidden = false } = {}) {
      process.stdout.write(words);
      isHidden = hidden;
      const { value, done } = await answers.next();
      isHidden = false;
      if (hidden || !isTyped) process.stdout.write('\n');
      return done ? undefined : value.trim();
    },
    close: () => lines.close(),
  };
}
