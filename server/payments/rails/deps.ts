import type { Db, Sealer } from '../../platform/index.ts';
import type { UnexplainedLine } from '../../rails/index.ts';
import type { Prepared } from '../../rails/rail.ts';
import type { Gates } from './gates.ts';
import type { Values } from './values.ts';

/** Dependencies of this room's loops. */
export interface PaymentsDeps {
  readonly db: Db;
  readonly values: Values;
  /** Functions to call before a payout leaves. A process without any sends every requested payout. */
  readonly gates: Gates;
  /** Returns a random number from 0 to 1, by which pauses are spread so that not all callers come back at once. */
  readonly jitter: () => number;
  /** Encrypts what only its receiver may read: vouchers that were entered or bought. */
  readonly sealer: Sealer;
  /** Returns lines of the signer's journal that the database does not explain. Absent in a process without a signer. */
  readonly unexplained?: () => Promise<readonly UnexplainedLine[]>;
  /** Longest time that a rail may take for one answer, in ms. */
  readonly callMs: number;
}

/** A rail didn't answer in time. What it did meanwhile is unknown. */
export class NoAnswer extends Error {
  constructor(what: string, ms: number) {
    super(`${what}: no answer within ${ms} ms`);
    this.name = 'NoAnswer';
  }
}

/** Waits for a rail at most `ms`. Throws `NoAnswer` after that; the call itself goes on, and its outcome is dropped. */
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

/** The rail failed or didn't answer: nothing was prepared. */
interface Failed {
  readonly ok: false;
  readonly reason: 'failed';
  readonly detail: string;
}

/** Prepares something on a rail. Nothing has left by then, so any error just means that it can't be sent now. */
export async function tryPrepare<P extends Prepared>(ms: number, what: string, call: () => Promise<P>): Promise<P | Failed> {
  try {
    return await within(ms, what, call);
  } catch (error) {
    return { ok: false, reason: 'failed', detail: error instanceof Error ? error.message : String(error) };
  }
}
