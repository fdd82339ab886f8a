// Starts the API process. It waits briefly for its first reads, then accepts calls. Until the settings are read, it answers that
// it is starting. Rates, prices and the figures on pages are read after the settings.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '@kurs/contract';
import { type Db, type Server, problemBody, untilItWorks, watchSettings } from '../../platform/index.ts';
import { watchTaken } from '../../exchange/index.ts';
import { type PricingOptions, watchPricing } from '../../pricing/index.ts';
import { watchRates } from '../../rates/index.ts';

/** Longest wait for the first reads before the API accepts calls, in ms. */
const PATIENCE_MS = 2_000;

/** Settings, rates and prices, which a process reads at its start and then refreshes. */
export interface Beginning {
  /** Returns true once the settings are read. Without settings, nothing can be decided. */
  hasSettings(): boolean;
  /** Resolves to true once everything is read, or to false if that takes too long. */
  readonly soon: Promise<boolean>;
  stop(): Promise<void>;
}

/** Starts to read settings, rates and prices, one after the other. Settings are retried until they are read. */
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
      // Waits for the reads in progress, so that their watches are stopped, too. Doesn't wait for the settings, whose read is
      // retried without end.
      if (begun.length > 0) await all;
      for (const one of begun.toReversed()) await one.stop();
    },
  };
}

/** Answers 503 with a short retry time until the settings are read. `/health/live` is answered as usual. */
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
