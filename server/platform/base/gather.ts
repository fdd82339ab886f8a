// Groups concurrent calls: while one group is running, further calls wait for the next group.

import { AsyncLocalStorage } from 'node:async_hooks';
import { Problem } from '@kurs/contract';
import { monotonicMs } from './clock.ts';

/** Handles the calls of a group, and returns their results in the same order. If it throws, all calls of the group fail. */
export type AskTogether<Q, A> = (questions: readonly Q[]) => Promise<readonly A[]>;

export interface GatherOptions<Q> {
  /** Maximum number of calls in a group; 64 by default. */
  readonly max?: number;
  /** Maximum number of groups that run at the same time; 1 by default. */
  readonly abreast?: number;
  /**
   * Maximum time in ms that a call waits for its group. Then the call is refused with `Problem('unavailable')`. By default calls
   * wait without limit.
   */
  readonly patience?: number;
  /** Returns the keys of a call. Two calls with a common key never share a group: the later one waits for another group. */
  readonly keysOf?: (question: Q) => readonly string[];
}

interface Waiting<Q, A> {
  readonly question: Q;
  readonly since: number;
  resolve(answer: A): void;
  reject(error: unknown): void;
}

/**
 * Returns a function that adds one call to a group and returns the call's result. No timer is used: a call waits for the end of
 * the current turn of the event loop. While a group is running, the call waits for the next group. A group serves several
 * callers, so it runs outside the callers' async contexts.
 */
export function gather<Q, A>(ask: AskTogether<Q, A>, options: GatherOptions<Q> = {}): (question: Q) => Promise<A> {
  const { max = 64, abreast = 1, patience = Number.POSITIVE_INFINITY, keysOf = () => [] } = options;
  const inNobodysContext = AsyncLocalStorage.snapshot();
  let queue: Waiting<Q, A>[] = [];
  let underWay = 0;
  let isWoken = false;

  /** Removes the oldest waiting calls that fit into one group, and refuses those that have waited too long. */
  const take = (): Waiting<Q, A>[] => {
    const keys = new Set<string>();
    const [taken, left]: [Waiting<Q, A>[], Waiting<Q, A>[]] = [[], []];
    for (const waiting of queue) {
      if (monotonicMs() - waiting.since > patience) {
        waiting.reject(new Problem('unavailable', { cause: new Error('waited too long for a group') }));
        continue;
      }
      const own = keysOf(waiting.question);
      const fits = taken.length < max && !own.some((key) => keys.has(key));
      // A call that doesn't fit stays ahead of later calls that have a key in common with it.
      for (const key of own) keys.add(key);
      (fits ? taken : left).push(waiting);
    }
    queue = left;
    return taken;
  };

  const begin = (): void => {
    isWoken = false;
    while (underWay < abreast && queue.length > 0) {
      const group = take();
      if (group.length === 0) return;
      underWay += 1;
      void inNobodysContext(answerGroup, group).finally(() => {
        underWay -= 1;
        wake();
      });
    }
  };

  const answerGroup = async (group: readonly Waiting<Q, A>[]): Promise<void> => {
    try {
      const answers = await ask(group.map(({ question }) => question));
      if (answers.length !== group.length) throw new Error(`${answers.length} answers to ${group.length} questions`);
      group.forEach(({ resolve }, at) => resolve(answers[at] as A));
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };

  const wake = (): void => {
    if (isWoken || queue.length === 0 || underWay >= abreast) return;
    isWoken = true;
    setImmediate(begin);
  };

  return (question) =>
    new Promise((resolve, reject) => {
      queue.push({ question, since: monotonicMs(), resolve, reject });
      wake();
    });
}
