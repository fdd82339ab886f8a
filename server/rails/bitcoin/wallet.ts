import { monotonicMs } from '../../platform/index.ts';
import type { RailBalance, WalletState } from '../rail.ts';
import type { Esplora, Unspent } from './client.ts';
import { type Coin, outpointOf } from './coins.ts';
import { historyOf } from './history.ts';
import { type Account, CHANGE, type Place, RECEIVE } from './keys.ts';
import { SAFE_DEPTH, openListings } from './listings.ts';
import { FINAL_DEPTH } from './observed-payments.ts';

/** Coins at our addresses. The given `WalletState` names the addresses to read. */
export interface Wallet {
  /** Returns the coins that can be spent now: mined and not taken, or our own waiting change. */
  spendable(state: WalletState): Promise<Coin[]>;
  /** True if the server lists all these coins right now. `spendable` no longer returns a missing one. */
  areThere(coins: readonly Coin[]): Promise<boolean>;
  /** Returns the held and payable amounts. Without a state, it reads the addresses of the last call. */
  reserve(state: WalletState | undefined): Promise<RailBalance[]>;
}

/** `isTaken`: a send of ours spends the coin, or it can't be spent yet. */
type Found = Coin & { readonly isTaken: boolean };

/**
 * Returns the wallet of an account. It remembers the last state, and the change addresses that are used up for good. A reading is
 * given up after `pollMs`; the listings read until then are cached for the next one.
 */
export function openWallet(server: Esplora, account: Account, pollMs: number): Wallet {
  let last: WalletState | undefined;
  const change = openChange();
  const listings = openListings();
  const isMade = openMade();
  const reader = (): Esplora => server.within(monotonicMs() + pollMs);
  const coins = async (state: WalletState): Promise<Found[]> => {
    last = state;
    const esplora = reader();
    const tip = await listings.tip(esplora);
    const taken = new Set(state.spent);
    const sends = new Set(state.unconfirmed.map(({ txid }) => txid));
    const places = [
      ...[...new Set(state.indexes)].map((index) => account.place(RECEIVE, index)),
      ...Array.from({ length: state.changeIndex }, (_, index) => index)
        .filter((index) => !change.isUsedUp(index))
        .map((index) => account.place(CHANGE, index)),
    ];
    const listed = await listings.read(esplora, places, tip, taken);
    const perAddress = await Promise.all(
      places.map(async (place, at) => {
        const found = coinsOf(place, listed[at] ?? [], tip, sends);
        if (place.branch === CHANGE && found.length === 0 && (await change.sawEmpty(esplora, place, tip)))
          listings.keepEmpty(place);
        return Promise.all(
          found.map(async (coin) => {
            const status = listed[at]?.find((one) => outpointOf(one) === outpointOf(coin))?.status;
            const isShallow = place.branch === RECEIVE && status?.confirmed && tip - status.block_height + 1 < FINAL_DEPTH;
            return {
              ...coin,
              isTaken: taken.has(outpointOf(coin)) || (isShallow === true && (await isMade(esplora, coin.txid))),
            };
          }),
        );
      }),
    );
    return perAddress.flat();
  };
  return {
    spendable: async (state) => (await coins(state)).filter(({ isTaken }) => !isTaken),
    areThere: async (chosen) => {
      const places = [...new Set(chosen.map(({ place }) => place))];
      const esplora = reader();
      const listed = await listings.readNow(esplora, places, await listings.tip(esplora));
      const there = new Set(listed.flat().map(outpointOf));
      return chosen.every((coin) => there.has(outpointOf(coin)));
    },
    reserve: async (given) => {
      const state = given ?? last;
      const found = state ? await coins(state) : [];
      const sum = (some: readonly Found[]): bigint => some.reduce((total, { parts }) => total + parts, 0n);
      return [{ currency: 'BTC', place: 'hot', parts: sum(found), payable: sum(found.filter(({ isTaken }) => !isTaken)) }];
    },
  };
}

/**
 * Opens a record of used-up change addresses. Each is paid once and spent once. When both are deeper than any reorg, the address
 * is used up and not read again. Otherwise each payout would make every later reading slower.
 */
function openChange(): {
  isUsedUp(index: number): boolean;
  /** Records that a place holds nothing. Returns true if it was paid and spent in blocks, so that it stays empty. */
  sawEmpty(esplora: Esplora, place: Place, tip: number): Promise<boolean>;
} {
  /** By index: the height from which the history is read again, and whether the place was spent when it was last read. */
  const known = new Map<number, { readonly from: number; readonly isSpent: boolean }>();
  return {
    isUsedUp: (index) => known.get(index)?.from === Infinity,
    sawEmpty: async (esplora, { address, index }, tip) => {
      const before = known.get(index);
      if (before && tip < before.from) return before.isSpent;
      const whole = await historyOf(esplora, { to: address, sinceHeight: 0 }, { height: tip, hash: '' });
      const heights = whole.transactions.flatMap(({ status }) => (status.confirmed ? status.block_height : []));
      const isSpent = whole.readOn === undefined && heights.length > 1 && heights.length === whole.transactions.length;
      const settled = Math.max(...heights, 0) + FINAL_DEPTH;
      known.set(index, { from: !isSpent ? tip + 1 : tip >= settled ? Infinity : settled, isSpent });
      return isSpent;
    },
  };
}

/** Returns a check for block rewards, whose coins can't be spent until they are a hundred blocks deep. Each id is queried once. */
function openMade(): (esplora: Esplora, txid: string) => Promise<boolean> {
  const known = new Map<string, boolean>();
  return async (esplora, txid) => {
    const before = known.get(txid);
    if (before !== undefined) return before;
    const tx = await esplora.transaction(txid).catch(() => undefined);
    const made = tx?.vin.some(({ is_coinbase: isMade }) => isMade) ?? false;
    if (tx) known.set(txid, made);
    return made;
  };
}

/**
 * Returns the coins of a place: mined ones, and the waiting change of our own sends. Coins that others sent and no block has are
 * not ours yet.
 */
function coinsOf(place: Place, listed: readonly Unspent[], tip: number, sends: ReadonlySet<string>): Coin[] {
  return listed.flatMap(({ txid, vout, value, status }): Coin[] => {
    const coin = { txid, vout, parts: value, place };
    if (!status.confirmed) return place.branch === CHANGE && sends.has(txid) ? [{ ...coin, tier: 2 }] : [];
    const deep = place.branch === CHANGE || tip - status.block_height + 1 >= SAFE_DEPTH;
    return [{ ...coin, tier: deep ? 0 : 1 }];
  });
}
