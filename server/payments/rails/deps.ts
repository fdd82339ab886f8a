import type { Db, Sealer } from '../../platform/index.ts';
import type { UnexplainedLine } from '../../rails/index.ts';
import type { Prepared } from '../../rails/rail.ts';
import type { Gates } from './gates.ts';
import type { Values } from './values.ts';

/** Dependencies of this room's loops. */
export interface PaymentsDeps {
  readonly db: Db;
  readonly values: Values;
  /**
   * Functions of owners that decide whether their payouts may leave. If a kind of owner has no function, all its payouts may
   * leave.
   */
  readonly gates: Gates;
  /** Returns a random number from 0 to 1. It spreads pauses, so that not all processes call a rail again at the same moment. */
  readonly jitter: () => number;
  /** Encrypts vouchers that customers entered or that payouts bought: only their receivers may read them. */
  readonly sealer: Sealer;
  /** Returns the entries of the signer's journal that the database does not explain. Absent in a process without a signer. */
  readonly unexplained?: () => Promise<readonly UnexplainedLine[]>;
  /** Longest time that a rail may take for one answer, in ms. */
  readonly callMs: number;
}

/** Error of a rail that didn't answer in time. The call may still have had an effect. */
export class NoAnswer extends Error {
  constructor(what: string, ms: number) {
    super(`${what}: no answer within ${ms} ms`);
    this.name = 'NoAnswer';
  }
}

/** Waits at most `ms` for a call to a rail. Throws `NoAnswer` after that. The call itself goes on, but its outcome is ignored. */
export async function within<T>(ms: number, what: string, call: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoAnswer(what, ms)), ms);
  });
  try {
    return await Promise.race([call(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Result of a preparation that failed or got no answer. Nothing was prepared. */
interface Failed {
  readonly ok: false;
  readonly reason: 'failed';
  readonly detail: string;
}

/** Prepares a send or a sweep on a rail. Nothing leaves by that, so an error is returned as a failure and not thrown. */
export async function tryPrepare<P extends Prepared>(ms: number, what: string, call: () => Promise<P>): Promise<P | Failed> {
  try {
    return await within(ms, what, call);
  } catch (error) {
    return { ok: false, reason: 'failed', detail: error instanceof Error ? error.message : String(error) };
  }
}
