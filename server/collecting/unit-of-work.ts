// A unit of work locks rows, decides and saves rows. It collects the work that must come last in the transaction: events, and all
// journals in one posting. Posting comes last because it locks ledger accounts.
//
// A refused journal abandons the whole unit. `together` runs several actions in one transaction. Each action is done as a whole
// or refused, without affecting the others. `inGroups` does the same for concurrent callers of one action: while one group
// commits, the next group collects.

import { Problem, type ProblemCode } from '@kurs/contract';
import { type AccountRef, type Journal, type JournalStatus, type Leg, balances, post, postAndCommit } from '../ledger/index.ts';
import { marketPrices } from '../payments/index.ts';
import {
  type Db,
  type GatherOptions,
  type OutboxEvent,
  type Tx,
  allEnded,
  gather,
  isConflict,
  log,
  mayBeCommitted,
  outbox,
} from '../platform/index.ts';

/** Error of a journal that the ledger refused: the facts that the action relied on have changed. */
export class JournalRefused extends Error {
  readonly status: JournalStatus['status'];

  constructor({ kind, cause }: Journal, status: JournalStatus['status']) {
    super(`the ledger refused the journal ${kind} of ${cause}: ${status}`);
    this.name = 'JournalRefused';
    this.status = status;
  }
}

/** A journal to post. `refused`: problem to throw if the journal would exceed a bound of an account's balance. */
interface JournalRequest {
  readonly journal: Journal;
  readonly refused: ProblemCode | undefined;
}

/** Journals and events that come last in a transaction. */
interface HandedOver<A extends JournalRequest> {
  readonly requests: readonly A[];
  readonly events: readonly OutboxEvent[];
}

export class UnitOfWork {
  readonly tx: Tx;
  /**
   * Journals of earlier actions in the same transaction. They are posted together with those of this unit, and are included in
   * the balances of `shown`.
   */
  readonly #earlier: readonly Journal[];
  readonly #requests: JournalRequest[] = [];
  readonly #events: OutboxEvent[] = [];
  /** Balances that `shown` has returned. `counted`: number of this unit's journals that are included. */
  readonly #shown = new Map<string, { readonly parts: bigint; readonly counted: number }>();
  #abandoned: Error | undefined;

  constructor(tx: Tx, earlier: readonly Journal[] = []) {
    this.tx = tx;
    this.#earlier = earlier;
  }

  /**
   * Adds a journal to post at the end. Does nothing for undefined or a journal without legs. A journal without prices gets market
   * prices. `refused`: problem to throw if the journal would exceed a bound of an account's balance. If `refused` is absent,
   * `JournalRefused` is thrown.
   */
  post(journal: Journal | undefined, refused?: ProblemCode): void {
    if (journal === undefined || journal.legs.length === 0) return;
    const prices = journal.prices ?? marketPrices(journal.legs.map(({ from }) => from.unit));
    this.#requests.push({ journal: { ...journal, prices }, refused });
  }

  /** Adds legs to a journal of this unit, before the unit ends. The legs are of units that the journal has already. */
  extend(journalId: string, legs: readonly Leg[]): void {
    if (legs.length === 0) return;
    const at = this.#requests.findIndex(({ journal }) => journal.id === journalId);
    const found = this.#requests[at];
    if (!found) throw new Error(`the unit has no journal ${journalId}`);
    this.#requests[at] = { ...found, journal: { ...found.journal, legs: [...found.journal.legs, ...legs] } };
    // Balances that were shown may lack these legs.
    this.#shown.clear();
  }

  /** Adds events, which are published before the journals are posted. */
  publish(...events: readonly OutboxEvent[]): void {
    this.#events.push(...events);
  }

