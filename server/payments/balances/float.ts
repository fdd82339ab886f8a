import { type Statements, type Tx, monotonicMs } from '../../platform/index.ts';
import type { Rail, RailBalance } from '../../rails/rail.ts';
import { type PaymentsDeps, within } from '../rails/deps.ts';
import { alteredOf, believedReadings, macOfBalance } from './balance-macs.ts';
import { stuckOf } from './corrections.ts';
import type { StoredPayout } from '../payouts/rows/payout-store.ts';
import { isUp, noteFailure } from '../rails/rail-state.ts';
import { currencyOf } from '../rails/registry.ts';
import { type BalanceTime, timesOf } from './balance-time.ts';
import { minutesOfDifference } from './lasting-difference.ts';
import { fuelledAddresses, walletState } from '../rails/wallet.ts';

/**
 * Returns the amount that each currency can promise, in parts: the payable balance, less payouts that are queued, under way or
 * awaiting approval. A currency is left out while its rail is down or was never polled. It is also left out while its balance has
 * been below the books for too long. Its amount is 0 while some of its money is stuck or SQL altered its stored balance. Updated
 * within seconds of a payment or payout, else every half minute.
 */
export async function payables(db: Statements, currencies: readonly string[]): Promise<ReadonlyMap<string, bigint>> {
  return believedReadings(
    db,
    `currency = any ($1) and exists (select from rail_state where rail_state.rail = rail_balance.rail and up)
       and not exists (select from reconciliation off where off.currency = rail_balance.currency and off.place in ('hot', 'deposit')
                         and off.off_since <= clock_now() - $2 * interval '1 minute')`,
    [currencies, minutesOfDifference()],
    'payments.payables',
  );
}

/** Returns the payable amount of one currency, as `payables` does; 0 if `payables` leaves the currency out. */
export async function payable(db: Statements, currency: string): Promise<bigint> {
  return (await payables(db, [currency])).get(currency) ?? 0n;
}

/**
 * Returns a currency's payable amount from the last poll, even while the rail is down. Used only to compute limits for later
 * automatic payouts.
 */
export async function lastFloat(db: Statements, currency: string): Promise<bigint> {
  return (await believedReadings(db, 'currency = $1', [currency], 'payments.last_float')).get(currency) ?? 0n;
}

const ASK_MS = 2_000;
const lastRequested = new WeakMap<Rail, number>();

/**
 * Polls a rail's balance, unless the last poll was a moment ago. Stores the balance and its free part. Returns false if the rail
 * gave no answer or is down.
 */
export async function refreshFloat(deps: PaymentsDeps, rail: Rail): Promise<boolean> {
  const isFresh = monotonicMs() - (lastRequested.get(rail) ?? -Infinity) < ASK_MS;
  if (!isFresh && (await askReserve(deps, rail))) return true;
  const isUpNow = await deps.db.tx(async (tx) => {
    if (!(await isUp(tx, rail.id))) return false;
    await writeFree(tx, rail);
    return true;
  });
  return isFresh && isUpNow;
}

async function writeFree(tx: Tx, rail: Rail): Promise<void> {
  const codes = rail.currencies.map(({ code }) => code);
  const [stuck, since, altered] = await Promise.all([stuckOf(tx, codes), oldestReading(tx, rail.id), alteredOf(tx, rail.id)]);
  const unpayable = [...altered, ...[...stuck].flatMap(([code, parts]) => (parts > 0n ? code : []))];
  if (since) await tx.run(FREE, [rail.id, since, unpayable], { name: 'payments.free_float' });
}

/** Polls a rail's balance, and stores it with its free part. Returns false if the rail gave no answer or is down. */
export async function askReserve(deps: PaymentsDeps, rail: Rail): Promise<boolean> {
  const { db } = deps;
  const found = await db.tx(async (tx) => {
    if (!(await isUp(tx, rail.id))) return undefined;
    const [wallet, fuelled] = await Promise.all([walletState(tx, rail.id), fuelledAddresses(tx, rail)]);
    return { requestedAt: tx.now, state: { ...wallet, fuelled } };
  });
  if (!found) return false;
  const { requestedAt, state } = found;
  let balances: readonly RailBalance[];
  try {
    balances = await within(deps.callMs, `${rail.id} reserve`, () => rail.reserve(state));
  } catch (error) {
    await noteFailure(deps, rail, error);
    return false;
  }
  lastRequested.set(rail, monotonicMs());
  const times = await timesOf(db, rail.id, balances, requestedAt);
  await db.tx(async (tx) => {
    await writeReading(tx, rail, { requestedAt, balances, times });
    await writeFree(tx, rail);
  });
  return true;
}

interface Reading {
  readonly requestedAt: Date;
  readonly balances: readonly RailBalance[];
  readonly times: readonly BalanceTime[];
}

