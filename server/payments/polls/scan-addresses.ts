// Scans a chain for used addresses of ours that the database doesn't know. There may be such addresses if the seed was restored
// from its words, or the database is an older copy.

import { Problem } from '@kurs/contract';
import { type Statements, type Tx, log, wake } from '../../platform/index.ts';
import type { Rail, Scan, UsedAddress } from '../../rails/rail.ts';
import { ensureCounter, insertAddresses } from '../payins/open-payin.ts';
import { within } from '../rails/deps.ts';
import { allRails } from '../rails/registry.ts';
import { settings } from '../rails/settings.ts';
import { NUMBERS_PASSED_OVER } from '../restored/restored-mode.ts';

/** Addresses of ours that were used on a chain. */
export interface Scanned {
  readonly receiving: readonly UsedAddress[];
  readonly change: readonly UsedAddress[];
}

/** Longest time for one scan of a chain, in ms. */
const SCAN_MS = 60_000;

/**
 * Queries a chain for the used addresses among `count` indexes starting at `from`. Returns them with the chain's height. Queries
 * the network, so no database transaction may be open. Throws `not_found` for a rail that isn't configured or has no addresses of
 * ours. Throws `unavailable` if the chain's answer is incomplete: an index that could not be queried may be used.
 */
export async function scanIndexes(
  id: string,
  { from, count }: { readonly from: number; readonly count: number },
): Promise<Scanned & { readonly height: number }> {
  const { scan, payin } = railToScan(id);
  const indexes = Array.from({ length: count }, (_, at) => from + at);
  try {
    // The height is read before the scan, and later polls begin above it. So a payment made meanwhile is found by the scan, by a
    // poll, or by both.
    const { height } = await within(SCAN_MS, `${id} tip`, () => payin.tip());
    const receiving = await within(SCAN_MS, `${id} scan`, () => scan.receiving(indexes));
    const change = await within(SCAN_MS, `${id} scan`, async () => (await scan.change?.(indexes)) ?? []);
    return { receiving, change, height };
  } catch (error) {
    log.warn('a chain could not be scanned for our own addresses', { rail: id, from, count, error });
    throw new Problem('unavailable');
  }
}

function railToScan(id: string): { readonly rail: Rail; readonly scan: Scan; readonly payin: NonNullable<Rail['payin']> } {
  const rail = allRails().find((one) => one.id === id);
  if (!rail?.scan || !rail.payin) throw new Problem('not_found');
  return { rail, scan: rail.scan, payin: rail.payin };
}

/**
 * Returns the scanned addresses that the books don't know as handed out. Number 0 is always known: it is the desk's own address.
 * An address that waits in the database to be handed out is returned, because somebody must have received it from another copy.
 */
export async function unknownAmong(db: Statements, id: string, found: Scanned): Promise<Scanned> {
  const rows = await db.rows<{ number: string }>(
    `select number from receiving_address where rail = $1 and number = any ($2::bigint[]) and owner_id is not null
       and (owner_kind <> 'desk' or owner_id <> 'restored')`,
    [id, found.receiving.map(({ index }) => index)],
  );
  const known = new Set([0, ...rows.map(({ number }) => Number.parseInt(number, 10))]);
  const wallet = await db.rows<{ change_index: string }>('select change_index from rail_wallet where rail = $1', [id]);
  const next = Number.parseInt(wallet[0]?.change_index ?? '0', 10);
  return {
    receiving: found.receiving.filter(({ index }) => !known.has(index)),
    change: found.change.filter(({ index }) => index >= next),
  };
}

/**
 * Takes found addresses into the books as the desk's own. Their coin is polled, swept and compared with the books, and later
 * payments to them are seen. They are never handed out again. The next 10 000 numbers are skipped, too: customers who have not
 * paid yet may have received them. Posts nothing: the coin appears as a difference, which people book.
 */
export async function takeFound(tx: Tx, id: string, unknown: Scanned, height: number): Promise<void> {
  const { rail } = railToScan(id);
  await ensureCounter(tx, rail);
  await tx.row('select next_number from receiving_address_counter where rail = $1 for update', [id]);
  if (unknown.receiving.length > 0) await takeReceiving(tx, rail, unknown.receiving, height);
  const lastChange = Math.max(-1, ...unknown.change.map(({ index }) => index));
  if (lastChange >= 0)
    await tx.run(
      `insert into rail_wallet (rail, token, leased_until, change_index) values ($1, 0, now(), $2)
       on conflict (rail) do update set change_index = greatest(rail_wallet.change_index, excluded.change_index)`,
      [id, lastChange + 1],
    );
  tx.afterCommit(() => wake('payments'));
}

async function takeReceiving(tx: Tx, rail: Rail, found: readonly UsedAddress[], height: number): Promise<void> {
  const numbers = found.map(({ index }) => index);
  const there = await tx.rows<{ number: string }>(
    'select number from receiving_address where rail = $1 and number = any ($2::bigint[])',
    [rail.id, numbers],
  );
  const derived = new Set(there.map(({ number }) => Number.parseInt(number, 10)));
  const missing = Map.groupBy(
    found.filter(({ index }) => !derived.has(index)),
    ({ holds }) => holds[0]?.currency ?? rail.currencies[0]?.code ?? '',
  );
  for (const [currency, addresses] of missing)
    await insertAddresses(
      tx,
      rail,
      currency,
      addresses.map(({ index }) => index),
    );
  await tx.run(
    `update receiving_address set owner_kind = 'desk', owner_id = 'found', customer = 'desk', taken_at = $4, may_hold = given.holds,
       close_until = $4, live_until = $4::timestamptz + $5 * interval '1 day', due_at = $4, from_height = $6
     from unnest($2::bigint[], $3::boolean[]) as given (number, holds) where rail = $1 and receiving_address.number = given.number`,
    [rail.id, numbers, found.map(({ holds }) => holds.length > 0), tx.now, settings.get('payments.live_days'), height + 1],
  );
  const behind = Math.max(...numbers) + NUMBERS_PASSED_OVER;
  await tx.run('update receiving_address_counter set next_number = greatest(next_number, $2) where rail = $1', [
    rail.id,
    behind + 1,
  ]);
  await tx.run(
    `update receiving_address set owner_kind = 'desk', owner_id = 'restored', customer = 'desk', taken_at = $3
     where rail = $1 and number <= $2 and owner_id is null`,
    [rail.id, behind, tx.now],
  );
}
