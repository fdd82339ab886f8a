import { z } from 'zod';
import type { Tx } from '../platform/index.ts';
import { SOURCES } from './sources.ts';
import { insertAssets } from './store.ts';

const decimalText = z.string().regex(/^[0-9]{1,12}(\.[0-9]{1,12})?$/);

/** `assets` of the seed file: code, kind, and each source's name of the pair with USD, or the peg in USD. */
export const assetSeed = z.array(
  z.strictObject({
    code: z.string().regex(/^[A-Z]{2,10}$/),
    kind: z.enum(['peg', 'stable', 'other']),
    peg: decimalText.optional(),
    symbols: z.partialRecord(z.enum(SOURCES.map(({ id }) => id) as [string, ...string[]]), z.string()).default({}),
  }),
);

/** Adds missing default assets. Throws if the seed file is invalid. */
export async function seedRates(tx: Tx, assets: unknown): Promise<void> {
  const rows = assetSeed.parse(assets);
  await insertAssets(
    tx,
    rows.map(({ code, kind, peg, symbols }) => ({ code, kind, peg: peg ?? null, symbols: symbols as Record<string, string> })),
  );
}