  /**
   * Returns an account's balance including the journals of this transaction that are not posted yet. The stored balance is read
   * at the first call only.
   */
  async shown(ref: AccountRef): Promise<bigint> {
    const known = this.#shown.get(ref.name);
    const stored = known?.parts ?? (await balances(this.tx, [ref]))[0] ?? 0n;
    // Journals that an earlier call included are in `known.parts` already.
    const since = known ? this.#requests.slice(known.counted) : this.#requests;
    const legs = [...(known ? [] : this.#earlier), ...since.map(({ journal }) => journal)].flatMap((journal) => journal.legs);
    const moved = legs.reduce(
      (sum, { from, to, parts }) => sum + (to.name === ref.name ? parts : 0n) - (from.name === ref.name ? parts : 0n),
      0n,
    );
    const parts = stored + (ref.class === 'held' || ref.class === 'spent' ? -moved : moved);
    this.#shown.set(ref.name, { parts, counted: this.#requests.length });
    return parts;
  }

  /** Refuses this action in a group: all that the group's transaction wrote for it is undone. */
  abandon(reason: Error): void {
    this.#abandoned ??= reason;
  }

  /** Reason for which this action was abandoned; undefined if it wasn't. */
  get abandoned(): Error | undefined {
    return this.#abandoned;
  }

  /** Journals and events collected so far. */
  get handedOver(): HandedOver<JournalRequest> {
    return { requests: this.#requests, events: this.#events };
  }

  /**
   * Publishes the events and posts the journals. The caller's transaction goes on. If a journal would exceed a bound of an
   * account's balance, throws the problem that was given with it, or `JournalRefused`.
   */
  async commit(): Promise<void> {
    for (const refusal of await postAll(this.tx, this.handedOver, post)) if (refusal) throw refusal;
  }

  /** Publishes and posts like `commit`, and ends the database transaction in the same round trip if a journal is posted. */
  async end(): Promise<void> {
    for (const refusal of await postAll(this.tx, this.handedOver, postAndCommit)) if (refusal) throw refusal;
  }
}

/** An action in a unit of work. It locks, decides and saves, and adds journals and events to the unit. */
export type Action<T> = (unit: UnitOfWork) => Promise<T>;

/** Runs one action in its own transaction. Throws whatever the action or `UnitOfWork.end` throws. */
export function alone<T>(db: Db, action: Action<T>): Promise<T> {
  return db.tx(async (tx) => {
    const unit = new UnitOfWork(tx);
    const value = await action(unit);
    await unit.end();
    return value;
  });
}

/**
 * Runs actions in one transaction, in their order, with one posting. Returns the outcome of each action after the commit. An
 * action that throws, or whose journal is refused, has the outcome `rejected` and changes nothing; the others are done. If the
 * database itself fails, all outcomes are `rejected`. Actions may run more than once, and must not post anything themselves.
 */
export async function together<T>(db: Db, actions: readonly Action<T>[]): Promise<PromiseSettledResult<T>[]> {
  try {
    return await withoutRefused(actions.length, (refused) => db.tx((tx) => tryAll(tx, actions, refused)));
  } catch (reason) {
    return actions.map(() => ({ status: 'rejected', reason }));
  }
}

/** Refusals by the position of the refused action. */
type Refusals = Map<number, PromiseRejectedResult>;

/**
 * Repeats a try without the refused actions, until a try refuses none. Returns all outcomes. Throws any error of a try other than
 * `SomeRefused`.
 */
async function withoutRefused<T>(
  count: number,
  attempt: (refused: Refusals) => Promise<PromiseSettledResult<T>[]>,
): Promise<PromiseSettledResult<T>[]> {
  const refused: Refusals = new Map();
  for (;;) {
    try {
      return await attempt(refused);
    } catch (error) {
      if (!(error instanceof SomeRefused)) throw error;
      for (const [at, reason] of error.refusals) refused.set(at, { status: 'rejected', reason });
      if (refused.size === count) return Array.from({ length: count }, (_, at) => refused.get(at) as PromiseRejectedResult);
    }
  }
}

/** One caller's request in a group, with its own unit of work. */
export interface Member<Q> {
  readonly request: Q;
  readonly unit: UnitOfWork;
}

/**
 * An action for several callers at once, whose statements handle all of them together. Returns the result or the refusal for each
 * member. A refused member wrote nothing, or its unit is abandoned. May run more than once.
 */
export type GroupAction<Q, T> = (tx: Tx, members: readonly Member<Q>[]) => Promise<readonly (T | Error)[]>;

export type GroupOptions<Q> = Pick<GatherOptions<Q>, 'max' | 'keysOf'>;

/** Longest wait for a group, in ms. After that the caller is refused with `unavailable`, and nothing is done. */
const PATIENCE_MS = 1_500;

/**
 * Returns a function that runs an action for one caller, in a transaction that it shares with concurrent callers. Each request
 * succeeds or is refused on its own, and is committed before it returns. A single caller doesn't wait for others. If a group
 * fails before its commit, its requests are repeated one by one, so that no request fails because of another.
 */
export function inGroups<Q, T>(
  db: Db,
  act: GroupAction<Q, T>,
  options: GroupOptions<Q> = {},
): (request: Q) => Promise<Exclude<T, Error>> {
  const ask = gather((requests: readonly Q[]) => group(db, act, requests), { patience: PATIENCE_MS, ...options });
  return async (request) => {
    const outcome = await ask(request);
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value as Exclude<T, Error>;
  };
}

async function group<Q, T>(db: Db, act: GroupAction<Q, T>, requests: readonly Q[]): Promise<PromiseSettledResult<T>[]> {
  const attempt = (refused: Refusals): Promise<PromiseSettledResult<T>[]> => db.tx((tx) => tryGroup(tx, act, requests, refused));
  try {
    return await withoutRefused(requests.length, attempt);
  } catch (reason) {
    if (mayBeCommitted(reason) || requests.length === 1) return requests.map(() => ({ status: 'rejected', reason }));
    log.warn('a group failed before its commit: each of it is done alone', { members: requests.length, error: String(reason) });
    return (await Promise.all(requests.map((one) => group(db, act, [one])))).flat();
  }
}

async function tryGroup<Q, T>(
  tx: Tx,
  act: GroupAction<Q, T>,
  requests: readonly Q[],
  refused: Refusals,
): Promise<PromiseSettledResult<T>[]> {
  const places = [...requests.keys()].filter((at) => !refused.has(at));
  const members = places.map((at): Member<Q> => ({ request: requests[at] as Q, unit: new UnitOfWork(tx) }));
  const given = await act(tx, members);
  const abandoned = members.flatMap(({ unit }, index) => (unit.abandoned ? [[places[index] ?? 0, unit.abandoned] as const] : []));
  if (abandoned.length > 0) throw new SomeRefused(new Map(abandoned));
  await endAll(tx, {
    events: members.flatMap(({ unit }) => unit.handedOver.events),
    requests: members.flatMap(({ unit }, index) => unit.handedOver.requests.map((one) => ({ ...one, at: places[index] ?? 0 }))),
  });
  const outcomes = new Map(given.map((one, index) => [places[index], one]));
  return requests.map((_, at) => refused.get(at) ?? settled(outcomes.get(at) as T | Error));
}

const settled = <T>(given: T | Error): PromiseSettledResult<T> =>
  given instanceof Error ? { status: 'rejected', reason: given } : { status: 'fulfilled', value: given };

/**
 * Error of a try in which actions were refused. `refusals`: their reasons by the position of the action. The transaction is then
 * repeated without the refused actions.
 */
class SomeRefused extends Error {
  readonly refusals: ReadonlyMap<number, Error>;

  constructor(refusals: ReadonlyMap<number, Error>) {
    super('some of a group were refused');
    this.refusals = refusals;
  }
}

async function tryAll<T>(tx: Tx, actions: readonly Action<T>[], refused: Refusals): Promise<PromiseSettledResult<T>[]> {
  const outcomes: PromiseSettledResult<T>[] = [];
  const requests: Placed[] = [];
  const events: OutboxEvent[] = [];
  for (const [at, action] of actions.entries()) {
    const outcome =
      refused.get(at) ??
      (await byItself(
        tx,
        action,
        requests.map(({ journal }) => journal),
      ));
    if ('handedOver' in outcome) {
      requests.push(...outcome.handedOver.requests.map((one) => ({ ...one, at })));
      events.push(...outcome.handedOver.events);
    }
    outcomes.push(outcome);
  }
  await endAll(tx, { requests, events });
  return outcomes;
}

/** A journal to post, with the position of its action. */
type Placed = JournalRequest & { readonly at: number };

/**
 * Publishes the events and posts the journals of several actions, and commits. Throws `SomeRefused` with the actions whose
 * journals the ledger refused.
 */
async function endAll(tx: Tx, handedOver: HandedOver<Placed>): Promise<void> {
  const refusals = await postAll(tx, handedOver, postAndCommit);
  const culprits = new Map(
    refusals.flatMap((error, index) => (error ? [[handedOver.requests[index]?.at ?? 0, error] as const] : [])),
  );
  if (culprits.size > 0) throw new SomeRefused(culprits);
}

type Done<T> = PromiseFulfilledResult<T> & Pick<UnitOfWork, 'handedOver'>;

/** Runs one of several actions after a savepoint. If the action throws, everything that it wrote is undone. */
async function byItself<T>(tx: Tx, action: Action<T>, earlier: readonly Journal[]): Promise<Done<T> | PromiseRejectedResult> {
  const committed: (() => void)[] = [];
  const marks = new Set(tx.marks);
  const writes: Promise<Error | undefined>[] = [];
  const failureOf = (error: Error): Error => error;
  const own: Tx = {
    ...{ ...tx, marks, afterCommit: (work) => void committed.push(work) },
    write: (sql, values, options) => void writes.push(tx.run(sql, values, options).then(() => undefined, failureOf)),
  };
  const unit = new UnitOfWork(own, earlier);
  await tx.run('savepoint action');
  try {
    const value = await action(unit);
    await tx.run('release savepoint action');
    for (const work of committed) tx.afterCommit(work);
    for (const mark of marks) tx.marks.add(mark);
    return { status: 'fulfilled', value, handedOver: unit.handedOver };
  } catch (error) {
    // After a failed write, every later statement fails, too. So the error of the first failed write is reported.
    const reason = (await Promise.all(writes)).find((failure) => failure !== undefined) ?? error;
    // A conflict aborts the whole transaction, which the caller then runs again. Any other database error fails only this action.
    if (isConflict(reason)) throw reason;
    await tx.run('rollback to savepoint action');
    return { status: 'rejected', reason };
  }
}

/**
 * Publishes events and posts journals in one round trip. Returns the error for each refused journal. A journal that was posted
 * before is treated as refused.
 */
async function postAll(
  tx: Tx,
  { requests, events }: HandedOver<JournalRequest>,
  by: typeof post,
): Promise<(Error | undefined)[]> {
  // A failed statement makes the statements after it fail. `allEnded` waits for all, so that the first failure is reported.
  const published = outbox.publish(tx, events);
  const posted = by(
    tx,
    requests.map(({ journal }) => journal),
  );
  const [, statuses] = await allEnded([published, posted]);
  return requests.map(({ journal, refused }, at) => {
    const status = statuses[at]?.status ?? 'conflict';
    if (status === 'posted') return undefined;
    const cause = new JournalRefused(journal, status);
    const isBound = status === 'floor' || status === 'ceiling';
    return refused !== undefined && isBound ? new Problem(refused, { cause }) : cause;
  });
}
