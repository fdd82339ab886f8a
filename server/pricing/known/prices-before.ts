import { type Statements, settingsAt } from '../../platform/index.ts';
import type { Direction } from '../directions/direction.ts';
import type { RailCost } from './rail-costs.ts';
import { PRICED_BY, type PriceRules, rulesWith } from './known.ts';

/** Prices as people had set them at a moment. */
export interface PricesBefore {
  /** By slug; a direction that is newer stands as it was at first. */
  readonly directions: ReadonlyMap<string, Direction>;
  /** Costs that were seeded later count as present. */
  readonly railCosts: readonly RailCost[];
  readonly rules: PriceRules;
}

/** Reads prices as people had set them at a moment. */
export async function pricesBefore(db: Statements, at: Date): Promise<PricesBefore> {
  const directions = await db.rows<{ body: Omit<Direction, 'version'>; version: number }>(
    `select distinct on (slug) body, version from direction_history
     order by slug, at <= $1 desc, case when at <= $1 then -version else version end`,
    [at],
  );
  const costs = await db.rows<{ body: Omit<RailCost, 'version'>; version: number }>(
    `select distinct on (currency, side) body, version from rail_cost_history where at <= $1 or (version = 1 and by = 'seed')
     order by currency, side, version desc`,
    [at],
  );
  return {
    directions: new Map(directions.map(({ body, version }) => [body.slug, { ...body, version }])),
    railCosts: costs.map(({ body, version }) => ({ ...body, version })),
    rules: rulesWith(await settingsAt(db, PRICED_BY, at)),
  };
}
