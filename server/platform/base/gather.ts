// What is asked at the same moment is asked together: while one group is under way the next one collects.

import { AsyncLocalStorage } from 'node:async_hooks';
import { Problem } from '@kurs/contract';
import { monotonicMs } from './clock.ts';

/** Answers a group, in its order. Where it throws, each of the group is told that. */
export type AskTogether<Q, A> = (questions: readonly Q[]) => Promise<readonly A[]>;

export interface GatherOptions<Q> {
  /** Most questions of one group; 64 by default. */
  readonly most?: number;
  /** Groups that may be under way at once; 1 by default. */
  readonly abreast?: number;
  /** Milliseconds after which who still waits for their group is refused with `Problem('unavailable')`; never without. */
  readonly patience?: number;
  /** What no two questions of one group may share: the later one waits for another group. */
  readonly keysOf?: (question: Q) => readonly string[];
}

interface Waiting<Q, A> {
  readonly question: Q;
  readonly since: number;
  resolve(answer: A): void;
  reject(error: unknown): void;
}

/**
 * Gives a function that answers one question, by groups. Nobody waits for a timer: a question that comes alone is asked with
 * those of the same turn of the event loop, and a group is as large as what came while the one before was under way. A group
 * is asked in no caller's own asynchronous context, as it is of several.
 */
export function gather<Q, A>(ask: AskTogether<Q, A>, options: GatherOptions<Q> = {}): (question: Q) => Promise<A> {
  const { most = 64, abreast = 1, patience = Number.POSITIVE_INFINITY, keysOf = () => [] } = options;
  const inNobodysContext = AsyncLocalStorage.snapshot();
  let queue: Waiting<Q, A>[] = [];
  let underWay = 0;
  let isWoken = false;

  /** The oldest that fit into one group. */
  const take = (): Waiting<Q, A>[] => {
    const keys = new Set<string>();
    const [taken, left]: [Waiting<Q, A>[], Waiting<Q, A>[]] = [[], []];
    for (const waiting of queue) {
      if (monotonicMs() - waiting.since > patience) {
        waiting.reject(new Problem('unavailable', { cause: new Error('waited too long for a group') }));
        continue;
      }
      const own = keysOf(waiting.question);
      const fits = taken.length < most && !own.some((key) => keys.has(key));
      // One that has to wait keeps its place before those who share a key with it.
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
