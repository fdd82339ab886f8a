import type { Statements, Tx } from '../../platform/index.ts';
import type { Currency, Direction, DirectionCost, Spread } from './direction.ts';

type DirectionRow = {
  slug: string;
  from_code: string;
  to_code: string;
  spread: Spread[];
  costs: DirectionCost[];
  min: string | null;
  max: string | null;
  is_on: boolean;
  position: number;
  version: number;
  at: Date;
};

const directionOf = ({ from_code, to_code, is_on, ...row }: DirectionRow): Direction => ({
  ...row,
  from: from_code,
  to: to_code,
  isOn: is_on,
});

const DIRECTION = 'select slug, from_code, to_code, spread, costs, min, max, is_on, position, version, at from direction';

/** Returns all currencies, in the sequence of display. */
export function readCurrencies(db: Statements): Promise<Currency[]> {
  return db.rows<Currency>(
    `select code, name, kind, confirmations, position, feed_code as "feedCode" from currency order by position, code`,
    [],
    { name: 'pricing.currencies' },
  );
}

/** Returns all directions, in the sequence of display. */
export async function readDirections(db: Statements): Promise<Direction[]> {
  const rows = await db.rows<DirectionRow>(`${DIRECTION} order by position, slug`, [], { name: 'pricing.directions' });
  return rows.map(directionOf);
}

/** Returns every direction, locked against changes by other transactions. */
export async function lockDirections(tx: Tx): Promise<Direction[]> {
  await tx.run('lock table direction in share row exclusive mode');
  return readDirections(tx);
}

/**
 * Returns true if the direction of a pair is switched on. Reads the database, because this process's view may be older. Undefined
 * if the pair has no direction.
 */
export async function readSwitch(db: Statements, from: string, to: string): Promise<boolean | undefined> {
  const row = await db.row<{ is_on: boolean }>('select is_on from direction where from_code = $1 and to_code = $2', [from, to], {
    name: 'pricing.switch',
  });
  return row?.is_on;
}

/** Stores the next version of a direction, and adds it to the direction's history. */
export async function writeDirection(tx: Tx, direction: Omit<Direction, 'version'>, by: string): Promise<void> {
  const { slug, from, to, spread, costs, min, max, isOn, position } = direction;
  const row = await tx.row<{ version: number }>(
    `insert into direction (slug, from_code, to_code, spread, costs, min, max, is_on, position, version, by, at)
     values ($1, $2, $3, $4::jsonb, $5::jsonb, $6, $7, $8, $9, 1, $10, $11)
     on conflict (slug) do update set spread = excluded.spread, costs = excluded.costs, min = excluded.min, max = excluded.max,
       is_on = excluded.is_on, position = excluded.position, version = direction.version + 1, by = excluded.by, at = excluded.at
     returning version`,
    [slug, from, to, JSON.stringify(spread), JSON.stringify(costs), min, max, isOn, position, by, tx.now],
  );
  await tx.run('insert into direction_history (slug, version, body, by, at) values ($1, $2, $3::jsonb, $4, $5)', [
    slug,
    row?.version,
    JSON.stringify(direction),
    by,
    tx.now,
  ]);
}

/** Adds currencies; existing ones stay unchanged. */
export async function insertCurrencies(tx: Tx, currencies: readonly Currency[]): Promise<void> {
  await tx.run(
    `insert into currency (code, name, kind, confirmations, position, feed_code)
     select * from jsonb_to_recordset($1::jsonb)
       as given (code text, name text, kind text, confirmations text, position int, "feedCode" text)
     on conflict do nothing`,
    [JSON.stringify(currencies)],
  );
}

/** Stores the code by which exchange monitors know a currency. */
export async function writeFeedCode(tx: Tx, currency: string, code: string | null): Promise<void> {
  await tx.run('update currency set feed_code = $2 where code = $1', [currency, code]);
}

/** Cost of sending a currency on its rail. `fuel`: the currency of the network fee. `parts`: the amount of that fee. */
export interface NetworkCost {
  readonly fuel: string;
  readonly parts: bigint;
}

/** Returns the current sending costs by currency. Estimates older than 15 minutes of real time are left out. */
export async function readNetworkCosts(db: Statements): Promise<Map<string, NetworkCost>> {
  const rows = await db.rows<{ currency: string; fuel: string; parts: string }>(
    `select currency, fuel, parts from network_cost where at > now() - interval '15 minutes'`,
    [],
    { name: 'pricing.network_costs' },
  );
  return new Map(rows.map(({ currency, fuel, parts }) => [currency, { fuel, parts: BigInt(parts) }]));
}

/** Stores the sending costs of currencies. */
export async function writeNetworkCosts(db: Statements, costs: ReadonlyMap<string, NetworkCost>): Promise<void> {
  if (costs.size === 0) return;
  const found = [...costs.values()];
  await db.run(
    `insert into network_cost (currency, fuel, parts, at)
     select currency, fuel, parts, now() from unnest($1::text[], $2::text[], $3::numeric[]) as given (currency, fuel, parts)
     on conflict (currency) do update set fuel = excluded.fuel, parts = excluded.parts, at = excluded.at
       where (network_cost.fuel, network_cost.parts) <> (excluded.fuel, excluded.parts)
         or network_cost.at < excluded.at - interval '1 minute'`,
    [[...costs.keys()], found.map(({ fuel }) => fuel), found.map(({ parts }) => parts)],
    { name: 'pricing.write_network_costs' },
  );
}
