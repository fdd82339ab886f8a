// Random journals for property tests. The journals use few accounts, so that balances reach their bounds, and few ids, so that
// ids repeat.

import fc from 'fast-check';
import { type AccountRef, accounts } from '../chart/chart.ts';
import type { Journal, Leg } from '../chart/journal.ts';

/**
 * Returns accounts of every class and bound, grouped by unit (two units). `world`: part of their names, which separates the
 * accounts of two test runs.
 */
export function worldAccounts(world: string): AccountRef[][] {
  return (['BTC', 'USDT'] as const).map((unit) => [
    accounts.custody(`${unit}-${world}`, 'hot', unit),
    accounts.receivable(world, unit),
    accounts.orderIn(world, unit),
    accounts.orderOut(world, unit),
    accounts.orderReserve(world, unit),
    accounts.wallet(world, unit),
    accounts.income('spread', unit),
    accounts.spent('network', unit),
    accounts.suspense(unit),
  ]);
}

/** Returns the uuid that stands for a small number in a test run. */
export function uuidOf(world: string, number: number): string {
  return `${world.padStart(8, '0')}-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;
}

/** Generates a journal of 1 to 4 legs. `world`: name of the test run, up to 8 hexadecimal digits. */
export function journalOf(world: string): fc.Arbitrary<Journal> {
  const leg = fc.constantFrom(...worldAccounts(world)).chain((unit) =>
    fc
      .record({
        sides: fc.shuffledSubarray(unit, { minLength: 2, maxLength: 2 }),
        parts: fc.oneof({ weight: 5, arbitrary: fc.bigInt(1n, 60n) }, { weight: 1, arbitrary: fc.bigInt(1n, 10n ** 20n) }),
      })
      .map(({ sides: [from, to], parts }) => ({ from, to, parts }) as Leg),
  );
  return fc.record({
    id: fc.nat(40).map((number) => uuidOf(world, number)),
    kind: fc.constantFrom('payin', 'transfer', 'capital_in'),
    cause: fc.constantFrom(uuidOf(world, 1_000), uuidOf(world, 1_001)),
    legs: fc.array(leg, { minLength: 1, maxLength: 4 }),
    prices: fc.constantFrom({}, { BTC: '90000' }, { BTC: '90000.00', USDT: '1' }, { USDT: '0.9998' }),
  });
}

/** Generates calls of `post`, each with distinct ids. Some calls are repeated unchanged. */
export function callsOf(world: string, max: number): fc.Arbitrary<Journal[][]> {
  const call = fc.uniqueArray(journalOf(world), { minLength: 1, maxLength: 6, selector: ({ id }) => id });
  return fc
    .array(call, { minLength: 1, maxLength: max })
    .chain((calls) =>
      fc
        .array(fc.boolean(), { minLength: calls.length, maxLength: calls.length })
        .map((again) => calls.flatMap((one, index) => (again[index] ? [one, one] : [one]))),
    );
}
