// Groups questions that come at the same moment: while one group is running, the next one collects.

import { AsyncLocalStorage } from 'node:async_hooks';
import { Problem } from '@kurs/contract';
import { monotonicMs } from './clock.ts';

/** Answers the questions of a group, in their order. An error rejects all questions of the group. */
export type AskTogether<Q, A> = (questions: readonly Q[]) => Promise<readonly A[]>;

export interface GatherOptions<Q> {
  /** Largest number of questions in a group; 64 by default. */
  readonly max?: number;
  /** Number of groups that may run at once; 1 by default. */
  readonly abreast?: number;
  /**
   * Longest wait for a group, in ms; after it a question is refused with `Problem('unavailable')`. Without it questions wait
   * without limit.
   */
  readonly patience?: number;
  /** Keys that two questions of one group may not share: the later question waits for another group. */
  readonly keysOf?: (question: Q) => readonly string[];
}

interface Waiting<Q, A> {
  readonly question: Q;
  readonly since: number;
  resolve(answer: A): void;
  reject(error: unknown): void;
}

/**
 * Returns a function that answers one question, by groups. It uses no timer: a question waits for the end of the current turn of
 * the event loop or, while a group is running, for the next group. A group has several callers, so it runs outside the async
 * context of each.
 */
export function gather<Q, A>(ask: AskTogether<Q, A>, options: GatherOptions<Q> = {}): (question: Q) => Promise<A> {
  const { max = 64, abreast = 1, patience = Number.POSITIVE_INFINITY, keysOf = () => [] } = options;
  const inNobodysContext = AsyncLocalStorage.snapshot();
  let queue: Waiting<Q, A>[] = [];
  let underWay = 0;
  let isWoken = false;

  /** Takes the oldest questions that fit into one group, and refuses those that have waited too long. */
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
      // A question that has to wait stays ahead of later questions that share a key with it.
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
