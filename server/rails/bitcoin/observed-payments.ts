import { monotonicMs, wallClock } from '../../platform/index.ts';
import { reportOdd } from '../odd.ts';
import type { ObservedPayment, PaidBy, PaymentStatus, Unread, ReceivingAddress } from '../rail.ts';
import type { Transaction } from './answers.ts';
import { type Esplora, Unreachable } from './client.ts';
import { outpointOf } from './coins.ts';
import type { BitcoinConfig } from './config.ts';
import { DUST, rateFor, vsize } from './fees.ts';
import { historyOf } from './history.ts';

/** Depth in blocks from which a transaction is final: deeper than any reorg so far, and the chain's own bound for block rewards. */
export const FINAL_DEPTH = 100;
/** An input with a sequence below this signals that its transaction may be replaced (BIP 125). */
const SIGNALS_BELOW = 0xfffffffe;
/** Maximum numbers of waiting ancestors and of inputs to check; a transaction with more is treated as replaceable. */
const MAX_ANCESTORS = 25;
const MAX_INPUTS = 50;

/** Highest tip that each server has shown to this process. */
const tops = new WeakMap<Esplora, number>();

/**
 * Returns all payments to these addresses, one per output, as the chain shows them now. An address that can't be read fails alone.
 * If the server's tip is lower than before, its payments count, but its missing payments prove nothing: each address is reported
 * as unread. Throws the first failure if no address can be read, and `Unreachable` if there is no tip.
 */
export async function observe(
  esplora: Esplora,
  config: BitcoinConfig,
  addresses: readonly ReceivingAddress[],
  unread: (left: Unread) => void = () => {},
): Promise<ObservedPayment[]> {
  if (addresses.length === 0) return [];
  const until = monotonicMs() + config.pollMs;
  const reader = esplora.within(until);
  const height = await reader.tipHeight();
  const tip = { height, hash: await reader.blockHash(height) };
  const top = Math.max(height, tops.get(esplora) ?? 0);
  tops.set(esplora, top);
  const { of } = openObservedPayments(reader, config);
  const failures: unknown[] = [];
  const perAddress = await Promise.all(
    addresses.map(async (address) => {
      const poll = async (): Promise<ObservedPayment[]> => {
        const { transactions, readOn } = await historyOf(reader, address, tip, until);
        const seen = await Promise.all(transactions.map((tx) => of(tx, address, height)));
        if (readOn !== undefined) unread({ to: address.to, readOn, detail: 'it has more transactions than one look reads' });
        else if (seen.includes(undefined)) unread({ to: address.to, detail: 'a payment is shown in a block that is not there' });
        else if (height < top) unread({ to: address.to, detail: `at height ${height}, had been at ${top}` });
        return seen.flatMap((observedPayments) => observedPayments ?? []);
      };
      try {
        return await before(until, poll());
      } catch (error) {
        failures.push(error);
        unread({ to: address.to, detail: error instanceof Error ? error.message : String(error) });
        return [];
      }
    }),
  );
  if (failures.length === addresses.length) throw failures[0];
  return perAddress.flat();
}

/** Waits for work until a moment of the monotonic clock. Throws `Unreachable` after it. */
async function before<T>(until: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Unreachable('It was not read in the time that a look may take')), until - monotonicMs());
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

type Place = Pick<ReceivingAddress, 'currency' | 'to'>;

interface ObservedPayments {
  /**
   * Returns the payments of a transaction to an address, one per output, with their status at a tip's height. Returns undefined
   * if there are any, but the chain has another block than the transaction claims.
   */
  of(tx: Transaction, address: Place, tip: number): Promise<ObservedPayment[] | undefined>;
}

/** Returns a reader of transactions as payments. It queries each parent, each block and the fee estimates once. */
export function openObservedPayments(esplora: Esplora, config: BitcoinConfig): ObservedPayments {
  const waiting = openWaiting(esplora, config);
  const stands = openBlocks(esplora);
  return {
    of: async (tx, address, tip) => {
      const pays = tx.vout.some((output) => isTo(output, address.to) && output.value >= DUST);
      if (!pays || !isBelow(tx, tip)) return [];
      if (!(await stands(tx))) return undefined;
      return observedPayments(tx, address, await statusOf(esplora, tx, tip, waiting));
    },
  };
}

