// How often codes of coupons are tried. A code is looked at first and counted only once it was wrong, so that right ones ask nothing of
// a counter; a few of one account, or of one network, are looked at at once, so that no more wrong ones get through beside each other.

import { Problem } from '@kurs/contract';
import { couponTries } from '../../../coupons/index.ts';
import { type Context, type Counted, monotonicMs, networkOf } from '../../../platform/index.ts';

/** Who tries, and what they are counted by. */
export type Trying = Pick<Context, 'user' | 'ip' | 'deviceKey' | 'limit' | 'limitDevice' | 'limitNetwork'>;

/** Something that wrong codes are counted for. */
interface Counter {
  readonly name: string;
  readonly take: () => Promise<Counted>;
  /** Counts for others: who is counted is not refused by it. */
  readonly isForOthers?: true;
}

const HOUR = 3_600;
const AT_ONCE = 5;
const MOST_KNOWN = 10_000;

/** What this process knows of tries: how many are looked at now, who waits for their turn, and until when who is refused. */
class Tries {
  readonly #running = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #full = new Map<string, { readonly until: number; readonly most: number }>();

  /** Waits for one's turn under a name; gives what ends it. */
  async turn(name: string): Promise<() => void> {
    while ((this.#running.get(name) ?? 0) >= AT_ONCE)
      await new Promise<void>((resolve) => this.#waiting.set(name, [...(this.#waiting.get(name) ?? []), resolve]));
    this.#running.set(name, (this.#running.get(name) ?? 0) + 1);
    return () => {
      const left = (this.#running.get(name) ?? 1) - 1;
      if (left === 0) this.#running.delete(name);
      else this.#running.set(name, left);
      const [next, ...others] = this.#waiting.get(name) ?? [];
      if (others.length === 0) this.#waiting.delete(name);
      else this.#waiting.set(name, others);
      next?.();
    };
  }

  /** Throws `rate_limited` while a counter is known to be full. */
  refuse({ name }: Counter): void {
    const known = this.#full.get(name);
    if (!known) return;
    const left = known.until - monotonicMs();
    if (left > 0) throw new Problem('rate_limited', { retryAfter: Math.ceil(left / 1_000), most: known.most });
    this.#full.delete(name);
  }

  /** Counts a wrong code. Throws `rate_limited` where too many were; it is known then. */
  async count({ name, take, isForOthers }: Counter): Promise<void> {
    try {
      await take();
    } catch (error) {
      if (error instanceof Problem && error.code === 'rate_limited') {
        if (this.#full.size >= MOST_KNOWN) this.#full.clear();
        const { retryAfter = HOUR, most = 1 } = error.details;
        this.#full.set(name, { until: monotonicMs() + retryAfter * 1_000, most });
      }
      const isFull = error instanceof Problem && error.code === 'rate_limited';
      if (!(isForOthers && isFull)) throw error;
    }
  }
}

/** Looks at a code, if there is one, by `work`. */
export type TryingCode = <T>(context: Trying, code: string | undefined, work: () => Promise<T>) => Promise<T>;

/**
 * Opens the looking at codes: so many wrong ones an hour are answered, and then none, right ones neither. Those of an account holder
 * count by the account and all accounts of its network, so that no visitor uses them up, and towards the visitors of the network; a
 * visitor's by device and network. The function throws what `work` throws, and `rate_limited`.
 */
export function openTrying(): TryingCode {
  const tries = new Tries();
  return async (context, code, work) => {
    if (code === undefined) return work();
    const counters = countersOf(context);
    const end = await tries.turn(counters.at(-1)?.name ?? '');
    try {
      for (const one of counters) if (!one.isForOthers) tries.refuse(one);
      return await work();
    } catch (error) {
      if (error instanceof Problem && error.code === 'coupon_unknown') for (const one of counters) await tries.count(one);
      throw error;
    } finally {
      end();
    }
  };
}

/** What a wrong code is counted for, the widest last. A device is looked for only where it counts: its key costs a hash. */
function countersOf(trying: Trying): readonly Counter[] {
  const { user, ip, limit, limitDevice, limitNetwork } = trying;
  const { device, network } = couponTries();
  const own = { most: device, seconds: HOUR };
  const shared = { most: network, seconds: HOUR };
  const visitors = { name: `network ${networkOf(ip)}`, take: () => limitNetwork('coupon', shared) };
  if (!user) return [{ name: `device ${trying.deviceKey}`, take: () => limitDevice('coupon', own) }, visitors];
  return [
    { name: `account ${user.id}`, take: () => limit(`coupon of account ${user.id}`, own) },
    { ...visitors, isForOthers: true },
    { name: `accounts of ${networkOf(ip)}`, take: () => limitNetwork('coupon of accounts', shared) },
  ];
}
