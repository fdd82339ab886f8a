import { type Db, type Statements, type Tx, log } from '../../platform/index.ts';
import type { HandedOn, Lies, Payin, Rail } from '../../rails/rail.ts';
import { type PaymentsDeps, within } from '../rails/deps.ts';
import { insertHandedOn, isHandedOn } from './handed-on-store.ts';
import { isUp, noteFailure } from '../rails/rail-state.ts';
import { currencyOf } from '../rails/registry.ts';
import { callsPerSecond, settings } from '../rails/settings.ts';

/** Maximum number of addresses compared in one turn; those due longest come first. Turns are half a minute apart. */
const PLACES = 200;
/** Seconds of calls that one turn may use, at the number of calls per second allowed for the rail. The rest is left for polls. */
const SECONDS = 5;
/** Maximum number of blocks whose traces are searched for unexplained coin. A longer range is left to people. */
const MAX_BLOCKS = 1_000;

/**
 * An address whose balance is to be compared with its known payments. `height`: block of the last comparison; undefined if there
 * was none.
 */
interface Weighed {
  readonly number: number;
  readonly to: string;
  readonly height: number | undefined;
}

/**
 * An address whose balance exceeds its known payments. `isSure`: true if a later poll did not explain the excess either; false if
 * the excess is new.
 */
interface Grown {
  readonly isSure: boolean;
  readonly number: number;
  readonly parts: bigint;
  readonly sinceHeight: number;
  readonly height: number;
}

/**
 * Compares the balances of a chain's addresses with their known payments, for a coin that contracts can hand on. Balances are
 * read at a block that is too deep for a reorg. An address with a new excess is polled. If the operator's node gives traces, the
 * blocks since the last comparison are searched, too, and transfers found there become payments automatically. If neither
 * explains the excess, people of the desk must do so. Returns the number of addresses compared.
 */
export async function weighAddresses(deps: PaymentsDeps, rail: Rail): Promise<number> {
  const { payin } = rail;
  if (!payin?.lies || !(await isUp(deps.db, rail.id))) return 0;
  const { lies } = payin;
  const due = await addressesToWeigh(deps.db, rail.id, Math.min(PLACES, SECONDS * callsPerSecond(rail.id)));
  if (due.length === 0) return 0;
  let said: Lies;
  try {
    said = await within(deps.callMs, `${rail.id} lies`, () => lies(due.map(({ to }) => to)));
  } catch (error) {
    await noteFailure(deps, rail, error);
    return 0;
  }
  const grown = await deps.db.tx((tx) => weigh(tx, rail.id, due, said));
  for (const one of grown.filter(({ isSure }) => !isSure))
    await search(deps, rail.id, payin, one, due.find(({ number }) => number === one.number)?.to ?? '');
  return due.length;
}

/** Returns customers' addresses that are due for a comparison. Leaves out addresses with a sweep or gas of ours under way. */
async function addressesToWeigh(db: Db, rail: string, max: number): Promise<Weighed[]> {
  const rows = await db.rows<{ number: string; to_text: string; height: string | null }>(
    `select number, to_text, g.height from receiving_address p left join receiving_address_growth g using (rail, number)
     where rail = $1 and weigh_at <= clock_now() and owner_kind <> 'desk'
       and not exists (select from payment_attempt a where a.rail = p.rail and a.number = p.number
                       and a.status in ('stored', 'doubtful', 'sent', 'replaced'))
     order by weigh_at limit $2`,
    [rail, max],
    { name: 'payments.places_to_weigh' },
  );
  return rows.map(({ number, to_text: to, height }) => ({
    number: Number.parseInt(number, 10),
    to,
    height: height === null ? undefined : Number.parseInt(height, 10),
  }));
}

/**
 * Stores each address's unexplained excess. Returns the addresses whose excess has just grown or become sure. Raises an alarm for
 * each excess that has become sure.
 */
async function weigh(tx: Tx, rail: string, due: readonly Weighed[], said: Lies): Promise<Grown[]> {
  const weighed = due.filter(({ to }) => said.parts.has(to));
  const dust = currencyOf(said.currency)?.dust ?? 1n;
  const rows = await tx.rows<{
    number: string;
    parts: string;
    since_height: string;
    height: string;
    to_text: string;
    sure: boolean;
  }>(
    WEIGH,
    [
      rail,
      said.currency,
      said.height,
      weighed.map(({ number }) => number),
      weighed.map(({ to }) => said.parts.get(to) ?? 0n),
      dust,
    ],
    { name: 'payments.weigh' },
  );
  await weighAgain(
    tx,
    rail,
    weighed.map(({ number }) => number),
  );
  for (const { to_text: address, parts, sure } of rows)
    if (sure)
      log.alarm('coin lies at an address and is credited to nobody', { rail, place: address, parts, currency: said.currency });
  return rows.map((row) => ({
    number: Number.parseInt(row.number, 10),
    isSure: row.sure,
    parts: BigInt(row.parts),
    sinceHeight: Number.parseInt(row.since_height, 10),
    height: Number.parseInt(row.height, 10),
  }));
}

/**
 * Schedules the next comparison of addresses. An address whose excess is not sure is due within a minute. Others are due less
 * often the longer ago a payment was likely, as with polls. An address that is no longer live and holds nothing is not compared
 * again.
 */
