import { monotonicMs } from '../../platform/index.ts';
import type { OwnPayment, OwnSend, OwnSends, OwnSendsRequest, WalletState } from '../rail.ts';
import type { Esplora, Transaction } from './client.ts';
import { Unreachable } from './client.ts';
import { historyOf } from './history.ts';
import { type Account, CHANGE, type Place, RECEIVE } from './keys.ts';
import { FINAL_DEPTH } from './observed-payments.ts';

/** Number of unused change addresses that are read: another process with our keys would use the next one first. */
const AHEAD = 20;
/** Number of other addresses that one comparison reads again, in turn. */
const IN_TURN = 64;
/** Number of addresses that are read at once. */
const TOGETHER = 8;
/** Maximum number of polls for one address's history. */
const MAX_POLLS = 20;

/**
 * Returns a reader of transactions that spend our own coins. It reads the histories of addresses that may hold coins, of change
 * addresses, and of the next change addresses. The first comparison reads all of them; a later one reads the next change
 * addresses and some of the others, in turn. Each call of the reader throws `Unreachable` if a history can't be read.
 */
export function openOwnSends(server: Esplora, account: Account, pollMs: number): (request: OwnSendsRequest) => Promise<OwnSends> {
  /** Change addresses that were paid and spent beyond any reorg: nothing more is expected there. */
  const over = new Set<string>();
  let left: Place[] | undefined;
  let turn = 0;
  return async ({ state, isFirst }) => {
    const esplora = server.within(monotonicMs() + pollMs);
    const height = await esplora.tipHeight();
    const next = placesOf(account, CHANGE, range(state.changeIndex, AHEAD));
    const others = knownPlaces(account, state).filter(({ address }) => !over.has(address));
    if (isFirst) left ??= [...next, ...others];
    const some = isFirst ? (left ?? []) : [...next, ...inTurn(others, turn)];
    if (!isFirst) turn += IN_TURN;
    const ours = new Set([...next, ...knownPlaces(account, state)].map(({ address }) => address));
    const until = monotonicMs() + pollMs / 2;
    const sends = new Map<string, OwnSend>();
    for (let at = 0; at < some.length; at += TOGETHER) {
      const places = some.slice(at, at + TOGETHER);
      for (const { place, transactions } of await Promise.all(
        places.map(async (place) => ({ place, transactions: await whole(esplora, place, height) })),
      )) {
        for (const tx of transactions) if (spendsFrom(tx, place)) sends.set(tx.txid, sendOf(tx, ours));
        if (place.branch === CHANGE && isOver(transactions, place, height)) over.add(place.address);
      }
      if (!isFirst) continue;
      left = some.slice(at + TOGETHER);
      if (left.length > 0 && monotonicMs() > until) return { sends: [...sends.values()], isUnfinished: true };
    }
    left = undefined;
    return { sends: [...sends.values()] };
  };
}

const range = (from: number, count: number): number[] => Array.from({ length: count }, (_, at) => from + at);

const placesOf = (account: Account, branch: typeof CHANGE | typeof RECEIVE, indexes: readonly number[]): Place[] =>
  indexes.map((index) => account.place(branch, index));

const knownPlaces = (account: Account, { indexes, changeIndex }: WalletState): Place[] => [
  ...placesOf(account, RECEIVE, [...new Set(indexes)]),
  ...placesOf(account, CHANGE, range(0, changeIndex)),
];

function inTurn(places: readonly Place[], turn: number): Place[] {
  if (places.length <= IN_TURN) return [...places];
  const from = turn % places.length;
  return [...places.slice(from), ...places.slice(0, from)].slice(0, IN_TURN);
}

/** Returns all transactions of an address. Throws `Unreachable` if its history has no end. */
async function whole(esplora: Esplora, { address }: Place, height: number): Promise<readonly Transaction[]> {
  const tip = { height, hash: await esplora.blockHash(height) };
  const found: Transaction[] = [];
  let readOn: string | undefined;
  for (let poll = 0; poll < MAX_POLLS; poll += 1) {
    const request = { to: address, sinceHeight: 0, ...(readOn !== undefined && { readOn }) };
    const seen = await historyOf(esplora, request, tip);
    found.push(...seen.transactions);
    readOn = seen.readOn;
    if (readOn === undefined) return found;
  }
  throw new Unreachable(`The history of ${address} has no end`);
}

const spendsFrom = ({ vin }: Transaction, { address }: Place): boolean =>
  vin.some(({ prevout }) => prevout?.scriptpubkey_address === address);

/** True if an address was paid and spent, and no reorg reaches either. */
function isOver(transactions: readonly Transaction[], place: Place, height: number): boolean {
  const isDeep = ({ status }: Transaction): boolean => status.confirmed && height - status.block_height + 1 >= FINAL_DEPTH;
  return transactions.length > 1 && transactions.every(isDeep) && transactions.some((tx) => spendsFrom(tx, place));
}

function sendOf({ txid, vin, vout, status }: Transaction, ours: ReadonlySet<string>): OwnSend {
  const spent = vin.find(({ prevout }) => ours.has(prevout?.scriptpubkey_address ?? ''));
  const pays = vout.flatMap((output): OwnPayment[] => {
    const to = output?.scriptpubkey_address;
    return output && to !== undefined && !ours.has(to) ? [{ currency: 'BTC', parts: output.value, to }] : [];
  });
  const time = status.confirmed ? status.block_time : undefined;
  return {
    reference: txid,
    pays,
    ...(spent && { spend: `${spent.txid}:${spent.vout}` }),
    ...(time !== undefined && { at: new Date(time * 1_000) }),
  };
}
