import { randomInt } from 'node:crypto';
import { type Db, type Sealer, every } from '../platform/index.ts';
import type { Rail } from '../rails/rail.ts';
import { applyCallbacks } from './callback.ts';
import { closeEachDay } from './close-books.ts';
import type { PaymentsDeps } from './deps.ts';
import { redeemRail } from './entries.ts';
import { postEvents } from './events.ts';
import { refreshFloat } from './float.ts';
import { bumpStuck, followRail } from './follow-attempts.ts';
import { prepareRail } from './prepare-payins.ts';
import { recallRail } from './recall-payouts.ts';
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

/** A process that was given none can't seal: what it would lose is refused. */
const noSealer = (): never => {
  throw new Error('This process was given nothing to seal vouchers with');
};
const NO_SEALER: Sealer = { seal: noSealer, open: noSealer };

/** The dependencies that production uses; each can be replaced by a test or the simulation. */
export function paymentsDeps(db: Db, given: Partial<PaymentsDeps> = {}): PaymentsDeps {
  return { db, values: marketValues, jitter: () => randomInt(1_000) / 1_000, callMs: CALL_MS, sealer: NO_SEALER, ...given };
}

/**
 * Every loop of this room over the rails that `useRails` has given. Several workers may run them at once: rows are
 * claimed, and one of them at a time has a rail's wallet.
 */
export function paymentsWork(deps: PaymentsDeps): Work[] {
  const perRail = allRails().flatMap((rail): Work[] => [
    ...providerWork(deps, rail),
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

/** What only a provider needs: payments prepared, vouchers used, sends that nobody claims taken back. */
function providerWork(deps: PaymentsDeps, rail: Rail): Work[] {
  const work = (name: string, everyMs: number, turn: () => Promise<unknown>): Work => ({
    ...{ name: `payments:${name}:${rail.id}`, everyMs, turn },
    onQueued: false,
  });
  return [
    ...(rail.payin?.open ? [work('prepare', 250, () => prepareRail(deps, rail))] : []),
    ...(rail.payin?.redeem ? [work('redeem', 250, () => redeemRail(deps, rail))] : []),
    ...(rail.payout?.recall ? [work('recall', 60_000, () => recallRail(deps, rail))] : []),
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
