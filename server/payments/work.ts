import { randomInt } from 'node:crypto';
import { type Db, type Sealer, every, everyDue } from '../platform/index.ts';
import type { Rail } from '../rails/rail.ts';
import { applyWebhooks } from './payins/webhook.ts';
import { closeEachDay } from './balances/close-books.ts';
import type { PaymentsDeps } from './rails/deps.ts';
import { railsToRedeem, redeemRail } from './looks/entries.ts';
import { postEvents } from './payins/events.ts';
import { refreshFloat } from './balances/float.ts';
import { bumpStuck, followRail } from './sending/follow-attempts.ts';
import { weighAddresses } from './payins/growth.ts';
import { prepareRail } from './payins/prepare-payins.ts';
import { recallRail } from './sending/recall-payouts.ts';
import type { Gates } from './rails/gates.ts';
import { reconcile } from './balances/reconcile.ts';
import { allRails } from './rails/registry.ts';
import { queued } from './payouts/request-payout.ts';
import { railsToPrepare } from './payins/request-store.ts';
import { payRail, railsToPay } from './sending/send-payouts.ts';
import { sweepRail } from './sending/sweep.ts';
import { marketValues } from './rails/values.ts';
import { watchRail } from './looks/watch-payins.ts';

/** One loop of this room: what to run. */
export interface Work {
  readonly name: string;
  turn(): Promise<unknown>;
}

/** One that looks by itself, with a pause between the end of one turn and the begin of the next. */
interface Steady extends Work {
  readonly everyMs: number;
}

/** What is urgent, and the same for many rails: one look for all tells each quarter of a second who has some. */
interface Urgent {
  readonly name: string;
  has(rail: Rail): boolean;
  due(db: Db, rails: readonly string[]): Promise<string[]>;
  turn(deps: PaymentsDeps, rail: Rail): Promise<unknown>;
}

const URGENT_MS = 250;
const URGENT: readonly Urgent[] = [
  { name: 'prepare', has: ({ payin }) => payin?.open !== undefined, due: railsToPrepare, turn: prepareRail },
  { name: 'redeem', has: ({ payin }) => payin?.redeem !== undefined, due: railsToRedeem, turn: redeemRail },
  { name: 'pay', has: ({ payout }) => payout !== undefined, due: railsToPay, turn: payRail },
];

/** How long a rail may take for one answer. */
const CALL_MS = 15_000;

/** A process that was given none can't seal: what it would lose is refused. */
const noSealer = (): never => {
  throw new Error('This process was given nothing to seal vouchers with');
};
const NO_SEALER: Sealer = { seal: noSealer, open: noSealer };

/** The dependencies that production uses; each can be replaced by a test or the simulation. */
export function paymentsDeps<G extends Partial<PaymentsDeps> = {}>(db: Db, given?: G): PaymentsDeps & G {
  const usual: PaymentsDeps = {
    db,
    values: marketValues,
    gates: {},
    jitter: () => randomInt(1_000) / 1_000,
    callMs: CALL_MS,
    sealer: NO_SEALER,
  };
  return { ...usual, ...(given as G) };
}

/**
 * Every loop of this room over the rails that `useRails` has given. Several workers may run them at once: rows are
 * claimed, and one of them at a time has a rail's wallet.
 */
export function paymentsWork(deps: PaymentsDeps): Work[] {
  const urgent = URGENT.flatMap((one) =>
    [...turnsOf(deps, one)].map(([rail, turn]) => ({ name: `payments:${one.name}:${rail}`, turn })),
  );
  return [...urgent, ...steadyWork(deps)];
}

/** The turns of what is urgent, by their rails. */
function turnsOf(deps: PaymentsDeps, { has, turn }: Urgent): Map<string, () => Promise<unknown>> {
  return new Map(
    allRails()
      .filter(has)
      .map((rail) => [rail.id, () => turn(deps, rail)]),
  );
}

function steadyWork(deps: PaymentsDeps): Steady[] {
  const perRail = allRails().flatMap((rail): Steady[] => [
    { name: `payments:watch:${rail.id}`, everyMs: 1_000, turn: () => watchRail(deps, rail) },
    { name: `payments:follow:${rail.id}`, everyMs: 1_000, turn: () => followRail(deps, rail) },
    { name: `payments:float:${rail.id}`, everyMs: 1_000, turn: () => refreshFloat(deps, rail) },
    { name: `payments:bump:${rail.id}`, everyMs: 30_000, turn: () => bumpStuck(deps, rail) },
    { name: `payments:sweep:${rail.id}`, everyMs: 30_000, turn: () => sweepRail(deps, rail) },
    ...(rail.payin?.lies ? [{ name: `payments:weigh:${rail.id}`, everyMs: 30_000, turn: () => weighAddresses(deps, rail) }] : []),
    ...(rail.payout?.recall ? [{ name: `payments:recall:${rail.id}`, everyMs: 60_000, turn: () => recallRail(deps, rail) }] : []),
  ]);
  return [
    ...perRail,
    { name: 'payments:post', everyMs: 250, turn: () => postEvents(deps.db) },
    { name: 'payments:callbacks', everyMs: 1_000, turn: () => applyWebhooks(deps.db) },
    { name: 'payments:close', everyMs: 60_000, turn: () => closeEachDay(deps.db, deps.values) },
    { name: 'payments:reconcile', everyMs: 60_000, turn: () => reconcile(deps.db, deps.values) },
  ];
}

/** Runs every loop until stopped; a payout that is queued in this process begins at once. */
export function runPayments(deps: PaymentsDeps & { readonly gates: Gates }): { stop(): Promise<void> } {
  const urgent = URGENT.map((one) => {
    const turns = turnsOf(deps, one);
    const rails = [...turns.keys()];
    return everyDue(URGENT_MS, `payments:${one.name}`, () => one.due(deps.db, rails), turns);
  });
  const steady = steadyWork(deps).map(({ name, everyMs, turn }) => every(everyMs, name, turn));
  const wake = (): void => urgent.forEach((sweeper) => sweeper.wake());
  queued.on('queued', wake);
  return {
    async stop() {
      queued.off('queued', wake);
      await Promise.all([...urgent, ...steady].map((sweeper) => sweeper.stop()));
    },
  };
}
