import { z } from 'zod';
import { type Tx, log } from '../platform/index.ts';
import { closeGainingCycles, directionSchema, saveDirections } from './directions/change-direction.ts';
import { seedRailCosts } from './known/rail-costs.ts';
import { FEED_CODE } from './directions/direction.ts';
import { insertCurrencies, readDirections } from './directions/store.ts';

const currencySeed = z.array(
  z.strictObject({
    code: z.string().regex(/^[A-Z][A-Z0-9_]{1,19}$/),
    name: z.string(),
    kind: z.enum(['crypto', 'ewallet']),
    confirmations: z.string().max(40),
    position: z.int(),
  }),
);
/** Codes by which exchange monitors know currencies, by the product's own codes. */
const codesSeed = z.record(z.string(), z.string().regex(FEED_CODE));

/**
 * Adds the default currencies, cost lines and directions that are missing. Values that an operator changed stay. But all
 * directions on a cycle by which a customer gains are switched off. The process must already use its rails (`useRails`). Throws
 * if the seed file is malformed, and the errors of `saveDirections`.
 */
export async function seedPricing(
  tx: Tx,
  seed: {
    readonly currencies: unknown;
    readonly directions: unknown;
    readonly costs?: unknown;
    readonly feedCodes?: unknown;
  },
): Promise<void> {
  const codes = codesSeed.parse(seed.feedCodes ?? {});
  const currencies = currencySeed.parse(seed.currencies);
  await insertCurrencies(
    tx,
    currencies.map((currency) => ({ ...currency, feedCode: codes[currency.code] ?? null })),
  );
  await seedRailCosts(tx, seed.costs ?? []);
  const known = new Set((await readDirections(tx)).map(({ slug }) => slug));
  const missing = z
    .array(directionSchema)
    .parse(seed.directions)
    .filter(({ slug }) => !known.has(slug));
  const closed = await closeGainingCycles(tx, 'seed');
  if (closed.length > 0) log.error('directions were switched off, since together they gave customers a gain', { slugs: closed });
  if (missing.length > 0) await saveDirections(tx, missing, 'seed');
}
