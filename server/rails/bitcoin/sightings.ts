import type { Sighting, Standing, WatchedPlace } from '../rail.ts';
import type { Esplora, Transaction } from './client.ts';
import { outpointOf } from './coins.ts';
import type { BitcoinConfig } from './config.ts';
import { rateFor, vsize } from './fees.ts';

/** From here on no reorg has ever reached; what is this deep is called final by the chain's own word. */
export const FINAL_DEPTH = 100;
/** Below this an input says that its transaction may be replaced (BIP 125). */
const SIGNALS_BELOW = 0xfffffffe;
/** Waiting ancestors and inputs that are looked at; a transaction with more is treated as replaceable. */
const MOST_ANCESTORS = 25;
const MOST_INPUTS = 50;

/** All payments to these places, each output of its own, as the chain shows them now. */
export async function observe(esplora: Esplora, config: BitcoinConfig, places: readonly WatchedPlace[]): Promise<Sighting[]> {
  if (places.length === 0) return [];
  const tip = await esplora.tipHeight();
  const { of } = openSightings(esplora, config);
  const perPlace = await Promise.all(
    places.map(async (place) => {
      const history = await esplora.history(place.to, place.sinceHeight);
      return Promise.all(history.map((tx) => of(tx, place, tip)));
    }),
  );
  return perPlace.flat(2);
}

type Place = Pick<WatchedPlace, 'currency' | 'to'>;

interface Sightings {
  /** What a transaction pays a place, each output of its own, as it stands at a tip's height. */
  of(tx: Transaction, place: Place, tip: number): Promise<Sighting[]>;
}

/** Reads transactions as payments. What it learns about their parents is not asked twice. */
export function openSightings(esplora: Esplora, config: BitcoinConfig): Sightings {
  const waiting = openWaiting(esplora, config);
  return {
    of: async (tx, place, tip) => {
      const pays = tx.vout.some((output) => isTo(output, place.to));
      return pays ? sightings(tx, place, await standingOf(tx, tip, waiting)) : [];
    },
  };
}

function sightings(tx: Transaction, place: Place, standing: Standing): Sighting[] {
  const from = [...new Set(tx.vin.flatMap(({ prevout }) => prevout?.scriptpubkey_address ?? []))];
  const inputs = tx.vin.slice(0, MOST_INPUTS).map(outpointOf);
  return tx.vout.flatMap((output, vout) =>
    isTo(output, place.to) && output.value > 0n
      ? [
          {
            key: `${tx.txid}:${vout}`,
            currency: place.currency,
            to: place.to,
            parts: output.value,
            txid: tx.txid,
            from,
            inputs,
            standing,
          },
        ]
      : [],
  );
}

function isTo(output: Transaction['vout'][number], address: string): boolean {
  return output.scriptpubkey_address === address;
}

async function standingOf(tx: Transaction, tip: number, waiting: Waiting): Promise<Standing> {
  const { status } = tx;
  if (!status.confirmed) return { at: 'mempool', ...(await waiting.judge(tx)) };
  // A block newer than the tip that we read a moment ago is one confirmation deep.
  const confirmations = Math.max(1, tip - status.block_height + 1);
  return {
    at: 'block',
    height: status.block_height,
    hash: status.block_hash,
    minedAt: new Date(status.block_time * 1000),
    confirmations,
    finalised: confirmations >= FINAL_DEPTH,
  };
}

interface Waiting {
  judge(tx: Transaction): Promise<{ replaceable: boolean; feeOk: boolean }>;
}

/** What may still become of waiting transactions. What one observation learns about parents is not asked twice. */
function openWaiting(esplora: Esplora, config: BitcoinConfig): Waiting {
  const known = new Map<string, Promise<Transaction | undefined>>();
  const find = (txid: string): Promise<Transaction | undefined> => {
    const asked = known.get(txid) ?? esplora.transaction(txid);
    known.set(txid, asked);
    return asked;
  };
  let rate: Promise<bigint> | undefined;
  const neededRate = (): Promise<bigint> => {
    rate ??= esplora.feeEstimates().then((estimates) => rateFor(estimates, config.payinBlocks) ?? config.fallbackRate);
    return rate;
  };
  return {
    judge: async (tx) => {
      const [family, contested, needed] = await Promise.all([waitingFamily(tx, find), isContested(tx, esplora), neededRate()]);
      const replaceable = contested || !family.known || family.members.some(signals);
      return { replaceable, feeOk: family.known && paysEnough(tx, family.members, needed) };
    },
  };
}

/** A transaction with all its ancestors that still wait; `known` is false where one is missing or they are too many. */
async function waitingFamily(
  tx: Transaction,
  find: (txid: string) => Promise<Transaction | undefined>,
): Promise<{ known: boolean; members: Transaction[] }> {
  const members = new Map([[tx.txid, tx]]);
  for (const member of members.values()) {
    if (members.size > MOST_ANCESTORS || member.vin.length > MOST_INPUTS) return { known: false, members: [...members.values()] };
    const parents = await Promise.all([...new Set(member.vin.map(({ txid }) => txid))].map(find));
    for (const parent of parents) {
      if (!parent) return { known: false, members: [...members.values()] };
      if (!parent.status.confirmed) members.set(parent.txid, parent);
    }
  }
  return { known: true, members: [...members.values()] };
}

/** Whether an input is spent by another transaction, or by none any more: this one is not what the network holds. */
async function isContested(tx: Transaction, esplora: Esplora): Promise<boolean> {
  const inputs = tx.vin.slice(0, MOST_INPUTS);
  const spendings = await Promise.all(inputs.map(({ txid, vout }) => esplora.spending(txid, vout)));
  return spendings.some((spending) => !spending.spent || spending.txid !== tx.txid);
}

function signals(tx: Transaction): boolean {
  return tx.vin.some(({ sequence }) => sequence < SIGNALS_BELOW);
}

/** Its own rate and that of the whole family, since a miner takes a child only with its parents. */
function paysEnough(tx: Transaction, family: readonly Transaction[], rate: bigint): boolean {
  const enough = (members: readonly Transaction[]): boolean => {
    const fee = members.reduce((sum, member) => sum + member.fee, 0n);
    const size = members.reduce((sum, member) => sum + vsize(BigInt(member.weight)), 0n);
    return fee * 1000n >= rate * size;
  };
  return enough([tx]) && enough(family);
}
