// A unit of work: rows are locked, what happens is decided, rows are saved, and what must come last is kept here until then:
// events, and all journals in one posting, since posting locks accounts.
//
// A refused journal abandons the whole unit. `together` carries actions that arrive at the same moment in one transaction:
// each is whole or refused by itself, and one that is refused takes no other with it. `inGroups` does so for the same action of
// many who ask: while one group is committed the next one collects.

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

/** The ledger refused a journal: what was decided rests on something that isn't so any more. */
export class JournalRefused extends Error {
  readonly status: JournalStatus['status'];

  constructor({ kind, cause }: Journal, status: JournalStatus['status']) {
    super(`the ledger refused the journal ${kind} of ${cause}: ${status}`);
    this.name = 'JournalRefused';
    this.status = status;
  }
}

/** A journal to be posted, and the problem that its refusal by a bound is told as. */
interface Asked {
  readonly journal: Journal;
  readonly refused: ProblemCode | undefined;
}

/** What must come last in a transaction. */
interface HandedOver<A extends Asked> {
  readonly asked: readonly A[];
  readonly events: readonly OutboxEvent[];
}

export class UnitOfWork {
  readonly tx: Tx;
  /** Journals of actions before this one in the same transaction: posted with this one's, and shown already. */
  readonly #earlier: readonly Journal[];
  readonly #asked: Asked[] = [];
  readonly #events: OutboxEvent[] = [];
  /** Accounts that were asked about: what each shows with so many of the journals. */
  readonly #shown = new Map<string, { readonly parts: bigint; readonly counted: number }>();
  #abandoned: Error | undefined;

  constructor(tx: Tx, earlier: readonly Journal[] = []) {
    this.tx = tx;
    this.#earlier = earlier;
  }

  /**
   * Hands over a journal to be posted at the end; undefined, or one without legs, is none. It is priced by the market unless
   * it has prices. `refused`: the problem to throw where a bound refuses it; without it `JournalRefused` is thrown.
   */
  post(journal: Journal | undefined, refused?: ProblemCode): void {
    if (journal === undefined || journal.legs.length === 0) return;
    const prices = journal.prices ?? marketPrices(journal.legs.map(({ from }) => from.unit));
    this.#asked.push({ journal: { ...journal, prices }, refused });
  }

  /** Hands over events to be published before the posting. */
  publish(...events: readonly OutboxEvent[]): void {
    this.#events.push(...events);
  }