async function writeReading(tx: Tx, rail: Rail, { requestedAt, balances, times }: Reading): Promise<void> {
  await tx.run(
    `insert into rail_balance (rail, currency, place, unit, parts, payable, free, read_at, own_at, says_at, mac)
     select $1, currency, place, unit, parts, payable, payable, $2, own_at, says_at, mac
     from unnest($3::text[], $4::text[], $5::text[], $6::numeric[], $7::numeric[], $8::timestamptz[], $9::timestamptz[], $10::uuid[])
       as given (currency, place, unit, parts, payable, own_at, says_at, mac)
     on conflict (currency, place) do update set rail = excluded.rail, unit = excluded.unit, parts = excluded.parts,
       payable = excluded.payable, read_at = excluded.read_at, own_at = excluded.own_at, says_at = excluded.says_at, mac = excluded.mac,
       free = case rail_balance.place when 'hot' then rail_balance.free else excluded.payable end`,
    [
      rail.id,
      requestedAt,
      balances.map(({ currency }) => currency),
      balances.map(({ place }) => place),
      balances.map(({ currency }) => currencyOf(currency)?.unit ?? currency),
      balances.map(({ parts }) => parts),
      balances.map(({ payable: sendable }) => sendable),
      times.map(({ ownAt }) => ownAt),
      times.map(({ saysAt }) => saysAt),
      balances.map(({ currency, place, parts, payable }, at) =>
        macOfBalance({
          ...{
            rail: rail.id,
            currency,
            place,
            unit: currencyOf(currency)?.unit ?? currency,
            parts,
            payable,
            readAt: requestedAt,
          },
          ...{ ownAt: times[at]?.ownAt ?? null, saysAt: times[at]?.saysAt ?? null },
        }),
      ),
    ],
    { name: 'payments.write_reserve' },
  );
}

/**
 * SQL: payouts that a rail's last polled balance may still include, summed by currency. These are unfinished payouts, and final
 * payouts that were accepted after that poll: a fast rail may finish a payout between two polls. `states`: condition for the
 * unfinished payouts. `$2`: time of the oldest stored balance. It tells the planner that few attempts are younger, so it reads no
 * old rows.
 */
const goneBy = (states: string): string => `
  reading as (select currency, payable, parts, read_at from rail_balance where rail = $1 and place = 'hot'),
  gone as (
    select currency, sum(parts) as parts from (
      select payout.currency, payout.parts from payout join reading using (currency)
      where status in ('queued', 'preparing', 'sending', 'in_doubt', 'sent') and (${states})
      union all
      select payout.currency, payout.parts
      from payment_attempt attempt join payout on payout.attempt_id = attempt.id and payout.status = 'final'
        join reading on reading.currency = payout.currency
      where attempt.rail = $1 and attempt.accepted_at >= $2 and attempt.accepted_at >= read_at
    ) each group by currency)`;

/** Payouts to deduct from the amount that can be promised: every unfinished payout that the polled balance may still include. */
const GOING = goneBy(`status <> 'sent' or confirmations = 0 or status_at >= read_at`);

/**
 * Payouts to deduct when deciding which queued payouts fit; these queued payouts are left out. A sent payout is deducted only
 * until the next poll: its unconfirmed change can be spent again.
 */
const GONE = goneBy(`status in ('preparing', 'sending', 'in_doubt') or status = 'sent' and status_at >= read_at`);

const FREE = `
  with ${GOING}, requests as (select currency, sum(parts) as parts from payout_asked group by currency)
  update rail_balance set free = now.free
  from (
    select currency, case when currency = any ($3) then 0
      else greatest(0, reading.payable - coalesce(gone.parts, 0) - coalesce(requests.parts, 0)) end as free
    from reading left join gone using (currency) left join requests using (currency)
  ) as now
  where rail = $1 and place = 'hot' and rail_balance.currency = now.currency and rail_balance.free <> now.free`;

const LEFT = `
  with ${GONE}
  select currency, reading.parts - coalesce(gone.parts, 0) as left from reading left join gone using (currency)
  where currency = any ($3)`;

/** Returns the time of a rail's oldest stored hot-wallet balance; undefined if the rail was never polled. */
async function oldestReading(db: Statements, rail: string): Promise<Date | undefined> {
  const row = await db.row<{ at: Date | null }>(
    `select min(read_at) as at from rail_balance where rail = $1 and place = 'hot'`,
    [rail],
    { name: 'payments.oldest_reading' },
  );
  return row?.at ?? undefined;
}

/**
 * Divides due payouts of one rail, oldest first. `fit`: those that the rail's balance covers in addition to all payouts under
 * way. `short`: those that have to wait. All payouts wait if the rail was never polled.
 */
export async function takeWithinFloat(
  tx: Tx,
  rail: string,
  payouts: readonly StoredPayout[],
): Promise<{ fit: StoredPayout[]; short: StoredPayout[] }> {
  if (payouts.length === 0) return { fit: [], short: [] };
  const since = await oldestReading(tx, rail);
  if (!since) return { fit: [], short: [...payouts] };
  const wanted = [...new Set(payouts.map(({ currency }) => currency))];
  const rows = await tx.rows<{ currency: string; left: string }>(LEFT, [rail, since, wanted], { name: 'payments.left_for' });
  const stuck = await stuckOf(
    tx,
    rows.map(({ currency }) => currency),
  );
  const altered = new Set(await alteredOf(tx, rail));
  const read = rows.filter(({ currency }) => !altered.has(currency));
  const left = new Map(read.map((row) => [row.currency, BigInt(row.left) - (stuck.get(row.currency) ?? 0n)]));
  const fit: StoredPayout[] = [];
  const short: StoredPayout[] = [];
  for (const payout of payouts) {
    const rest = (left.get(payout.currency) ?? 0n) - payout.parts;
    // Smaller payouts that come later may still fit: a large payout must not delay all others.
    if (rest < 0n) short.push(payout);
    else {
      left.set(payout.currency, rest);
      fit.push(payout);
    }
  }
  return { fit, short };
}
