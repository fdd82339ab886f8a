import { log } from '../../platform/index.ts';
import type { Fate, Missing, Rail, ObservedPayment, Unread } from '../../rails/rail.ts';
import { type PaymentsDeps, within } from '../rails/deps.ts';
import { type Payin, type PollResult, isMissing, proves } from '../payins/payin.ts';
import type { ClaimedAddress } from '../payins/payin-store.ts';

/** Results of one poll of some addresses of a rail. */
export interface Polled {
  /** Payments that the poll showed, by key. Each payment occurs once. */
  readonly sightings: ReadonlyMap<string, ObservedPayment>;
  /** Fates of known payments that the poll should have shown but did not, by the payment's key. */
  readonly fates: ReadonlyMap<string, Fate>;
  /** Addresses that the poll could not read completely, by `to`. */
  readonly unread: ReadonlyMap<string, Unread>;
  /** Height of the rail's chain at the poll. */
  readonly height: number;
  /** Greatest height of the rail's chain that any process has seen. */
  readonly top: number;
}

/**
 * Maximum number of missing payments queried after one poll. The largest come first, so nobody can keep a rail busy by sending
 * tiny amounts.
 */
const MAX_REQUESTED = 256;

/**
 * Returns each payment once, by key. If a rail lists a payment twice, as waiting and in a block, the report of the block is used.
 */
export function byKeyOf(observedPayments: readonly ObservedPayment[]): Map<string, ObservedPayment> {
  const found = new Map<string, ObservedPayment>();
  for (const observedPayment of observedPayments) {
    if (found.get(observedPayment.key)?.status.at !== 'block') found.set(observedPayment.key, observedPayment);
  }
  return found;
}

/**
 * Queries the rail for the fates of known payments that a poll should have shown but did not. Returns the fates by the payment's
 * key. Leaves out payments whose fate the rail doesn't know.
 */
export async function seekMissing(
  deps: PaymentsDeps,
  rail: Rail,
  { claimed, known }: { readonly claimed: readonly ClaimedAddress[]; readonly known: readonly Payin[] },
  observedPayments: ReadonlyMap<string, ObservedPayment>,
): Promise<ReadonlyMap<string, Fate>> {
  const { payin } = rail;
  const paid = new Set([...observedPayments.values()].map(({ to }) => to));
  const addresses = new Map(
    claimed.filter(({ isOpen, to }) => isOpen || paid.has(to)).map((address) => [address.number, address]),
  );
  if (!payin?.seek || addresses.size === 0) return new Map();
  const missing = known
    .filter((one) => addresses.has(one.number) && isMissed(rail, one, observedPayments.get(one.key), addresses.get(one.number)))
    .toSorted((a, b) => (a.parts === b.parts ? 0 : a.parts > b.parts ? -1 : 1))
    .slice(0, MAX_REQUESTED);
  if (missing.length === 0) return new Map();
  try {
    const requests = missing.map((one) => missingOf(one, addresses.get(one.number)?.to ?? ''));
    // This call uses at most half of the time limit for calls, so that the poll ends before another process takes its addresses
    // over.
    const fates = await within(deps.callMs / 2, `${rail.id} seek`, async () => (await payin.seek?.(requests)) ?? []);
    return new Map(fates.flatMap((fate, at) => (requests[at] ? [[requests[at].key, fate] as const] : [])));
  } catch (error) {
    log.warn('a rail did not answer about missing payments', { rail: rail.id, count: missing.length, error });
    return new Map();
  }
}

/** True if a poll should have shown a payment in its known place, but did not. */
export function isMissed(
  rail: Rail,
  payin: Payin,
  observedPayment: ObservedPayment | undefined,
  address: Pick<ClaimedAddress, 'sinceHeight'> | undefined,
): boolean {
  // A provider reports a payment that it takes back. If it merely stops showing the payment, that proves nothing.
  if (payin.isDecided || (rail.kind === 'provider' && payin.status === 'final')) return false;
  // The poll read the chain only from `sinceHeight` on, so a payment in an earlier block is not missing.
  const covered = payin.height === null || payin.height >= (address?.sinceHeight ?? 0);
  return covered && isMissing(payin, observedPayment);
}

function missingOf({ key, currency, parts, txid, from, inputs, height, block }: Payin, to: string): Missing {
  const at = height !== null && block !== null && { block: { height, hash: block } };
  return { ...{ key, currency, to, parts, txid, from, inputs }, ...at };
}

/** Returns the report of a poll and its follow-up queries about a known payment. Leaves out evidence that proves nothing. */
export function reportedOf(payin: Payin, { sightings: observedPayments, fates, top }: Polled): PollResult {
  const shown = observedPayments.get(payin.key);
  const fate = fates.get(payin.key);
  if (fate?.is === 'there') return { sighting: fate.sighting };
  if (fate?.is !== 'gone' || !proves(fate.by, payin, top)) return { sighting: shown };
  return { sighting: shown ?? fate.sighting, gone: fate.by };
}
