import { randomInt } from 'node:crypto';
import { type Db, every } from '../platform/index.ts';
import { applyCallbacks } from './callback.ts';
import { closeEachDay } from './close-books.ts';
import type { PaymentsDeps } from './deps.ts';
import { postEvents } from './events.ts';
import { refreshFloat } from './float.ts';
import { bumpStuck, followRail } from './follow-attempts.ts';
import { reconcile } from './reconcile.ts';
import { allRails } from './registry.ts';
import { queued } from './request-payout.ts';
import { payRail } from './send-payouts.ts';
import { sweepRail } from './sweep.ts';
import { marketValues } from './values.ts';
import { watchRail } from './watch-payins.ts';

/** One loop of this room: what to run, and the pause between the end of one turn and the begin of the next. */
export interface Work {
  readonly name: string;
  readonly everyMs: number;
  turn(): Promise<unknown>;
  /** A payout was queued in this process: the next turn may begin at once. */
  readonly onQueued: boolean;
}

/** How long a rail may take for one answer. */
const CALL_MS = 15_000;

/** The dependencies that production uses; each can be replaced by a test or the simulation. */
export function paymentsDeps(db: Db, given: Partial<PaymentsDeps> = {}): PaymentsDeps {
  return { db, values: marketValues, jitter: () => randomInt(1_000) / 1_000, callMs: CALL_MS, ...given };
}

/**
 * Every loop of this room over the rails that `useRails` has given. Several workers may run them at once: rows are
 * claimed, and one of them at a time has a rail's wallet.
 */
export function paymentsWork(deps: PaymentsDeps): Work[] {
  const perRail = allRails().flatMap((rail): Work[] => [
    { name: `payments:watch:${rail.id}`, everyMs: 1_000, onQueued: false, turn: () => watchRail(deps, rail) },
    { name: `payments:pay:${rail.id}`, everyMs: 250, onQueued: true, turn: () => payRail(deps, rail) },
    { name: `payments:follow:${rail.id}`, everyMs: 1_000, onQueued: false, turn: () => followRail(deps, rail) },
    { name: `payments:float:${rail.id}`, everyMs: 1_000, onQueued: false, turn: () => refreshFloat(deps, rail) },
    { name: `payments:bump:${rail.id}`, everyMs: 30_000, onQueued: false, turn: () => bumpStuck(deps, rail) },
    { name: `payments:sweep:${rail.id}`, everyMs: 30_000, onQueued: false, turn: () => sweepRail(deps, rail) },
  ]);
  return [
    ...perRail,
    { name: 'payments:post', everyMs: 250, onQueued: false, turn: () => postEvents(deps.db) },
    { name: 'payments:callbacks', everyMs: 1_000, onQueued: false, turn: () => applyCallbacks(deps.db) },
    { name: 'payments:close', everyMs: 60_000, onQueued: false, turn: () => closeEachDay(deps.db, deps.values) },
    { name: 'payments:reconcile', everyMs: 60_000, onQueued: false, turn: () => reconcile(deps.db) },
  ];
}

/** Runs every loop until stopped. */
export function runPayments(deps: PaymentsDeps): { stop(): Promise<void> } {
  const work = paymentsWork(deps);
  const sweepers = work.map(({ name, everyMs, turn }) => every(everyMs, name, turn));
  const wake = (): void => work.forEach(({ onQueued }, at) => onQueued && sweepers[at]?.wake());
  queued.on('queued', wake);
  return {
    async stop() {
      queued.off('queued', wake);
      await Promise.all(sweepers.map((sweeper) => sweeper.stop()));
    },
  };
}
