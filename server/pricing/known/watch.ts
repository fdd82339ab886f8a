import { currencies, offCurrencies, payables, railStates, sendingRails } from '../../payments/index.ts';
import { type Db, LastGood, type Statements, every, log, onWake } from '../../platform/index.ts';
import { readRailCosts } from './rail-costs.ts';
import { readArriving, readOwnMoney } from './reserve.ts';
import { readCurrencies, readDirections, readNetworkCosts } from '../directions/store.ts';
import { type View, useView } from './view.ts';

/**
 * Interval of polling, in ms. Changes of directions and settings are notified and read at once. Polling finds all other changes,
 * such as reserves that orders and payouts have used.
 */
const POLL_MS = 5_000;
const CALM_MS = 200;
/** First pause after an error, in ms; doubled after each further error. */
const RETRY_MS = 250;
const USUAL_MS = 60_000;

export type PricingOptions = {
  /**
   * Returns the median minutes from the final payment to the payout, by slug of the direction. Directions with fewer than 20
   * samples are left out.
   */
  usualMinutes?: (db: Db) => Promise<ReadonlyMap<string, number>>;
};

export type PricingWatch = {
  /** Refreshes the view now. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Refreshes this process's view until stopped, so that a quote makes no database call and a switch takes effect within a second.
 * `watchRates` and `watchSettings` must be started first. If the first reading fails, the process offers nothing until a later
 * reading succeeds. Call once per process.
 */
export async function watchPricing(db: Db, { usualMinutes }: PricingOptions = {}): Promise<PricingWatch> {
  const usual = new LastGood<ReadonlyMap<string, number>>('usual times', USUAL_MS);
  const refresh = async (): Promise<void> => {
    if (usualMinutes) usual.renew(() => usualMinutes(db));
    useView({ ...(await db.tx(read)), usualMinutes: usual.last?.value ?? new Map() });
  };
  await refresh().catch((error: unknown) => log.warn('prices are not known yet', { error }));
  const sweeper = every(POLL_MS, 'pricing', refresh, { calmMs: CALM_MS, retryMs: RETRY_MS });
  const deaf = [onWake('offers', () => sweeper.wake()), onWake('settings', () => sweeper.wake())];
  return {
    refresh,
    async stop() {
      for (const stopHearing of deaf) stopHearing();
      await sweeper.stop();
      useView(undefined);
    },
  };
}

async function read(db: Statements): Promise<Omit<View, 'usualMinutes'>> {
  const carried = currencies();
  const units = [...new Set(carried.map(({ unit }) => unit))];
  const rails = [...new Set(carried.map(({ rail }) => rail))];
  const [shown, directions, ownMoney, networkCosts, railCosts, states, payable, railsSending, arriving, off] = await Promise.all([
    readCurrencies(db),
    readDirections(db),
    readOwnMoney(db, units),
    readNetworkCosts(db),
    readRailCosts(db),
    railStates(db),
    payables(
      db,
      carried.map(({ code }) => code),
    ),
    sendingRails(db, rails),
    readArriving(db, carried),
    offCurrencies(db),
  ]);
  return {
    currencies: new Map(shown.map((currency) => [currency.code, currency])),
    directions,
    ownMoney,
    payable,
    arriving,
    networkCosts,
    railCosts,
    railsUp: new Set(states.filter(({ isUp }) => isUp).map(({ rail }) => rail)),
    railsSending,
    off,
  };
}
