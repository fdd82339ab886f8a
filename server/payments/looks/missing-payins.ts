import { log } from '../../platform/index.ts';
import type { Fate, Missing, Rail, ObservedPayment, Unread } from '../../rails/rail.ts';
import { type PaymentsDeps, within } from '../rails/deps.ts';
import { type Payin, type Told, isMissing, proves } from '../payins/payin.ts';
import type { ClaimedAddress } from '../payins/payin-store.ts';

/** What one look at addresses of a rail brought. */
export interface Looked {
  /** By key, each payment once. */
  readonly sightings: ReadonlyMap<string, ObservedPayment>;
  /** What became of known payments that it did not show where they had stood, by key. */
  readonly fates: ReadonlyMap<string, Fate>;
  /** Addresses that could not be read to their end, by `to`. */
  readonly unread: ReadonlyMap<string, Unread>;
  /** The chain's height then, and the greatest ever seen. */
  readonly height: number;
  readonly top: number;
}

/** Payments that are asked about after one look, the largest first: anyone who strews dust can't keep a rail busy for ever. */
const MOST_ASKED = 256;

/** Keeps each payment once: a rail may name it twice, and a mined one tells more than a waiting one. */
export function byKeyOf(observedPayments: readonly ObservedPayment[]): Map<string, ObservedPayment> {
  const found = new Map<string, ObservedPayment>();
  for (const observedPayment of observedPayments) {
    if (found.get(observedPayment.key)?.standing.at !== 'block') found.set(observedPayment.key, observedPayment);
  }
  return found;
}

/**
 * Asks a rail what became of payments that were known as a look began and that it did not show where they had stood; by key. What it can't say now
 * isn't among them, and neither is what a rail can't say at all.
 */
export async function seekMissing(
  deps: PaymentsDeps,
  rail: Rail,
  { claimed, known }: { readonly claimed: readonly ClaimedAddress[]; readonly known: readonly Payin[] },
  observedPayments: ReadonlyMap<string, ObservedPayment>,
): Promise<ReadonlyMap<string, Fate>> {
  const { payin } = rail;
  const paid = new Set([...observedPayments.values()].map(({ to }) => to));
  const addresses = new Map(claimed.filter(({ open, to }) => open || paid.has(to)).map((address) => [address.number, address]));
  if (!payin?.seek || addresses.size === 0) return new Map();
  const missing = known
    .filter((one) => addresses.has(one.number) && isMissed(rail, one, observedPayments.get(one.key), addresses.get(one.number)))
    .toSorted((a, b) => (a.parts === b.parts ? 0 : a.parts > b.parts ? -1 : 1))
    .slice(0, MOST_ASKED);
  if (missing.length === 0) return new Map();
  try {
    const asked = missing.map((one) => missingOf(one, addresses.get(one.number)?.to ?? ''));
    // Half of what a look may take: it is to be over before somebody else takes it over.
    const fates = await within(deps.callMs / 2, `${rail.id} seek`, async () => (await payin.seek?.(asked)) ?? []);
    return new Map(fates.flatMap((fate, at) => (asked[at] ? [[asked[at].key, fate] as const] : [])));
  } catch (error) {
    log.warn('a rail did not say what became of payments', { rail: rail.id, count: missing.length, error });
    return new Map();
  }
}

/** Whether a look should have shown a payment where it stood, and did not. */
export function isMissed(
  rail: Rail,
  payin: Payin,
  observedPayment: ObservedPayment | undefined,
  address: Pick<ClaimedAddress, 'sinceHeight'> | undefined,
): boolean {
  // A provider says so when it takes a payment back; that it shows one no more says nothing.
  if (payin.decided || (rail.kind === 'provider' && payin.status === 'final')) return false;
  // What lies below the part of the chain that was read is not missing.
  const covered = payin.height === null || payin.height >= (address?.sinceHeight ?? 0);
  return covered && isMissing(payin, observedPayment);
}

function missingOf({ key, currency, parts, txid, from, inputs, height, block }: Payin, to: string): Missing {
  const at = height !== null && block !== null && { block: { height, hash: block } };
  return { ...{ key, currency, to, parts, txid, from, inputs }, ...at };
}

/** What a look and its follow-up questions say about a known payment; evidence without proof is ignored. */
export function toldOf(payin: Payin, { sightings: observedPayments, fates, top }: Looked): Told {
  const shown = observedPayments.get(payin.key);
  const fate = fates.get(payin.key);
  if (fate?.is === 'there') return { sighting: fate.sighting };
  if (fate?.is !== 'gone' || !proves(fate.by, payin, top)) return { sighting: shown };
  return { sighting: shown ?? fate.sighting, gone: fate.by };
}