  /** What an account shows: what it held when it was first asked about, and what was handed over since. */
  async shown(ref: AccountRef): Promise<bigint> {
    const known = this.#shown.get(ref.name);
    const stored = known?.parts ?? (await balances(this.tx, [ref]))[0] ?? 0n;
    // What was counted as it was asked about before is not counted again, however much is handed over and asked about.
    const since = known ? this.#asked.slice(known.counted) : this.#asked;
    const legs = [...(known ? [] : this.#earlier), ...since.map(({ journal }) => journal)].flatMap((journal) => journal.legs);
    const moved = legs.reduce(
      (sum, { from, to, parts }) => sum + (to.name === ref.name ? parts : 0n) - (from.name === ref.name ? parts : 0n),
      0n,
    );
    const parts = stored + (ref.class === 'held' || ref.class === 'spent' ? -moved : moved);
    this.#shown.set(ref.name, { parts, counted: this.#asked.length });
    return parts;
  }

  /** In a group: this action is refused, and all that the group's transaction wrote for it is undone. */
  abandon(reason: Error): void {
    this.#abandoned ??= reason;
  }

  /** Why it is abandoned, where it is. */
  get abandoned(): Error | undefined {
    return this.#abandoned;
  }

  /** What was handed over so far. */
  get handedOver(): HandedOver<Asked> {
    return { asked: this.#asked, events: this.#events };
  }

  /**
   * Publishes the events and posts the journals, in a transaction of somebody who has more to do in it. Throws the problem that
   * a refused journal was handed over with, else `JournalRefused`.
   */
  async commit(): Promise<void> {
    for (const refusal of await postAll(this.tx, this.handedOver, post)) if (refusal) throw refusal;
  }

  /** The same, and commits the transaction in the same round trip where anything is posted. */
  async end(): Promise<void> {
    for (const refusal of await postAll(this.tx, this.handedOver, postAndCommit)) if (refusal) throw refusal;
  }
}

/** Something to be done in a unit of work. It locks, decides and saves; what must come last it hands over to the unit. */
export type Action<T> = (unit: UnitOfWork) => Promise<T>;

/** Does one action in a transaction of its own. Throws what it throws, and what `UnitOfWork.commit` does. */
export function alone<T>(db: Db, action: Action<T>): Promise<T> {
  return db.tx(async (tx) => {
    const unit = new UnitOfWork(tx);
    const value = await action(unit);
    await unit.end();
    return value;
  });
}

/**
 * Does actions in one transaction, in their order, with one posting; gives the outcome of each, durable by then. One that
 * throws, or whose journal is refused, is rejected with its reason and has done nothing; the others are done. Where the
 * database itself fails all are rejected with that. Actions may run more than once, and post nothing by themselves.
 */
export async function together<T>(db: Db, actions: readonly Action<T>[]): Promise<PromiseSettledResult<T>[]> {
  try {
    return await withoutRefused(actions.length, (refused) => db.tx((tx) => tryAll(tx, actions, refused)));
  } catch (reason) {
    return actions.map(() => ({ status: 'rejected', reason }));
  }
}

/** Refusals by the places of who was refused. */
type Refusals = Map<number, PromiseRejectedResult>;

/** Tries until nobody is refused any more who was not left out of the try; gives the outcomes of all. Throws what else a try does. */
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

/** One of a group who ask the same at the same moment: what they ask, and the unit of work that is theirs. */
export interface Member<Q> {
  readonly asked: Q;
  readonly unit: UnitOfWork;
}

/**
 * Does the same for several at once, by statements about all of them. Gives for each what came of it, or why it is refused: for
 * that one nothing was written, or its unit is abandoned. It may run more than once.
 */
export type GroupAction<Q, T> = (tx: Tx, members: readonly Member<Q>[]) => Promise<readonly (T | Error)[]>;

export type GroupOptions<Q> = Pick<GatherOptions<Q>, 'most' | 'keysOf'>;

/** Milliseconds for which somebody waits for a group; then they are refused with `unavailable`, and nothing is done for them. */
const PATIENCE_MS = 1_500;

/**
 * Gives a function that does the action for one who asks, in a transaction shared with those who ask at the same moment, each
 * whole or refused by itself and durable before its answer. Somebody who asks alone waits for nobody. Where a group fails
 * before its commit each of it is done alone, so that nobody is refused for another.
 */
export function inGroups<Q, T>(
  db: Db,
  act: GroupAction<Q, T>,
  options: GroupOptions<Q> = {},
): (asked: Q) => Promise<Exclude<T, Error>> {
  const ask = gather((asked: readonly Q[]) => group(db, act, asked), { patience: PATIENCE_MS, ...options });
  return async (asked) => {
    const outcome = await ask(asked);
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value as Exclude<T, Error>;
  };
}

async function group<Q, T>(db: Db, act: GroupAction<Q, T>, asked: readonly Q[]): Promise<PromiseSettledResult<T>[]> {
  const attempt = (refused: Refusals): Promise<PromiseSettledResult<T>[]> => db.tx((tx) => tryGroup(tx, act, asked, refused));
  try {
    return await withoutRefused(asked.length, attempt);
  } catch (reason) {
    if (mayBeCommitted(reason) || asked.length === 1) return asked.map(() => ({ status: 'rejected', reason }));
    log.warn('a group failed before its commit: each of it is done alone', { members: asked.length, error: String(reason) });
    return (await Promise.all(asked.map((one) => group(db, act, [one])))).flat();
  }
}

async function tryGroup<Q, T>(
  tx: Tx,
  act: GroupAction<Q, T>,
  asked: readonly Q[],
  refused: Refusals,
): Promise<PromiseSettledResult<T>[]> {
  const places = [...asked.keys()].filter((at) => !refused.has(at));
  const members = places.map((at): Member<Q> => ({ asked: asked[at] as Q, unit: new UnitOfWork(tx) }));
  const given = await act(tx, members);
  const abandoned = members.flatMap(({ unit }, index) => (unit.abandoned ? [[places[index] ?? 0, unit.abandoned] as const] : []));
  if (abandoned.length > 0) throw new SomeRefused(new Map(abandoned));
  await endAll(tx, {
    events: members.flatMap(({ unit }) => unit.handedOver.events),
    asked: members.flatMap(({ unit }, index) => unit.handedOver.asked.map((one) => ({ ...one, at: places[index] ?? 0 }))),
  });
  const outcomes = new Map(given.map((one, index) => [places[index], one]));
  return asked.map((_, at) => refused.get(at) ?? settled(outcomes.get(at) as T | Error));
}

const settled = <T>(given: T | Error): PromiseSettledResult<T> =>
  given instanceof Error ? { status: 'rejected', reason: given } : { status: 'fulfilled', value: given };

/** Some actions were refused once all had run, by the actions' places: the transaction is tried again without these. */
class SomeRefused extends Error {
  readonly refusals: ReadonlyMap<number, Error>;

  constructor(refusals: ReadonlyMap<number, Error>) {
    super('some of a group were refused');
    this.refusals = refusals;
  }
}

async function tryAll<T>(tx: Tx, actions: readonly Action<T>[], refused: Refusals): Promise<PromiseSettledResult<T>[]> {
  const outcomes: PromiseSettledResult<T>[] = [];
  const asked: Placed[] = [];
  const events: OutboxEvent[] = [];
  for (const [at, action] of actions.entries()) {
    const outcome =
      refused.get(at) ??
      (await byItself(
        tx,
        action,
        asked.map(({ journal }) => journal),
      ));
    if ('handedOver' in outcome) {
      asked.push(...outcome.handedOver.asked.map((one) => ({ ...one, at })));
      events.push(...outcome.handedOver.events);
    }
    outcomes.push(outcome);
  }
  await endAll(tx, { asked, events });
  return outcomes;
}

/** What the action at a place asked for. */
type Placed = Asked & { readonly at: number };

/**
 * Publishes and posts what actions handed over, and commits with it. Throws `SomeRefused` with those of whom the ledger refused a
 * journal.
 */
async function endAll(tx: Tx, handedOver: HandedOver<Placed>): Promise<void> {
  const refusals = await postAll(tx, handedOver, postAndCommit);
  const culprits = new Map(
    refusals.flatMap((error, index) => (error ? [[handedOver.asked[index]?.at ?? 0, error] as const] : [])),
  );
  if (culprits.size > 0) throw new SomeRefused(culprits);
}

type Done<T> = PromiseFulfilledResult<T> & Pick<UnitOfWork, 'handedOver'>;

/** Does one of several actions behind a savepoint: one that throws leaves nothing behind. */
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
    // A write that failed has every statement after it refused.
    const reason = (await Promise.all(writes)).find((failure) => failure !== undefined) ?? error;
    // The whole transaction is to be run again; so says the database, whose other errors end here, too.
    if (isConflict(reason)) throw reason;
    await tx.run('rollback to savepoint action');
    return { status: 'rejected', reason };
  }
}

/**
 * Publishes events and posts journals, in one round trip, and gives the error for each journal that was refused. One that was
 * there already counts as refused, too.
 */
async function postAll(tx: Tx, { asked, events }: HandedOver<Asked>, by: typeof post): Promise<(Error | undefined)[]> {
  // A statement of a transaction fails where one before it did: what failed first is told.
  const published = outbox.publish(tx, events);
  const posted = by(
    tx,
    asked.map(({ journal }) => journal),
  );
  const [, statuses] = await allEnded([published, posted]);
  return asked.map(({ journal, refused }, at) => {
    const status = statuses[at]?.status ?? 'conflict';
    if (status === 'posted') return undefined;
    const cause = new JournalRefused(journal, status);
    const isBound = status === 'floor' || status === 'ceiling';
    return refused !== undefined && isBound ? new Problem(refused, { cause }) : cause;
  });
}
