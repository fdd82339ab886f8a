import type { Db, Statements, Tx } from '../platform/index.ts';
import type { Payin, Payout, Rail, Sweep } from '../rails/rail.ts';

/** Thrown wherever a dead process would continue. */
export class Killed extends Error {}

/** A nap: after so many awaits of the database between transactions a process stops until it is woken. */
export interface Nap {
  readonly after: number;
  readonly fallsAsleep: () => void;
  readonly until: Promise<void>;
}

/**
 * A process that dies at its n-th await of the database or of a rail: before the other side did its part, or after it
 * (then only we don't know). A dead process does nothing more; its open transaction is rolled back, as the database does.
 */
export class Mortal {
  #left: number;
  readonly #nap: Nap | undefined;
  #untilNap: number;
  dead = false;

  /** `awaits`: number that it survives; Infinity: it does not die. */
  constructor(awaits: number, nap?: Nap) {
    this.#left = awaits;
    this.#nap = nap;
    this.#untilNap = nap?.after ?? Infinity;
  }

  async await<T>(work: () => Promise<T>): Promise<T> {
    this.#tick();
    const result = await work();
    this.#tick();
    return result;
  }

  /** Like `await`, where no transaction is open: the process may fall asleep here, as a stopped one does. */
  async #between<T>(work: () => Promise<T>): Promise<T> {
    const result = await this.await(work);
    this.#untilNap -= 1;
    if (this.#nap && this.#untilNap === 0) {
      this.#nap.fallsAsleep();
      await this.#nap.until;
    }
    return result;
  }

  #tick(): void {
    if (!this.dead && this.#left-- > 0) return;
    this.dead = true;
    throw new Killed();
  }

  db(inner: Db): Db {
    return {
      ...this.#statements(inner),
      // Dying after the last statement and before the answer to COMMIT: the rows are there, the process isn't.
      tx: (work, options) => this.#between(() => inner.tx((tx: Tx) => work(this.#statements(tx)), options)),
      now: () => this.await(() => inner.now()),
    };
  }

  rail(inner: Rail): Rail {
    const { payin, payout, sweep } = inner;
    return {
      ...inner,
      reserve: (state) => this.await(() => inner.reserve(state)),
      health: () => this.await(() => inner.health()),
      ...(payin && { payin: this.#payin(payin) }),
      ...(payout && { payout: this.#payout(payout) }),
      ...(sweep && { sweep: this.#sweep(sweep) }),
    };
  }

  #statements<S extends Statements>(inner: S): S {
    return {
      ...inner,
      rows: <R>(...call: Parameters<Statements['rows']>) => this.await(() => inner.rows<R>(...call)),
      row: <R>(...call: Parameters<Statements['row']>) => this.await(() => inner.row<R>(...call)),
      run: (...call: Parameters<Statements['run']>) => this.await(() => inner.run(...call)),
    };
  }

  #payin(inner: Payin): Payin {
    return {
      ...inner,
      tip: () => this.await(() => inner.tip()),
      observe: (...call) => this.await(() => inner.observe(...call)),
      ...(inner.seek && { seek: (...call) => this.await(() => (inner.seek as NonNullable<Payin['seek']>)(...call)) }),
    };
  }

  #payout(inner: Payout): Payout {
    return {
      ...inner,
      prepare: (...call) => this.await(() => inner.prepare(...call)),
      send: (...call) => this.await(() => inner.send(...call)),
      find: (...call) => this.await(() => inner.find(...call)),
      ...(inner.bump && { bump: (...call) => this.await(() => (inner.bump as NonNullable<Payout['bump']>)(...call)) }),
    };
  }

  #sweep(inner: Sweep): Sweep {
    return {
      holdings: (...call) => this.await(() => inner.holdings(...call)),
      prepare: (...call) => this.await(() => inner.prepare(...call)),
    };
  }
}
