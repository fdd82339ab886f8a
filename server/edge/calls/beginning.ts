// How the api begins: with what it has. It waits shortly for what it reads first, then serves, and says of itself that it is
// starting for as long as the settings are not read. Rates, prices and what stands beside pages come when they come.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '@kurs/contract';
import { type Db, type Server, problemBody, untilItWorks, watchSettings } from '../../platform/index.ts';
import { watchTaken } from '../../exchange/index.ts';
import { type PricingOptions, watchPricing } from '../../pricing/index.ts';
import { watchRates } from '../../rates/index.ts';

/** So long the first answer waits for what a whole one is made of. */
const PATIENCE_MS = 2_000;

/** What a process reads first and goes on reading. */
export interface Beginning {
  /** Whether the rules are known by which everything is decided. */
  hasSettings(): boolean;
  /** Waits for all of it, and shortly at most: whether all of it is there. */
  readonly soon: Promise<boolean>;
  stop(): Promise<void>;
}

/** Begins to read settings, rates and prices, each behind the other; settings again and again until they are there. */
export function beginReading(db: Db, options: PricingOptions): Beginning {
  const begun: { stop(): Promise<void> }[] = [];
  let isStopped = false;
  const read = async (): Promise<void> => {
    const watches = [
      () => untilItWorks('settings', () => watchSettings(db)),
      () => watchRates(db),
      () => watchPricing(db, options),
      () => watchTaken(db),
    ];
    for (const watch of watches) {
      if (isStopped) return;
      const one = await watch();
      if (isStopped) await one.stop();
      else begun.push(one);
    }
  };
  const all = read();
  return {
    hasSettings: () => begun.length > 0,
    soon: Promise.race([all.then(() => true), sleep(PATIENCE_MS, false, { ref: false })]),
    async stop() {
      isStopped = true;
      // What is being read would be forgotten only later. Settings are waited for without end; the others give up in time.
      if (begun.length > 0) await all;
      for (const one of begun.toReversed()) await one.stop();
    },
  };
}

/**
 * Answers in the server's place while it can't decide anything: 503, to be asked again at once. That it lives is told as ever.
 */
export function answerWhileBeginning(server: Pick<Server, 'answerFirst'>, { hasSettings }: Pick<Beginning, 'hasSettings'>): void {
  server.answerFirst((request, response) => {
    if (hasSettings() || request.url === '/health/live') return false;
    sayBeginning(request, response);
    return true;
  });
}

function sayBeginning({ url = '', method }: IncomingMessage, response: ServerResponse): void {
  const isCall = url.startsWith('/api/');
  const problem = new Problem('unavailable');
  const text = isCall
    ? JSON.stringify(problemBody(problem, 'en'))
    : 'Starting. Try again in a moment.\nЗапускаемся. Повторите через минуту.\n';
  response
    .writeHead(problem.status, {
      'content-type': isCall ? 'application/problem+json' : 'text/plain; charset=utf-8',
      'content-length': Buffer.byteLength(text),
      'cache-control': 'no-store',
      'retry-after': '1',
      'x-content-type-options': 'nosniff',
    })
    .end(method === 'HEAD' ? undefined : text);
}
