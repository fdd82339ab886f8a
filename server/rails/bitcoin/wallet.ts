import type { RailBalance, WalletState } from '../rail.ts';
import type { Esplora } from './client.ts';
import { type Coin, outpointOf } from './coins.ts';
import { type Account, CHANGE, type Place, RECEIVE } from './keys.ts';
import { FINAL_DEPTH } from './sightings.ts';

/** Blocks after which a customer's coin is spent without a thought that a reorg may take it away. */
const SAFE_DEPTH = 6;

/** What our addresses hold, as far as payments says where to look. */
export interface Wallet {
  /** Coins that can be spent now: mined and not taken, or our own waiting change. */
  spendable(state: WalletState): Promise<Coin[]>;
  reserve(state: WalletState | undefined): Promise<RailBalance[]>;
}

type Found = Coin & { readonly taken: boolean };

/** The wallet of an account. It remembers where it was last told to look, and which change is used up for good. */
export function openWallet(esplora: Esplora, account: Account): Wallet {
  let told: WalletState | undefined;
  const change = openChange(esplora);
  const coins = async (state: WalletState): Promise<Found[]> => {
    told = state;
    const tip = await esplora.tipHeight();
    const taken = new Set(state.spent);
    const sends = new Set(state.unconfirmed.map(({ txid }) => txid));
    const places = [
      ...[...new Set(state.indexes)].map((index) => account.place(RECEIVE, index)),
      ...Array.from({ length: state.changeIndex }, (_, index) => account.place(CHANGE, index)).filter(
        (place) => !change.isUsedUp(place),
      ),
    ];
    const perPlace = await Promise.all(
      places.map(async (place) => {
        const found = await coinsAt(esplora, place, tip, sends);
        if (place.branch === CHANGE && found.length === 0) await change.sawEmpty(place, tip);
        return found;
      }),
    );
    return perPlace.flat().map((coin) => ({ ...coin, taken: taken.has(outpointOf(coin)) }));
  };
  return {
    spendable: async (state) => (await coins(state)).filter(({ taken }) => !taken),
    reserve: async (given) => {
      const state = given ?? told;
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
function openChange(esplora: Esplora): { isUsedUp(place: Place): boolean; sawEmpty(place: Place, tip: number): Promise<void> } {
  /** By address: the height from which on it may be used up. */
  const earliest = new Map<string, number>();
  return {
    isUsedUp: ({ address }) => earliest.get(address) === Infinity,
    sawEmpty: async ({ address }, tip) => {
      if (tip < (earliest.get(address) ?? 0)) return;
      const history = await esplora.history(address, 0);
      const heights = history.map(({ status }) => (status.confirmed ? status.block_height : tip));
      const settled = Math.max(...heights, 0) + FINAL_DEPTH;
      earliest.set(address, history.length < 2 ? tip + 1 : tip >= settled ? Infinity : settled);
    },
  };
}

/**
 * The coins of a place: mined ones, and waiting change of a send of ours that the network really holds. What others
 * sent and no block has is not ours yet.
 */
async function coinsAt(esplora: Esplora, place: Place, tip: number, sends: ReadonlySet<string>): Promise<Coin[]> {
  const unspent = await esplora.unspent(place.address);
  return unspent.flatMap(({ txid, vout, value, status }): Coin[] => {
    const coin = { txid, vout, parts: value, place };
    if (!status.confirmed) return place.branch === CHANGE && sends.has(txid) ? [{ ...coin, tier: 2 }] : [];
    const deep = place.branch === CHANGE || tip - status.block_height + 1 >= SAFE_DEPTH;
    return [{ ...coin, tier: deep ? 0 : 1 }];
  });
}
