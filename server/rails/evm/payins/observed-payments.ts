import type { ObservedPayment, Unread, ReceivingAddress } from '../../rail.ts';
import { monotonicMs } from '../../../platform/index.ts';
import { type Arrival, type Chain, type Head, Moved } from '../chain.ts';
import { RpcError, Unreachable } from '../client.ts';
import { coinReader } from './coins.ts';
import type { Read, Reader, Since } from '../reading.ts';
import { tokenReader } from './tokens.ts';

type Observe = (addresses: readonly ReceivingAddress[], unread?: (left: Unread) => void) => Promise<ObservedPayment[]>;

/**
 * Reads payments to addresses: tokens by their logs, the chain's own coin, where it is a currency, by its blocks. Only mined
 * transfers exist here. The two are read apart: where one can't be read the other is shown all the same. How far
 * an address that isn't read to its end was read is told as `readOn`: the heights from which on its tokens and its coin are
 * unread.
 */
export function observedPaymentsReader(chain: Chain): Observe {
  const readers: readonly Reader[] = [tokenReader(chain), ...(chain.config.coin ? [coinReader(chain)] : [])];
  return async (addresses, unread = refuse) => {
    if (addresses.length === 0) return [];
    const begun = monotonicMs();
    const isTime = (): boolean => monotonicMs() < begun + chain.config.lookMs;
    const since = readers.map((_, of) => sinceOf(addresses, of));
    for (let attempt = 1; ; attempt += 1) {
      const head = await chain.head();
      const looks = await Promise.all(readers.map((reader, of) => tried(reader, since[of] ?? [], head, isTime)));
      if (attempt < 3 && looks.some((look) => look instanceof Moved)) continue;
      const reads = looks.filter((look): look is ReadonlyMap<string, Read> => !(look instanceof Error));
      if (reads.length === 0) throw unreachable(looks[0]);
      for (const { to } of since[0] ?? []) tell(to, looks, since, unread);
      return reads
        .flatMap((read) => [...read.values()])
        .flatMap(({ arrivals }) => arrivals.map((one) => observedPayment(one, head)));
    }
  };
}

/** Who doesn't listen gets the whole or nothing. */
function refuse({ detail }: Unread): never {
  throw new Unreachable(detail);
}

type Tried = ReadonlyMap<string, Read> | Error;

/** A look by one reader, or why there was none. */
async function tried(reader: Reader, since: readonly Since[], head: Head, isTime: () => boolean): Promise<Tried> {
  try {
    return await reader.look(since, head, isTime);
  } catch (error) {
    if (error instanceof Moved || error instanceof Unreachable || error instanceof RpcError) return error;
    throw error;
  }
}

const unreachable = (error: Tried | undefined): Error =>
  error instanceof Moved ? new Unreachable('The chain moved while it was read', error) : (error as Error);

/** Tells of an address that one of the readers didn't read to its end, with where each has to read on. */
function tell(to: string, looks: readonly Tried[], since: readonly (readonly Since[])[], unread: (left: Unread) => void): void {
  const lefts = looks.map((look) => (look instanceof Error ? { why: unreachable(look).message } : look.get(to)?.left));
  const why = lefts.flatMap((left) => left?.why ?? []);
  if (why.length === 0) return;
  const from = looks.map((look, of) => {
    const begin = since[of]?.find((one) => one.to === to)?.from ?? 0;
    return look instanceof Error ? begin : (look.get(to)?.left?.from ?? begin);
  });
  unread({ to, readOn: from.join('/'), detail: [...new Set(why)].join('; ') });
}

/** Each address once, with where one of the readers has to read on: where an earlier look left off, or where it all began. */
function sinceOf(addresses: readonly ReceivingAddress[], reader: number): Since[] {
  const since = new Map<string, number>();
  for (const { to, sinceHeight, readOn = '' } of addresses) {
    const told = /^\d{1,15}(?:\/\d{1,15})*$/.test(readOn) ? readOn.split('/')[reader] : undefined;
    const from = Math.max(sinceHeight, told === undefined ? 0 : Number.parseInt(told, 10));
    since.set(to, Math.min(since.get(to) ?? from, from));
  }
  return [...since].map(([to, from]) => ({ to, from }));
}

/** A proved arrival as it stands by a head. */
export function observedPayment(
  { key, currency, to, parts, txid, from, height, hash, minedAt }: Arrival,
  head: Head,
): ObservedPayment {
  const confirmations = Math.max(1, head.height - height + 1);
  return {
    ...{ key, currency, to, parts, txid, from: [from] },
    standing: { at: 'block', height, hash, minedAt, confirmations, finalised: height <= head.finalised },
  };
}
