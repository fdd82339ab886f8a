// Questions on the terminal. Answers are lines of standard input: typed, or from another program.

import { setTimeout as pause } from 'node:timers/promises';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

export interface Questions {
  /**
   * Asks a question. Returns the trimmed answer, or undefined if standard input has ended. An `isHidden` answer isn't shown while it
   * is typed.
   */
  ask(words: string, options?: { readonly isHidden?: boolean }): Promise<string | undefined>;
  /** Prints a line. */
  say(words: string): void;
  /** Returns the lines that arrived together with the last answer, so that a paste of several lines is read completely. */
  rest(): Promise<string[]>;
  close(): void;
}

/** Time in ms within which the lines of one paste arrive. */
const PASTE_MS = 100;

type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean };

/**
 * Opens standard input for answers. With `isSecret`, nothing typed or pasted is ever shown, not even between questions. Tests
 * pass streams of their own.
 */
export function openQuestions({
  isSecret = false,
  input = process.stdin,
  output = process.stdout,
}: { isSecret?: boolean; input?: Input; output?: Writable } = {}): Questions {
  const isTyped = input.isTTY === true;
  let isHidden = isSecret;
  const echo = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!isHidden) output.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input, terminal: isTyped, ...(isTyped && { output: echo }) });
  const answers = lines[Symbol.asyncIterator]();
  let awaited: Promise<IteratorResult<string>> | undefined;
  const nextLine = (): Promise<IteratorResult<string>> => (awaited ??= answers.next().finally(() => (awaited = undefined)));
  return {
    async ask(words, { isHidden: hidden = false } = {}) {
      output.write(words);
      isHidden = hidden || isSecret;
      const { value, done } = await nextLine();
      const wasHidden = isHidden;
      isHidden = isSecret;
      if (wasHidden || !isTyped) output.write('\n');
      return done ? undefined : value.trim();
    },
    say: (words) => void output.write(`${words}\n`),
    async rest() {
      const found: string[] = [];
      for (;;) {
        const line = await Promise.race([nextLine(), pause(PASTE_MS)]);
        if (line === undefined || line.done) return found;
        found.push(line.value);
      }
    },
    close: () => lines.close(),
  };
}