/** Returns a transaction's payments to an address of ours. Throws `Unreachable` if the chain has another block at its height. */
export async function paidBy(
  esplora: Esplora,
  config: BitcoinConfig,
  place: Pick<ReceivingAddress, 'currency' | 'to'>,
  hash: string,
): Promise<PaidBy> {
  const [tx, tip] = await Promise.all([esplora.transaction(hash), esplora.tipHeight()]);
  if (!tx) return { is: 'unknown' };
  if (!tx.status.confirmed) return { is: 'waiting' };
  const payments = await openObservedPayments(esplora, config).of(tx, place, tip);
  if (!payments) throw new Unreachable('The chain moved while it was read');
  return { is: 'mined', payments };
}

/**
 * Returns a check that the chain has a mined transaction's block at its height. An index may lag behind a reorg, and a height
 * alone would make any payment deep. Each height is queried once.
 */
function openBlocks(esplora: Esplora): (tx: Transaction) => Promise<boolean> {
  const known = new Map<number, Promise<string | undefined>>();
  return async ({ txid, status }) => {
    if (!status.confirmed) return true;
    const { block_height: height, block_hash: hash } = status;
    const request = known.get(height) ?? esplora.blockHash(height).catch(() => undefined);
    known.set(height, request);
    const there = await request;
    if (there !== undefined && there !== hash) reportOdd('bitcoin', 'block_hash', { txid, height, hash, there });
    return there === hash;
  };
}

function observedPayments(tx: Transaction, address: Place, status: PaymentStatus): ObservedPayment[] {
  const from = [...new Set(tx.vin.flatMap(({ prevout }) => prevout?.scriptpubkey_address ?? []))];
  const inputs = tx.vin.slice(0, MAX_INPUTS).map(outpointOf);
  return tx.vout.flatMap((output, vout) =>
    isTo(output, address.to)
      ? [
          {
            key: `${tx.txid}:${vout}`,
            currency: address.currency,
            to: address.to,
            parts: output.value,
            txid: tx.txid,
            from,
            inputs,
            status,
          },
        ]
      : [],
  );
}

type Output = NonNullable<Transaction['vout'][number]>;

function isTo(output: Output | null, address: string): output is Output {
  return output?.scriptpubkey_address === address;
}

/** Maximum number of blocks that may appear between two answers of a server. */
const MAX_NEWER = 6;

/** False for a transaction that claims a block far above the chain's tip. */
function isBelow({ txid, status }: Transaction, tip: number): boolean {
  if (!status.confirmed || status.block_height <= tip + MAX_NEWER) return true;
  reportOdd('bitcoin', 'block_height', { txid, height: status.block_height, tip });
  return false;
}

async function statusOf(esplora: Esplora, tx: Transaction, tip: number, waiting: Waiting): Promise<PaymentStatus> {
  const { status } = tx;
  if (!status.confirmed) return { at: 'mempool', ...(await waiting.check(tx)) };
  const { block_height: height, block_hash: hash } = status;
  // A block newer than the tip that was read before it has one confirmation.
  const depth = Math.max(1, tip - height + 1);
  // A block reward can't be spent, and has no confirmations, until it is a hundred blocks deep.
  const isCoinbase = tx.vin.some(({ is_coinbase: made }) => made);
  const confirmations = isCoinbase && depth < FINAL_DEPTH ? 0 : depth;
  return { at: 'block', height, hash, minedAt: await minedAt(esplora, status), confirmations, isFinalised: depth >= FINAL_DEPTH };
}

/** Returns the time of mining: the transaction's, otherwise its block's, otherwise now. The times of our polls bound it. */
async function minedAt(esplora: Esplora, status: Transaction['status'] & { confirmed: true }): Promise<Date> {
  if (status.block_time !== undefined) return new Date(status.block_time * 1000);
  try {
    return await esplora.blockTime(status.block_hash);
  } catch (error) {
    reportOdd('bitcoin', 'block_time', { block: status.block_hash, why: error instanceof Error ? error.message : String(error) });
    return wallClock();
  }
}

/** Prospects of a waiting transaction. `isFeeOk` is absent if it can't be determined now; that doesn't mean a low fee. */
interface Prospects {
  readonly isReplaceable: boolean;
  readonly isFeeOk?: boolean;
}

