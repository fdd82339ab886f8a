import { REWARD_UNIT, parse } from '@kurs/money';
import { alone } from '../collecting/index.ts';
import { seedStoreRoles } from '../gate/index.ts';
import { accounts, balances, entries } from '../ledger/index.ts';
import { peopleWith, seedSandboxDesk } from '../operator/index.ts';
import { currencies, currencyOf, fundDesk } from '../payments/index.ts';
import { type Config, type Db, idOfText, putSetting } from '../platform/index.ts';
import { type PotKind, fundPot, leftInPots } from '../pots/index.ts';
import { seedPricing } from '../pricing/index.ts';
import type { Rail } from '../rails/index.ts';
import { runRates, seedRates, sourceUrls, untilFresh, watchRates } from '../rates/index.ts';
import { openShared } from '../assembly/index.ts';
import defaults from './seed/defaults.json' with { type: 'json' };
import { seedDirections } from './seed/directions.ts';
import sandbox from './seed/sandbox.json' with { type: 'json' };

/** Initial capital of the sandbox's desk, on the chains and in the books. */
interface Capital {
  readonly action: string;
  readonly currency: string;
  readonly unit: string;
  readonly amount: string;
  readonly place: 'hot' | 'fuel';
}

/**
 * Stores the initial data of an installation: currencies, directions, roles on stores, and in the sandbox people, settings and
 * capital. Adds only what is missing, so it can run at each start.
 */
export async function seed(config: Config, db: Db): Promise<void> {
  const shared = await openShared(config);
  try {
    const isSandbox = config.KURS_MODE === 'sandbox';
    const isNew = (await peopleWith(db, 'orders.run')) === 0;
    await db.tx(async (tx) => {
      await seedRates(tx, defaults.assets);
      await seedStoreRoles(tx);
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

/**
 * Returns the directions whose currencies both have a rail here. With real money they are off until an operator switches them on.
 */
function directionsFor(isSandbox: boolean): object[] {
  const carried = new Set(currencies().map(({ code }) => code));
  return [...defaults.directions, ...seedDirections(defaults.directions)]
    .filter(({ from, to }) => carried.has(from) && carried.has(to))
    .map((direction) => ({ ...direction, isOn: isSandbox && direction.isOn }));
}

/** Sends the coins before posting them: after a crash in between, the next start completes it without doubling anything. */
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

/** Sets part of the capital aside in pots that were never funded. */
async function seedPots(db: Db): Promise<void> {
  const left = await leftInPots(db);
  const missing = sandbox.pots.filter(({ pot }) => left[pot as PotKind] === undefined);
  if (missing.length === 0) return;
  await alone(db, async (unit) => {
    for (const { id, pot, amount } of missing) {
      const { parts } = parse(REWARD_UNIT, amount);
      unit.post(await fundPot(unit.tx, { id, pot: pot as PotKind, parts, isBack: false }));
    }
  });
}

/** Returns the initial capital at a provider that can pay out: the same sum of each currency, each with an id of its own. */
function capitalAt({ kind, payout, currencies: carried }: Rail): Capital[] {
  if (kind !== 'provider' || !payout) return [];
  return carried.map(({ code: currency, unit }) => ({
    action: idOfText(`capital ${currency}`),
    ...{ currency, unit, place: 'hot' },
    amount: sandbox.atProviders,
  }));
}

/** Returns the money in the wallets that the books lack, by currency. Hot wallet and fuel may share an address. */
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

/** Runs work with current market rates, so that its postings carry prices. */
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

/** Returns the address for the sandbox's initial money; empty for a provider, whose account the sandbox knows. */
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
