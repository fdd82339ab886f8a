import { type Statements, settingsAt } from '../../platform/index.ts';
import type { Direction } from '../directions/direction.ts';
import type { RailCost } from './rail-costs.ts';
import { PRICED_BY, type PriceRules, rulesWith } from './known.ts';

/** Prices that people had set at an earlier moment. */
export interface PricesBefore {
  /** Directions as of that moment, by slug. A direction that was added later is included in its first version. */
  readonly directions: ReadonlyMap<string, Direction>;
  /** Cost lines as of that moment. Lines that the seed added later are included. */
  readonly railCosts: readonly RailCost[];
  readonly rules: PriceRules;
}

/** Returns the prices that people had set at a moment. */
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
