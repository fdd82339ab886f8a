import { type Statements, type Tx, monotonicMs } from '../platform/index.ts';
import type { Rail, RailBalance } from '../rails/rail.ts';
import { type PaymentsDeps, within } from './deps.ts';
import { stuckOf } from './corrections.ts';
import type { StoredPayout } from './payout-store.ts';
import { isUp, noteFailure } from './rail-state.ts';
import { currencyOf } from './registry.ts';
import { timesOf } from './balance-time.ts';
import { minutesOfDifference } from './standing-difference.ts';
import { fuelledPlaces, walletState } from './wallet.ts';

/**
 * What can be promised in some currencies by their rails (money.md A3 ii), in parts of their units: what a rail confirmed as
 * payable, less every payout that is queued or under way, or was asked for and waits for people. A currency is missing
 * while its rail is down or was never asked, and while it has had less than the books for too long; it is nothing while some of it
 * is stuck (D8). Refreshed each second or two.
 */
export async function payables(db: Statements, currencies: readonly string[]): Promise<ReadonlyMap<string, bigint>> {
  const rows = await db.rows<{ currency: string; free: string }>(
    `select currency, free from rail_balance join rail_state using (rail) where currency = any ($1) and place = 'hot' and up
       and not exists (select from reconciliation off where off.currency = rail_balance.currency and off.place in ('hot', 'deposit')
                         and off.off_since <= clock_now() - $2 * interval '1 minute')`,
    [currencies, minutesOfDifference()],
    { name: 'payments.payables' },
  );
  return new Map(rows.map(({ currency, free }) => [currency, BigInt(free)]));
}

/** As `payables`, of one currency; nothing where it is missing. */
export async function payable(db: Statements, currency: string): Promise<bigint> {
  return (await payables(db, [currency])).get(currency) ?? 0n;
}

/**
 * As `payable`, but as the rail last said, whether it is up or not: by what it will send, once it is there again, is judged
 * how much goes out by itself. Nothing is sent by this figure.
 */
export async function lastFloat(db: Statements, currency: string): Promise<bigint> {
  const row = await db.row<{ free: string }>(`select free from rail_balance where currency = $1 and place = 'hot'`, [currency], {
    name: 'payments.last_float',
  });
  return BigInt(row?.free ?? '0');
}

const ASK_MS = 2_000;
const lastAsked = new WeakMap<Rail, number>();

/** Asks a rail what it holds every two seconds, and writes that down with what of it is free. */
export async function refreshFloat(deps: PaymentsDeps, rail: Rail): Promise<void> {
  const { db } = deps;
  if (!(await isUp(db, rail.id))) return;
  if (monotonicMs() - (lastAsked.get(rail) ?? -Infinity) >= ASK_MS) await askReserve(deps, rail);
  const stuck = await stuckOf(
    db,
    rail.currencies.map(({ code }) => code),
  );
  const unpayable = [...stuck].flatMap(([code, parts]) => (parts > 0n ? code : []));
  await db.run(FREE, [rail.id, unpayable], { name: 'payments.free_float' });
}

/** Asks a rail what it holds and writes it down. */
export async function askReserve(deps: PaymentsDeps, rail: Rail): Promise<void> {
  const { db } = deps;
  const asked = await db.now();
  let balances: readonly RailBalance[];
  try {
    const [wallet, fuelled] = await Promise.all([walletState(db, rail.id), fuelledPlaces(db, rail)]);
    const state = { ...wallet, fuelled };
    balances = await within(deps.callMs, `${rail.id} reserve`, () => rail.reserve(state));
  } catch (error) {
    await noteFailure(deps, rail, error);
    return;
  }
  lastAsked.set(rail, monotonicMs());
  const times = await timesOf(db, rail.id, balances, asked);
  await db.run(
    `insert into rail_balance (rail, currency, place, unit, parts, payable, free, read_at, own_at, says_at)
     select $1, currency, place, unit, parts, payable, payable, $2, own_at, says_at
     from unnest($3::text[], $4::text[], $5::text[], $6::numeric[], $7::numeric[], $8::timestamptz[], $9::timestamptz[])
       as given (currency, place, unit, parts, payable, own_at, says_at)
     on conflict (currency, place) do update set parts = excluded.parts, payable = excluded.payable, read_at = excluded.read_at,
       own_at = excluded.own_at, says_at = excluded.says_at`,
    [
      rail.id,
      asked,
      balances.map(({ currency }) => currency),
      balances.map(({ place }) => place),
      balances.map(({ currency }) => currencyOf(currency)?.unit ?? currency),
      balances.map(({ parts }) => parts),
      balances.map(({ payable: sendable }) => sendable),
      times.map(({ ownAt }) => ownAt),
      times.map(({ saysAt }) => saysAt),
    ],
    { name: 'payments.write_reserve' },
  );
}

/** Their sum in some states, in parts of a currency of `rail_balance`. */
const sumOf = (states: string): string =>
  `coalesce((select sum(payout.parts) from payout where payout.currency = rail_balance.currency and (${states})), 0)`;

/** As `sumOf`, of what was accepted after the reading and is final already: fast rails need less time than a reading. */
const FINAL_SINCE = `coalesce((
  select sum(payout.parts) from payment_attempt attempt join payout on payout.attempt_id = attempt.id and payout.status = 'final'
  where attempt.rail = rail_balance.rail and attempt.accepted_at >= read_at and payout.currency = rail_balance.currency), 0)`;

/** What is sent after a reading, or not yet in a block, may not be missing from it yet, so it counts as going. */
const GOING = `${FINAL_SINCE} + ${sumOf(`status in ('queued', 'preparing', 'sending', 'in_doubt')
  or (status = 'sent' and (confirmations = 0 or status_at >= read_at))`)}`;

/** As `GOING`, less what waits: whether that fits is the question; and change not yet in a block can be spent again. */
const GONE = `${FINAL_SINCE} + ${sumOf(`status in ('preparing', 'sending', 'in_doubt')
  or (status = 'sent' and status_at >= read_at)`)}`;

const FREE = `
  update rail_balance set free = case when currency = any ($2) then 0 else greatest(0, payable - (${GOING}) - coalesce(
    (select sum(asked.parts) from payout_asked asked where asked.currency = rail_balance.currency), 0)) end
  where rail = $1 and place = 'hot'`;

/**
 * Parts due payouts, oldest first, into those that the rail's own figure covers beside everything under way, and those
 * that have to wait. A currency whose rail was never asked waits.
 */
export async function takeWithinFloat(
  tx: Tx,
  payouts: readonly StoredPayout[],
): Promise<{ fit: StoredPayout[]; short: StoredPayout[] }> {
  if (payouts.length === 0) return { fit: [], short: [] };
  const rows = await tx.rows<{ currency: string; left: string }>(
    `select currency, parts - (${GONE}) as left from rail_balance where place = 'hot' and currency = any ($1)`,
    [[...new Set(payouts.map(({ currency }) => currency))]],
    { name: 'payments.left_for' },
  );
  const stuck = await stuckOf(
    tx,
    rows.map(({ currency }) => currency),
  );
  const left = new Map(rows.map((row) => [row.currency, BigInt(row.left) - (stuck.get(row.currency) ?? 0n)]));
  const fit: StoredPayout[] = [];
  const short: StoredPayout[] = [];
  for (const payout of payouts) {
    const rest = (left.get(payout.currency) ?? 0n) - payout.parts;
    // A smaller one behind may still fit: a large one must not hold up everybody.
    if (rest < 0n) short.push(payout);
    else {
      left.set(payout.currency, rest);
      fit.push(payout);
    }
  }
  return { fit, short };
}
