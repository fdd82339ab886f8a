import type { ObservedPayment, Unread, ReceivingAddress } from '../../rail.ts';
import { monotonicMs } from '../../../platform/index.ts';
import { type Arrival, type Chain, type Head, Moved } from '../chain.ts';
import { RpcError, Unreachable } from '../client.ts';
import { coinReader } from './coins.ts';
import type { Read, Reader, Since } from '../reading.ts';
import { tokenReader } from './tokens.ts';

type Observe = (addresses: readonly ReceivingAddress[], unread?: (left: Unread) => void) => Promise<ObservedPayment[]>;

/**
 * Returns the poll for payments to addresses: tokens by their logs and, if it is a currency, the chain's own coin by its blocks. Only
 * mined transfers are shown. Both are read separately: if one can't be read, the other is still shown. An address that isn't read
 * completely is reported with `readOn`: the heights from which its tokens and its coin are unread.
 */
export function observedPaymentsReader(chain: Chain): Observe {
  const readers: readonly Reader[] = [tokenReader(chain), ...(chain.config.coin ? [coinReader(chain)] : [])];
  return async (addresses, unread = refuse) => {
    if (addresses.length === 0) return [];
    const begun = monotonicMs();
    const isTime = (): boolean => monotonicMs() < begun + chain.config.pollMs;
    const since = readers.map((_, of) => sinceOf(addresses, of));
    for (let attempt = 1; ; attempt += 1) {
      const head = await chain.head();
      const polls = await Promise.all(readers.map((reader, of) => tried(reader, since[of] ?? [], head, isTime)));
      if (attempt < 3 && polls.some((poll) => poll instanceof Moved)) continue;
      const reads = polls.filter((poll): poll is ReadonlyMap<string, Read> => !(poll instanceof Error));
      if (reads.length === 0) throw unreachable(polls[0]);
      for (const { to } of since[0] ?? []) report(to, polls, since, unread);
      return reads
        .flatMap((read) => [...read.values()])
        .flatMap(({ arrivals }) => arrivals.map((one) => observedPayment(one, head)));
    }
  };
}

/** Throws `Unreachable`, so that a caller without `unread` never gets an incomplete list. */
function refuse({ detail }: Unread): never {
  throw new Unreachable(detail);
}

type Tried = ReadonlyMap<string, Read> | Error;

/** Polls one reader. Returns the error if it can't read now. */
async function tried(reader: Reader, since: readonly Since[], head: Head, isTime: () => boolean): Promise<Tried> {
  try {
    return await reader.poll(since, head, isTime);
  } catch (error) {
    if (error instanceof Moved || error instanceof Unreachable || error instanceof RpcError) return error;
    throw error;
  }
}

const unreachable = (error: Tried | undefined): Error =>
  error instanceof Moved ? new Unreachable('The chain moved while it was read', error) : (error as Error);

/** Reports an address that a reader didn't read completely, with the heights at which the readers must continue. */
function report(to: string, polls: readonly Tried[], since: readonly (readonly Since[])[], unread: (left: Unread) => void): void {
  const lefts = polls.map((poll) => (poll instanceof Error ? { why: unreachable(poll).message } : poll.get(to)?.left));
  const why = lefts.flatMap((left) => left?.why ?? []);
  if (why.length === 0) return;
  const from = polls.map((poll, of) => {
    const begin = since[of]?.find((one) => one.to === to)?.from ?? 0;
    return poll instanceof Error ? begin : (poll.get(to)?.left?.from ?? begin);
  });
  unread({ to, readOn: from.join('/'), detail: [...new Set(why)].join('; ') });
}

/** Returns each address once, with a reader's lowest unread height: by an earlier poll, else the address's first height. */
function sinceOf(addresses: readonly ReceivingAddress[], reader: number): Since[] {
  const since = new Map<string, number>();
  for (const { to, sinceHeight, readOn = '' } of addresses) {
    const reported = /^\d{1,15}(?:\/\d{1,15})*$/.test(readOn) ? readOn.split('/')[reader] : undefined;
    const from = Math.max(sinceHeight, reported === undefined ? 0 : Number.parseInt(reported, 10));
    since.set(to, Math.min(since.get(to) ?? from, from));
  }
  return [...since].map(([to, from]) => ({ to, from }));
}

/** Returns a proved arrival as an observed payment, with its status at a head. */
export function observedPayment(
  { key, currency, to, parts, txid, from, height, hash, minedAt }: Arrival,
  head: Head,
): ObservedPayment {
  const confirmations = Math.max(1, head.height - height + 1);
  return {
    ...{ key, currency, to, parts, txid, from: [from] },
    status: { at: 'block', height, hash, minedAt, confirmations, isFinalised: height <= head.finalised },
  };
}
