import { createHash } from 'node:crypto';
import { REWARD_UNIT, parse } from '@kurs/money';
import { alone } from '../collecting/index.ts';
import { accounts, balances, entries } from '../ledger/index.ts';
import { peopleWith, seedSandboxDesk } from '../operator/index.ts';
import { currencies, currencyOf, fundDesk } from '../payments/index.ts';
import { type Config, type Db, putSetting } from '../platform/index.ts';
import { type PotKind, fundPot, leftInPots } from '../pots/index.ts';
import { seedPricing } from '../pricing/index.ts';
import type { Rail } from '../rails/index.ts';
import { runRates, seedRates, sourceUrls, untilFresh, watchRates } from '../rates/index.ts';
import { openShared } from '../assembly/index.ts';
import defaults from './seed/defaults.json' with { type: 'json' };
import { seedDirections } from './seed/directions.ts';
import sandbox from './seed/sandbox.json' with { type: 'json' };

/** Money that the sandbox's desk begins with, on the chains and in the books. */
interface Capital {
  readonly action: string;
  readonly currency: string;
  readonly unit: string;
  readonly amount: string;
  readonly place: 'hot' | 'fuel';
}

/**
 * What a new installation begins with: currencies, directions, and in the sandbox people, settings and capital. Adds
 * what is missing and changes nothing that is there, so it runs at each start.
 */
export async function seed(config: Config, db: Db): Promise<void> {
  const shared = await openShared(config);
  try {
    const isSandbox = config.KURS_MODE === 'sandbox';
    const isNew = (await peopleWith(db, 'orders.run')) === 0;
    await db.tx(async (tx) => {
      await seedRates(tx, defaults.assets);
      await seedPricing(tx, { ...defaults, directions: directionsFor(isSandbox) });
      if (!isSandbox || !isNew) return;
      await seedSandboxDesk(tx, config.KURS_DATA);
      for (const [key, value] of Object.entries(sandbox.settings)) await putSetting(tx, key, value, 'seed');
    });
    if (isSandbox) await seedCapital(config, db, shared.rails);
    if (isSandbox) await seedPots(db);
  } finally {
    await shared.close();
  }
}

/** The directions whose two sides some rail carries here. With real money an operator switches each on. */
function directionsFor(isSandbox: boolean): object[] {
  const carried = new Set(currencies().map(({ code }) => code));
  return [...defaults.directions, ...seedDirections(defaults.directions)]
    .filter(({ from, to }) => carried.has(from) && carried.has(to))
    .map((direction) => ({ ...direction, isOn: isSandbox && direction.isOn }));
}

/** Coins first, then the posting: whatever dies in between is made up for at the next start, and nothing is doubled. */
async function seedCapital(config: Config, db: Db, rails: ReadonlyMap<string, Rail>): Promise<void> {
  const capital = [...(sandbox.capital as readonly Capital[]), ...[...rails.values()].flatMap(capitalAt)];
  const books = await Promise.all(
    capital.map(({ currency, place, unit }) => entries(db, accounts.custody(currency, place, unit), { limit: 1 })),
  );
  const missing = capital.filter((_, at) => books[at]?.length === 0);
  if (missing.length === 0) return;
  const left = await unbooked(db, rails);
  for (const { currency, unit, amount } of missing) {
    const { parts } = parse(unit, amount);
    const there = left.get(currency) ?? 0n;
    if (there >= parts) left.set(currency, there - parts);
    else await fund(config, { currency, amount, to: hotAddress(rails, currency) });
  }
  const actions = missing.map(({ action, currency, unit, amount, place }) => ({
    id: action,
    currency,
    place,
    parts: parse(unit, amount).parts as bigint,
  }));
  await withRates(config, db, () => db.tx((tx) => fundDesk(tx, actions)));
}

/** What is set aside of the capital for coupons, rewards and prizes, where nothing ever was. */
async function seedPots(db: Db): Promise<void> {
  const left = await leftInPots(db);
  const missing = sandbox.pots.filter(({ pot }) => left[pot as PotKind] === undefined);
  if (missing.length === 0) return;
  await alone(db, async (unit) => {
    for (const { id, pot, amount } of missing) {
      const { parts } = parse(REWARD_UNIT, amount);
      unit.post(await fundPot(unit.tx, { id, pot: pot as PotKind, parts, back: false }));
    }
  });
}

/** What the desk begins with at a provider that it pays from: as much of each unit, under an id of its own. */
function capitalAt({ kind, payout, currencies: carried }: Rail): Capital[] {
  if (kind !== 'provider' || !payout) return [];
  return carried.map(({ code: currency, unit }) => ({
    action: idOf(`capital ${currency}`),
    ...{ currency, unit, place: 'hot' },
    amount: sandbox.atProviders,
  }));
}

/** An id that is the same each time for the same text, in the form of a uuid of version 8. */
function idOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-');
}

/** What lies in the wallets and isn't in the books, by currency. What is hot and what is fuel may lie at one address. */
async function unbooked(db: Db, rails: ReadonlyMap<string, Rail>): Promise<Map<string, bigint>> {
  const left = new Map<string, bigint>();
  const add = (currency: string, parts: bigint): void => void left.set(currency, (left.get(currency) ?? 0n) + parts);
  const said = (await Promise.all([...rails.values()].map((rail) => rail.reserve()))).flat();
  for (const { currency, parts } of said) add(currency, parts);
  for (const currency of [...left.keys()]) {
    const unit = currencyOf(currency)?.unit ?? currency;
    const booked = await balances(db, [accounts.custody(currency, 'hot', unit), accounts.custody(currency, 'fuel', unit)]);
    for (const parts of booked) add(currency, -parts);
  }
  return left;
}

/** Asks the markets once for the time of some work, so that what it books carries prices. */
async function withRates(config: Config, db: Db, work: () => Promise<void>): Promise<void> {
  const worker = runRates(db, { urls: () => sourceUrls(config.KURS_SANDBOX_URL) });
  const watch = await watchRates(db);
  try {
    await untilFresh(new Date(0));
    await work();
  } finally {
    await watch.stop();
    await worker.stop();
  }
}

/** Where the sandbox puts what the desk begins with: at a provider on its account, which the counterpart knows. */
function hotAddress(rails: ReadonlyMap<string, Rail>, currency: string): string {
  const carrier = [...rails.values()].find(({ currencies: carried }) => carried.some(({ code }) => code === currency));
  if (carrier?.kind === 'provider') return '';
  const own = carrier?.ownAccount?.(currency);
  if (own === undefined) throw new Error(`The sandbox serves no ${currency}`);
  return own;
}

async function fund(config: Config, funding: { currency: string; amount: string; to: string }): Promise<void> {
  const response = await fetch(new URL('/fund', config.KURS_SANDBOX_CONTROL_URL), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(funding),
  });
  if (!response.ok) throw new Error(`The sandbox did not fund ${funding.currency}: ${await response.text()}`);
}
