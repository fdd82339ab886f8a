import { monotonicMs } from '../../platform/index.ts';
import type { RailBalance, WalletState } from '../rail.ts';
import type { Esplora, Unspent } from './client.ts';
import { type Coin, outpointOf } from './coins.ts';
import { historyOf } from './history.ts';
import { type Account, CHANGE, type Place, RECEIVE } from './keys.ts';
import { SAFE_DEPTH, openListings } from './listings.ts';
import { FINAL_DEPTH } from './observed-payments.ts';

/** What our addresses hold, as far as payments says where to look. */
export interface Wallet {
  /** Coins that can be spent now: mined and not taken, or our own waiting change. */
  spendable(state: WalletState): Promise<Coin[]>;
  /** Are these coins there this very moment? What isn't there any more is not called spendable again. */
  areThere(coins: readonly Coin[]): Promise<boolean>;
  reserve(state: WalletState | undefined): Promise<RailBalance[]>;
}

/** `taken`: a send of ours spends it, or it can't be spent yet. */
type Found = Coin & { readonly taken: boolean };

/**
 * The wallet of an account. It remembers where it was last told to look, and which change is used up for good. A reading is
 * given up after `pollMs`; what it has read by then is kept for the next.
 */
export function openWallet(server: Esplora, account: Account, pollMs: number): Wallet {
  let reported: WalletState | undefined;
  const change = openChange();
  const listings = openListings();
  const isMade = openMade();
  const reader = (): Esplora => server.within(monotonicMs() + pollMs);
  const coins = async (state: WalletState): Promise<Found[]> => {
    reported = state;
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
            return { ...coin, taken: taken.has(outpointOf(coin)) || (isShallow === true && (await isMade(esplora, coin.txid))) };
          }),
        );
      }),
    );
    return perAddress.flat();
  };
  return {
    spendable: async (state) => (await coins(state)).filter(({ taken }) => !taken),
    areThere: async (chosen) => {
      const places = [...new Set(chosen.map(({ place }) => place))];
      const esplora = reader();
      const listed = await listings.readNow(esplora, places, await listings.tip(esplora));
      const there = new Set(listed.flat().map(outpointOf));
      return chosen.every((coin) => there.has(outpointOf(coin)));
    },
    reserve: async (given) => {
      const state = given ?? reported;
      const found = state ? await coins(state) : [];
      const sum = (some: readonly Found[]): bigint => some.reduce((total, { parts }) => total + parts, 0n);
      return [{ currency: 'BTC', place: 'hot', parts: sum(found), payable: sum(found.filter(({ taken }) => !taken)) }];
    },
  };
}

/**
 * A change place is paid once and spent once. When both lie deeper than any reorg it is used up: it is not looked at
 * again, so that asking for our coins does not take longer with every payout there ever was.
 */
function openChange(): {
  isUsedUp(index: number): boolean;
  /** Notes that it holds nothing; says whether it was paid and spent in blocks, so that it stays as it is. */
  sawEmpty(esplora: Esplora, place: Place, tip: number): Promise<boolean>;
} {
  /** By index: the height from which on its history is worth another look, and whether it was spent by then. */
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

/** Whether a block made a transaction's coins, which can't be spent before a hundred blocks are on it. Asked once for each. */
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
 * The coins of an address: mined ones, and waiting change of a send of ours that the network really holds. What others
 * sent and no block has is not ours yet.
 */
function coinsOf(place: Place, listed: readonly Unspent[], tip: number, sends: ReadonlySet<string>): Coin[] {
  return listed.flatMap(({ txid, vout, value, status }): Coin[] => {
    const coin = { txid, vout, parts: value, place };
    if (!status.confirmed) return place.branch === CHANGE && sends.has(txid) ? [{ ...coin, tier: 2 }] : [];
    const deep = place.branch === CHANGE || tip - status.block_height + 1 >= SAFE_DEPTH;
    return [{ ...coin, tier: deep ? 0 : 1 }];
  });
}