async function weighAgain(tx: Tx, rail: string, numbers: readonly number[]): Promise<void> {
  const [watch, hours] = [settings.get('payments.watch'), settings.get('payments.watch_hours')];
  await tx.run(
    `update receiving_address p set weigh_at = (select clock_now()) + interval '1 minute' * case
         when g.parts > 0 and not g.sure then 1
         when close_until + $4 * interval '1 hour' > (select clock_now()) then $3::float8
         when close_until + $5 * interval '1 hour' > (select clock_now()) then greatest($3::float8, $6::float8)
         when live_until > (select clock_now()) or may_hold then greatest($3::float8, $7::float8) end
     from receiving_address_growth g
     where p.rail = $1 and p.number = any ($2::bigint[]) and g.rail = p.rail and g.number = p.number`,
    [
      ...[rail, numbers, settings.get('payments.weigh_minutes'), hours.late, hours.recent],
      ...[watch.recentMs / 60_000, watch.liveMs / 60_000],
    ],
    { name: 'payments.weigh_again' },
  );
}

/**
 * SQL: stores each address's excess. The excess is the balance plus the coin that our final sweeps took away up to that block,
 * less three sums: known payments in the coin, gas that we sent there, and handed-on coin that is not a payment yet. Makes the
 * addresses whose excess grew due for a poll, so that the next comparison includes what the poll finds. Returns addresses whose
 * excess grew or became sure.
 */
const WEIGH = `
  with said as (
    select * from unnest($4::bigint[], $5::numeric[]) as t (number, lies)
  ), known as (
    select s.number, s.lies
      - coalesce((select sum(p.parts) from payin p where p.rail = $1 and p.number = s.number and p.currency = $2
                    and p.status in ('seen', 'final')), 0)
      - coalesce((select sum(h.parts) from handed_on h where h.rail = $1 and h.number = s.number and not exists (
                    select from payin p where p.rail = $1 and p.number = s.number and p.txid = h.txid and p.parts = h.parts
                      and p.currency = $2 and p.status in ('seen', 'final'))), 0)
      + coalesce((select sum(case when a.purpose = 'fuel' then -a.parts
                                  else case when a.currency = $2 then a.parts else 0 end
                                     + case when a.fee_currency = $2 then a.fee else 0 end end)
                  from payment_attempt a where a.rail = $1 and a.number = s.number and a.status = 'final' and a.height <= $3
                    and (a.purpose = 'collect' or a.currency = $2)), 0) as beyond
    from said s
  ), before as (
    select number, parts, sure from receiving_address_growth where rail = $1 and number in (select number from said) for update
  ), written as (
    insert into receiving_address_growth (rail, number, currency, height, parts, since_height, since, weighed_at)
    select $1, k.number, $2, $3, case when beyond < $6 then 0 else beyond end,
      case when beyond >= $6 then p.from_height end, case when beyond >= $6 then clock_now() end, clock_now()
    from known k join receiving_address p on p.rail = $1 and p.number = k.number
    on conflict (rail, number) do update set currency = excluded.currency, height = greatest(receiving_address_growth.height, excluded.height),
      parts = excluded.parts, weighed_at = excluded.weighed_at,
      since_height = case when excluded.parts = 0 then null when excluded.parts > receiving_address_growth.parts then receiving_address_growth.height
                          else receiving_address_growth.since_height end,
      since = case when excluded.parts = 0 then null when excluded.parts > receiving_address_growth.parts then clock_now()
                   else receiving_address_growth.since end,
      sure = excluded.parts between 1 and receiving_address_growth.parts and (receiving_address_growth.sure or receiving_address_growth.since <
        (select polled_at from receiving_address p where p.rail = $1 and p.number = receiving_address_growth.number))
    returning number, parts, since_height, height, sure
  ), grown as (
    select w.* from written w left join before b using (number)
    where w.parts > coalesce(b.parts, 0) or (w.sure and not b.sure)
  ), looked as (
    update receiving_address set due_at = least(due_at, clock_now()), is_requested = true
    where rail = $1 and number in (select number from grown) returning number, to_text
  )
  select grown.*, to_text from grown join looked using (number)`;

/**
 * Searches the traces of the blocks in which an excess arose, and books the transfers found there. Together they can't exceed the
 * excess.
 */
async function search(deps: PaymentsDeps, rail: string, { traced }: Payin, grown: Grown, to: string): Promise<void> {
  const blocks = { from: grown.sinceHeight + 1, to: grown.height };
  if (!traced || blocks.to - blocks.from >= MAX_BLOCKS) return;
  try {
    const found = await within(deps.callMs, `${rail} traces`, () => traced(to, blocks));
    for (const one of found) await deps.db.tx((tx) => take(tx, rail, grown.number, one));
  } catch (error) {
    log.alarm('traces could not be read; people must search', { rail, place: to, detail: String(error) });
  }
}

/** Books a found transfer as a payment. Does nothing if the transfer is known already, since a node may report it again. */
async function take(tx: Tx, rail: string, number: number, one: HandedOn): Promise<void> {
  if (await isHandedOn(tx, rail, number, one.txid)) return;
  const took = await takeFromGrowth(tx, rail, number, one.parts);
  if (took) await insertHandedOn(tx, { rail, number, ...one, by: ['traces'] });
}

/** Deducts an amount from the unexplained excess of an address. Returns false, and changes nothing, if the excess is smaller. */
export async function takeFromGrowth(tx: Statements, rail: string, number: number, parts: bigint): Promise<boolean> {
  const taken = await tx.run(
    `update receiving_address_growth set parts = parts - $3 where rail = $1 and number = $2 and parts >= $3`,
    [rail, number, parts],
  );
  return taken === 1;
}
