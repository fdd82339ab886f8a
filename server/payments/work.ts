import { randomInt } from 'node:crypto';
import { type Db, type Sealer, every, everyDue, monotonicMs, onWake } from '../platform/index.ts';
import type { Rail } from '../rails/rail.ts';
import { applyWebhooks } from './payins/webhook.ts';
import { compareSends } from './comparing/compare-sends.ts';
import { closeEachDay } from './balances/close-books.ts';
import type { PaymentsDeps } from './rails/deps.ts';
import { redeemRail } from './polls/entries.ts';
import { type DueWork, duePoll } from './rails/due-rails.ts';
import { postEvents } from './payins/events.ts';
import { refreshFloat } from './balances/float.ts';
import { takeStirred } from './rails/rails-to-ask.ts';
import { bumpStuck, followRail } from './sending/follow-attempts.ts';
import { giveUpAll, isPollDue } from './polls/held-claims.ts';
import { giveBack } from './polls/claim-addresses.ts';
import { weighAddresses } from './payins/growth.ts';
import { prepareRail } from './payins/prepare-payins.ts';
import { recallRail } from './sending/recall-payouts.ts';
import type { Gates } from './rails/gates.ts';
import { reconcile } from './balances/reconcile.ts';
import { allRails } from './rails/registry.ts';
import { payRail } from './sending/send-payouts.ts';
import { sweepRail } from './sending/sweep.ts';
import { marketValues } from './rails/values.ts';
import { checkTurn, watchRail } from './polls/watch-payins.ts';

/** One background loop of the payments room. */
export interface Work {
  readonly name: string;
  turn(): Promise<unknown>;
}

/** A loop that runs regularly, with a pause after each turn. */
interface Steady extends Work {
  readonly everyMs: number;
}

/**
 * A turn that runs for a rail when rows of this rail are due. One query per second finds all due work. A wake makes that query
 * run at once.
 */
interface Due extends DueWork {
  has(rail: Rail): boolean;
  turn(deps: PaymentsDeps, rail: Rail, how: How): Promise<unknown>;
}

/**
 * Options of turns. `mayKeepClaims`: true if the process goes on running, so that it may hold claims of addresses in memory
 * between turns.
 */
interface How {
  readonly mayKeepClaims: boolean;
}

const DUE_MS = 1_000;
const PRESSING = `(select rail, due_at from receiving_address where (is_pressing or is_requested) = true)`;
const OTHERS = `(select rail, due_at from receiving_address where (is_pressing or is_requested) = false)`;
const DUE: readonly Due[] = [
  {
    what: 'watch',
    rows: [PRESSING, OTHERS],
    has: () => true,
    turn: (deps, rail, { mayKeepClaims }) => watchRail(deps, rail, { mayTrustMemory: true, mayKeepClaims }),
  },
  { what: 'follow', rows: ['payment_attempt'], has: ({ payout }) => payout !== undefined, turn: followRail },
  { what: 'prepare', rows: ['payin_request'], has: ({ payin }) => payin?.open !== undefined, turn: prepareRail },
  { what: 'redeem', rows: ['payin_entry'], has: ({ payin }) => payin?.redeem !== undefined, turn: redeemRail },
  {
    what: 'pay',
    rows: [`(select rail, due_at from payout where status in ('queued', 'preparing'))`],
    has: ({ payout }) => payout !== undefined,
    turn: payRail,
  },
];
/** Used instead of a rail's id in the key of work that is done for all rails together. */
const ALL = 'all';
const DUE_FOR_ALL: readonly (DueWork & { turn(deps: PaymentsDeps): Promise<unknown> })[] = [
  {
    what: 'post',
    rows: [`(select '${ALL}' as rail, due_at from payment_event where posted_at is null)`],
    turn: ({ db }) => postEvents(db),
  },
  { what: 'callbacks', rows: [`(select '${ALL}' as rail, due_at from callback)`], turn: ({ db }) => applyWebhooks(db) },
];
/**
 * SQL: sends under way. A rail is busy while a payment is awaited there or a send of ours is under way. A busy rail is polled
 * more often.
 */
const UNDER_WAY = `(select rail, due_at from payment_attempt where status in ('stored', 'doubtful', 'sent', 'replaced'))`;
const BUSY: DueWork = { what: 'busy', rows: [PRESSING, UNDER_WAY], withinSeconds: 60 };
const pollDue = duePoll('payments.due', [...DUE, ...DUE_FOR_ALL, BUSY]);

/** Longest time that a rail may take for one answer, in ms. */
const CALL_MS = 15_000;

/** Used in a process that can't encrypt vouchers. Throws an error, so that no voucher is lost. */
const noSealer = (): never => {
  throw new Error('This process has no key to encrypt vouchers');
};
const NO_SEALER: Sealer = { seal: noSealer, open: noSealer };

/** Returns the dependencies that production uses. Tests and the simulation can replace each of them by `given`. */
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
 * Returns every loop of this room over the rails given to `useRails`. Several workers may run these loops at the same time: rows
 * are claimed, and only one worker at a time has the lease of a rail's wallet.
 */
