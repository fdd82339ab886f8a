// A unit of work: locks rows, decides, saves rows, and collects what must come last in the transaction: events, and all journals
// in one posting, since posting locks accounts.
//
// A refused journal abandons the whole unit. `together` runs several actions in one transaction; each is whole or refused alone,
// and a refused action takes no other with it. `inGroups` does so for concurrent callers of one action: while one group commits,
// the next one collects.

import { Problem, type ProblemCode } from '@kurs/contract';
import { type AccountRef, type Journal, type JournalStatus, balances, post, postAndCommit } from '../ledger/index.ts';
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

/** The ledger refused a journal: what was decided rests on facts that have changed. */
export class JournalRefused extends Error {
  readonly status: JournalStatus['status'];

  constructor({ kind, cause }: Journal, status: JournalStatus['status']) {
    super(`the ledger refused the journal ${kind} of ${cause}: ${status}`);
    this.name = 'JournalRefused';
    this.status = status;
  }
}

/** A journal to post, and the problem to throw if a bound refuses it. */
interface JournalRequest {
  readonly journal: Journal;
  readonly refused: ProblemCode | undefined;
}

/** Work that comes last in a transaction. */
interface HandedOver<A extends JournalRequest> {
  readonly requests: readonly A[];
  readonly events: readonly OutboxEvent[];
}

export class UnitOfWork {
  readonly tx: Tx;
  /**
   * Journals of earlier actions in the same transaction. They are posted with the journals of this unit, and count in `shown`.
   */
  readonly #earlier: readonly Journal[];
  readonly #requests: JournalRequest[] = [];
  readonly #events: OutboxEvent[] = [];
  /** Balances computed so far: the balance, and the number of journals counted in it. */
  readonly #shown = new Map<string, { readonly parts: bigint; readonly counted: number }>();
  #abandoned: Error | undefined;

  constructor(tx: Tx, earlier: readonly Journal[] = []) {
    this.tx = tx;
    this.#earlier = earlier;
  }

  /**
   * Adds a journal, to be posted at the end. Ignores undefined and a journal without legs. Prices it by the market unless it has
   * prices. `refused`: the problem to throw if a bound refuses it; without it `JournalRefused` is thrown.
   */
  post(journal: Journal | undefined, refused?: ProblemCode): void {
    if (journal === undefined || journal.legs.length === 0) return;
    const prices = journal.prices ?? marketPrices(journal.legs.map(({ from }) => from.unit));
    this.#requests.push({ journal: { ...journal, prices }, refused });
  }

  /** Adds events, to be published before the posting. */
  publish(...events: readonly OutboxEvent[]): void {
    this.#events.push(...events);
  }

  /** Returns an account's balance: the stored balance at the first call, with all journals added since. */
  async shown(ref: AccountRef): Promise<bigint> {
    const known = this.#shown.get(ref.name);
    const stored = known?.parts ?? (await balances(this.tx, [ref]))[0] ?? 0n;
    // Journals counted at an earlier call are not counted again.
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

  /** In a group: refuses this action and undoes all that the group's transaction wrote for it. */
  abandon(reason: Error): void {
    this.#abandoned ??= reason;
  }

  /** Reason for which it was abandoned; undefined if it wasn't. */
  get abandoned(): Error | undefined {
    return this.#abandoned;
  }

  /** Journals and events collected so far. */
  get handedOver(): HandedOver<JournalRequest> {
    return { requests: this.#requests, events: this.#events };
  }

  /**
   * Publishes the events and posts the journals, in a transaction whose caller has more to do. Throws the problem given for a
   * refused journal, else `JournalRefused`.
   */
  async commit(): Promise<void> {
    for (const refusal of await postAll(this.tx, this.handedOver, post)) if (refusal) throw refusal;
  }

  /** Does the same as `commit`, and commits the transaction in the same round trip if anything is posted. */
  async end(): Promise<void> {
    for (const refusal of await postAll(this.tx, this.handedOver, postAndCommit)) if (refusal) throw refusal;
  }
}

/** An action in a unit of work. It locks, decides and saves, and adds to the unit what must come last. */
export type Action<T> = (unit: UnitOfWork) => Promise<T>;

/** Runs one action in its own transaction. Throws what the action throws, and what `UnitOfWork.commit` throws. */
export function alone<T>(db: Db, action: Action<T>): Promise<T> {
  return db.tx(async (tx) => {
    const unit = new UnitOfWork(tx);
    const value = await action(unit);
    await unit.end();
    return value;
  });
}

/**
 * Runs actions in one transaction, in their order, with one posting. Returns the outcome of each, durable by then. An action that
 * throws, or whose journal is refused, is rejected with its reason and has done nothing; the others are done. If the database
 * itself fails, all are rejected with that error. Actions may run more than once, and post nothing themselves.
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
 * Repeats a try until no further action is refused, leaving out those refused before. Returns all outcomes. Throws any other
 * error of a try.
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

/** A member of a group: one caller's request, and its own unit of work. */
export interface Member<Q> {
  readonly request: Q;
  readonly unit: UnitOfWork;
}

/**
 * An action for several callers at once, by statements about all of them. Returns the result or the refusal for each member. For
 * a refused member nothing was written, or its unit is abandoned. It may run more than once.
 */
export type GroupAction<Q, T> = (tx: Tx, members: readonly Member<Q>[]) => Promise<readonly (T | Error)[]>;

export type GroupOptions<Q> = Pick<GatherOptions<Q>, 'max' | 'keysOf'>;

/** Longest wait for a group, in ms. After that the caller is refused with `unavailable`, and nothing is done. */
const PATIENCE_MS = 1_500;

/**
 * Returns a function that runs the action for one caller, in a transaction shared with concurrent callers. Each is whole or
 * refused alone, and durable before its answer. A single caller doesn't wait. If a group fails before its commit, its members are
 * repeated one by one, so that nobody is refused because of another.
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

/** Actions refused at the end of a try, by their position. The transaction is repeated without them. */
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
 * Publishes and posts the work of several actions, and commits. Throws `SomeRefused` with the actions whose journal the ledger
 * refused.
 */
async function endAll(tx: Tx, handedOver: HandedOver<Placed>): Promise<void> {
  const refusals = await postAll(tx, handedOver, postAndCommit);
  const culprits = new Map(
    refusals.flatMap((error, index) => (error ? [[handedOver.requests[index]?.at ?? 0, error] as const] : [])),
  );
  if (culprits.size > 0) throw new SomeRefused(culprits);
}

type Done<T> = PromiseFulfilledResult<T> & Pick<UnitOfWork, 'handedOver'>;

/** Runs one of several actions behind a savepoint. An action that throws leaves nothing behind. */
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
    // After a failed write every later statement fails too, so the write's error is the reason.
    const reason = (await Promise.all(writes)).find((failure) => failure !== undefined) ?? error;
    // A conflict aborts the whole transaction, which the caller runs again. Other database errors end with this action.
    if (isConflict(reason)) throw reason;
    await tx.run('rollback to savepoint action');
    return { status: 'rejected', reason };
  }
}

/**
 * Publishes events and posts journals in one round trip. Returns the error of each refused journal. A journal that was posted
 * before counts as refused, too.
 */
async function postAll(
  tx: Tx,
  { requests, events }: HandedOver<JournalRequest>,
  by: typeof post,
): Promise<(Error | undefined)[]> {
  // A failed statement fails those after it in the transaction: the first failure is the one to report.
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