interface Waiting {
  check(tx: Transaction): Promise<Prospects>;
}

/** Returns a check of waiting transactions. It queries each parent and the fee estimates once. */
function openWaiting(esplora: Esplora, config: BitcoinConfig): Waiting {
  const known = new Map<string, Promise<Transaction | undefined>>();
  const find = (txid: string): Promise<Transaction | undefined> => {
    // A failed call says no more than "not found".
    const request = known.get(txid) ?? esplora.transaction(txid).catch(() => undefined);
    known.set(txid, request);
    return request;
  };
  let rate: Promise<bigint | undefined> | undefined;
  const neededRate = (): Promise<bigint | undefined> => {
    rate ??= esplora
      .feeEstimates()
      .then((estimates) => rateFor(estimates, config.payinBlocks) ?? config.fallbackRate)
      .catch(() => undefined);
    return rate;
  };
  return {
    check: async (tx) => {
      const [family, contested, needed] = await Promise.all([waitingFamily(tx, find), isContested(tx, esplora), neededRate()]);
      if (family === 'many') return { isReplaceable: true, isFeeOk: false };
      const isReplaceable = contested || family.members.some(signals);
      const isFeeOk = family.isKnown && needed !== undefined ? paysEnough(tx, family.members, needed) : undefined;
      return { isReplaceable, ...(isFeeOk !== undefined && { isFeeOk }) };
    },
  };
}

/** Returns a transaction with all its waiting ancestors. `isKnown`: false if a parent isn't found. `many`: there are too many. */
async function waitingFamily(
  tx: Transaction,
  find: (txid: string) => Promise<Transaction | undefined>,
): Promise<{ isKnown: boolean; members: Transaction[] } | 'many'> {
  const members = new Map([[tx.txid, tx]]);
  let isKnown = true;
  for (const member of members.values()) {
    if (members.size > MAX_ANCESTORS || member.vin.length > MAX_INPUTS) return 'many';
    const parents = await Promise.all([...new Set(member.vin.map(({ txid }) => txid))].map(find));
    for (const parent of parents) {
      if (!parent) isKnown = false;
      else if (!parent.status.confirmed) members.set(parent.txid, parent);
    }
  }
  return { isKnown, members: [...members.values()] };
}

/** True if the network holds another transaction that spends the same. An index may lag behind, so that one is looked up too. */
async function isContested(tx: Transaction, esplora: Esplora): Promise<boolean> {
  const inputs = tx.vin.slice(0, MAX_INPUTS);
  const contested = await Promise.all(
    inputs.map(async (input) => {
      try {
        return (await spenderOf(esplora, outpointOf(input), tx.txid)) !== undefined;
      } catch {
        return false;
      }
    }),
  );
  return contested.includes(true);
}

/** Returns the transaction other than `txid` that spends an output, if the server names one and that transaction shows it. */
export async function spenderOf(esplora: Esplora, outpoint: string, txid: string): Promise<Transaction | undefined> {
  const [id = '', vout = ''] = outpoint.split(':');
  const said = await esplora.spending(id, Number.parseInt(vout, 10));
  if (!said.spent || said.txid === undefined || said.txid === txid) return undefined;
  const other = await esplora.transaction(said.txid);
  return other?.vin.some((input) => outpointOf(input) === outpoint) ? other : undefined;
}

function signals(tx: Transaction): boolean {
  return tx.vin.some(({ sequence }) => sequence !== undefined && sequence < SIGNALS_BELOW);
}

/**
 * True if a transaction pays the rate alone and together with its waiting ancestors, since a miner takes a child only with its
 * parents. Returns undefined if a fee or a weight is unknown.
 */
function paysEnough(tx: Transaction, family: readonly Transaction[], rate: bigint): boolean | undefined {
  if (family.some(({ fee, weight }) => fee === undefined || weight === undefined)) return undefined;
  const enough = (members: readonly Transaction[]): boolean => {
    const paid = members.reduce((sum, { fee = 0n }) => sum + fee, 0n);
    const size = members.reduce((sum, { weight = 0 }) => sum + vsize(BigInt(weight)), 0n);
    return paid * 1000n >= rate * size;
  };
  return enough([tx]) && enough(family);
}