export function paymentsWork(deps: PaymentsDeps): Work[] {
  const due = [...dueTurns(deps, { mayKeepClaims: false })].map(([key, turn]) => ({ name: `payments:${key}`, turn }));
  return [...due, ...floatWork(deps), ...steadyWork(deps)];
}

/** Returns the turns of due work, by the keys that `pollDue` returns. */
function dueTurns(deps: PaymentsDeps, how: How): Map<string, () => Promise<unknown>> {
  const ofRails = DUE.flatMap(({ what, has, turn }) =>
    allRails()
      .filter(has)
      .map((rail) => [`${what}:${rail.id}`, () => turn(deps, rail, how)] as const),
  );
  return new Map([...ofRails, ...DUE_FOR_ALL.map(({ what, turn }) => [`${what}:${ALL}`, () => turn(deps)] as const)]);
}

const floatWork = (deps: PaymentsDeps): Work[] =>
  allRails().map((rail) => ({ name: `payments:float:${rail.id}`, turn: () => refreshFloat(deps, rail) }));

function steadyWork(deps: PaymentsDeps): Steady[] {
  const perRail = allRails().flatMap((rail): Steady[] => [
    { name: `payments:bump:${rail.id}`, everyMs: 30_000, turn: () => bumpStuck(deps, rail) },
    { name: `payments:sweep:${rail.id}`, everyMs: 30_000, turn: () => sweepRail(deps, rail) },
    ...(rail.payin?.lies ? [{ name: `payments:weigh:${rail.id}`, everyMs: 30_000, turn: () => weighAddresses(deps, rail) }] : []),
    ...(rail.payout?.ownSends
      ? [{ name: `payments:compare:${rail.id}`, everyMs: 60_000, turn: () => compareSends(deps, rail) }]
      : []),
    ...(rail.payout?.recall ? [{ name: `payments:recall:${rail.id}`, everyMs: 60_000, turn: () => recallRail(deps, rail) }] : []),
  ]);
  return [
    ...perRail,
    { name: 'payments:close', everyMs: 60_000, turn: () => closeEachDay(deps.db, deps.values) },
    { name: 'payments:reconcile', everyMs: 60_000, turn: () => reconcile(deps.db, deps.values) },
  ];
}

/** Pause between polls of a busy rail's health and tip, in ms. */
const BUSY_MS = { chain: 400, provider: 1_000 } as const;
/** Pause between polls of an idle rail's health and tip, in ms. */
const IDLE_MS = 5_000;
/** Pause between polls of rails' balances, in ms, if nothing of ours has changed them. */
const FLOAT_MS = 30_000;
const FLOAT_POLL_MS = 500;

/**
 * Returns a turn that runs at most once in `busyMs` while the rail is busy, and at most once in `idleMs` otherwise. After a
 * failed run, the next run doesn't wait.
 */
function paced(
  { isBusy, busyMs, idleMs }: { isBusy(): boolean; busyMs: number; idleMs: number },
  work: () => Promise<unknown>,
): () => Promise<void> {
  let doneAt = -Infinity;
  return async () => {
    if (monotonicMs() - doneAt < (isBusy() ? busyMs : idleMs)) return;
    await work();
    doneAt = monotonicMs();
  };
}

/** Runs every loop until stopped. If this process or another one announces work by a wake, that work is done at once. */
export function runPayments(deps: PaymentsDeps & { readonly gates: Gates }): { stop(): Promise<void> } {
  const rails = allRails();
  let busy: ReadonlySet<string> = new Set();
  const due = everyDue(
    DUE_MS,
    'payments',
    async () => {
      const keys = await pollDue(deps.db, [ALL, ...rails.map(({ id }) => id)]);
      busy = new Set(keys.flatMap((key) => (key.startsWith('busy:') ? key.slice('busy:'.length) : [])));
      return keys;
    },
    dueTurns(deps, { mayKeepClaims: true }),
  );
  const deaf = onWake('payments', () => due.wake());
  const checks = rails.map((rail) => {
    let isWell = false;
    const pace = { isBusy: () => !isWell || busy.has(rail.id), busyMs: BUSY_MS[rail.kind], idleMs: IDLE_MS };
    return every(
      pace.busyMs,
      `payments:check:${rail.id}`,
      paced(pace, async () => {
        isWell = await checkTurn(deps, rail);
        if (isPollDue(rail)) due.wakeOnly([`watch:${rail.id}`]);
      }),
    );
  });
  const floats = rails.map((rail) => {
    // A new rail is up only after its first health check, so its balance is polled again until that succeeds.
    let isRead = false;
    const pace = { isBusy: () => !isRead || takeStirred(rail), busyMs: 0, idleMs: FLOAT_MS };
    return every(
      FLOAT_POLL_MS,
      `payments:float:${rail.id}`,
      paced(pace, async () => void (isRead = await refreshFloat(deps, rail))),
    );
  });
  const steady = steadyWork(deps).map(({ name, everyMs, turn }) => every(everyMs, name, turn));
  return {
    async stop() {
      deaf();
      await Promise.all([due, ...checks, ...floats, ...steady].map((sweeper) => sweeper.stop()));
      // Other processes can poll these addresses at once, without waiting for the claims to expire.
      await Promise.all(rails.map((rail) => giveBack(deps.db, rail.id, giveUpAll(rail))));
    },
  };
}
