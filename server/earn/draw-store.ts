import type { PrizeRow } from '@kurs/contract/draw';
import { type Statements, type Tx, log } from '../platform/index.ts';
import { DAY_MS, type Draw, type DrawState, type Whence, dayOf } from './draw.ts';
import { isDraw, isWhence, macOfDraw, macOfWhence } from './macs.ts';
import { countDays } from './purse.ts';
import { rules } from './settings.ts';

interface Row {
  id: string;
  holder_id: string;
  customer: string | null;
  device: string | null;
  network: string | null;
  hour: Date;
  seed: Buffer;
  prizes: PrizeRow[];
  max: string;
  state: DrawState;
  client_seed: string | null;
  prize: string | null;
  begun_at: Date;
  ends_at: Date;
  counts: string;
  mac: string | null;
  whence_mac: string | null;
}

const COLUMNS = `id, holder_id, customer, device, network, hour, seed, prizes, max, state, client_seed, prize, begun_at, ends_at,
  counts, mac, whence_mac`;

const drawOf = (row: Row): Draw => ({
  id: row.id,
  holderId: row.holder_id,
  customer: row.customer ?? undefined,
  device: row.device ?? undefined,
  network: row.network ?? undefined,
  hour: row.hour,
  seed: row.seed,
  table: row.prizes,
  max: BigInt(row.max),
  state: row.state,
  clientSeed: row.client_seed ?? undefined,
  prize: row.prize === null ? undefined : BigInt(row.prize),
  begunAt: row.begun_at,
  endsAt: row.ends_at,
});

const isAsMade = (row: Row): boolean => isDraw({ ...drawOf(row), counts: BigInt(row.counts) }, row.mac);

/** Adds draws that begin. */
export async function addDraws(tx: Tx, draws: readonly Draw[]): Promise<void> {
  if (draws.length === 0) return;
  await tx.run(
    `insert into earn_draw (id, holder_id, customer, device, network, hour, seed, prizes, max, state, counts, begun_at, ends_at,
       mac, whence_mac)
     select id, holder_id, customer, device, network, hour, seed, prizes::jsonb, max, 'open', max, begun_at, ends_at, mac, whence_mac
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::bytea[], $8::text[],
       $9::numeric[], $10::timestamptz[], $11::timestamptz[], $12::uuid[], $13::uuid[])
       as d (id, holder_id, customer, device, network, hour, seed, prizes, max, begun_at, ends_at, mac, whence_mac)`,
    [
      draws.map(({ id }) => id),
      draws.map(({ holderId }) => holderId),
      draws.map(({ customer }) => customer ?? null),
      draws.map(({ device }) => device ?? null),
      draws.map(({ network }) => network ?? null),
      draws.map(({ hour }) => hour),
      draws.map(({ seed }) => seed),
      draws.map(({ table }) => JSON.stringify(table)),
      draws.map(({ max }) => max),
      draws.map(({ begunAt }) => begunAt),
      draws.map(({ endsAt }) => endsAt),
      draws.map((one) => macOfDraw({ ...one, counts: one.max })),
      draws.map(macOfWhence),
    ],
    { name: 'earn.add_draws' },
  );
}

/** Returns draws by their ids, locked in the order of the ids. Those whose rows SQL changed are left out, with an alarm. */
export async function lockDraws(tx: Tx, ids: readonly string[]): Promise<Map<string, Draw>> {
  const rows = await tx.rows<Row>(`select ${COLUMNS} from earn_draw where id = any ($1) order by id for update`, [ids], {
    name: 'earn.lock_draws',
  });
  for (const { id } of rows.filter((row) => !isAsMade(row)))
    log.alarm('a draw’s row was changed past the product: it gives nothing', { draw: id });
  return new Map(rows.filter(isAsMade).map((row) => [row.id, drawOf(row)]));
}

/** Writes claims, and adds their prizes to their holders' winnings. */
export async function saveClaims(
  tx: Tx,
  claims: readonly (Draw & { readonly clientSeed: string; readonly prize: bigint })[],
): Promise<void> {
  if (claims.length === 0) return;
  await tx.run(
    `update earn_draw set state = 'claimed', client_seed = c.client_seed, prize = c.prize, counts = c.prize, mac = c.mac
     from unnest($1::uuid[], $2::text[], $3::numeric[], $4::uuid[]) as c (id, client_seed, prize, mac) where earn_draw.id = c.id`,
    [
      claims.map(({ id }) => id),
      claims.map(({ clientSeed }) => clientSeed),
      claims.map(({ prize }) => prize),
      claims.map((one) => macOfDraw({ ...one, state: 'claimed', counts: one.prize })),
    ],
    { name: 'earn.claim' },
  );
  await addWon(
    tx,
    claims.map(({ holderId, prize }) => ({ holderId, parts: prize })),
  );
}

/** Adds to what holders have won. */
export async function addWon(tx: Tx, won: readonly { readonly holderId: string; readonly parts: bigint }[]): Promise<void> {
  await tx.run(
    `insert into earn_holder as h (holder_id, won)
     select holder_id, sum(parts) from unnest($1::uuid[], $2::numeric[]) as w (holder_id, parts) group by holder_id order by holder_id
     on conflict (holder_id) do update set won = h.won + excluded.won`,
    [won.map(({ holderId }) => holderId), won.map(({ parts }) => parts)],
    { name: 'earn.add_won' },
  );
}

/**
 * Locks a holder's winnings until the transaction ends: before the days and the orders that count, in the same order as claims
 * and payments into the wallet.
 */
export const lockHolder = (tx: Tx, holderId: string): Promise<void> => addWon(tx, [{ holderId, parts: 0n }]);

/** Draws that end in one statement; the next one finds the rest. */
const BATCH_SIZE = 500;

/**
 * Ends draws whose time is over: they count as the greatest possible prize, and the money set aside is free again. Returns their
 * number. If SQL changed a row, it ends too, keeps its wrong MAC and gives nothing back to its day.
 */
export async function endDraws(tx: Tx): Promise<number> {
  const rows = await tx.rows<Row>(
    `select ${COLUMNS} from earn_draw where state = 'open' and ends_at <= $1 order by ends_at limit ${BATCH_SIZE} for update skip locked`,
    [tx.now],
    { name: 'earn.over' },
  );
  if (rows.length === 0) return 0;
  const min = rules().maxPrize;
  const ended = rows.map((row) => {
    const draw = drawOf(row);
    const counts = draw.max > min ? draw.max : min;
    return { ...draw, counts, mac: isAsMade(row) ? macOfDraw({ ...draw, state: 'abandoned', counts }) : null };
  });
  await tx.run(
    `update earn_draw set state = 'abandoned', counts = d.counts, mac = d.mac
     from unnest($1::uuid[], $2::numeric[], $3::uuid[]) as d (id, counts, mac) where earn_draw.id = d.id`,
    [ended.map(({ id }) => id), ended.map(({ counts }) => counts), ended.map(({ mac }) => mac)],
    { name: 'earn.end_draws' },
  );
  const right = ended.filter(({ mac }) => mac !== null);
  await countDays(
    tx,
    right.map(({ hour, max }) => ({ at: hour, parts: -max })),
  );
  return ended.length;
}

interface Counted {
  readonly key: string;
  readonly parts: string;
}

/**
 * Returns the status of holders who begin draws: today's winnings by each of their identities, and holders with a draw in this
 * hour or an open one.
 */
export async function statusesOf(
  tx: Tx,
  requests: readonly (Whence & { readonly holderId: string })[],
): Promise<{ readonly busy: ReadonlySet<string>; of(key: string): bigint; add(key: string, parts: bigint): void }> {
  const keysOf = (name: keyof Whence): string[] => [...new Set(requests.flatMap((one) => one[name] ?? []))];
  const holders = requests.map(({ holderId }) => holderId);
  const today = dayOf(tx.now);
  const sums = (column: keyof Whence): Promise<Counted[]> => {
    const keys = keysOf(column);
    if (keys.length === 0) return Promise.resolve([]);
    return tx.rows<Counted>(
      `select key, (select coalesce(sum(counts), 0) from earn_draw where ${column} = key and hour >= $2) as parts
       from unnest($1::text[]) as key`,
      [keys, today],
      { name: `earn.today_of_${column}` },
    );
  };
  const [ofHolders, ...shared] = await Promise.all([
    tx.rows<Counted & { busy: boolean }>(
      `select key, coalesce(parts, 0) as parts, coalesce(busy, false) as busy from unnest($1::uuid[]) as key, lateral (
         select sum(counts) filter (where hour >= $2) as parts, bool_or(state = 'open' or begun_at >= date_trunc('hour', $3::timestamptz)) as busy
         from earn_draw where holder_id = key and hour >= least($2, $3::timestamptz - interval '2 hours')
       ) as own`,
      [holders, today, tx.now],
      { name: 'earn.today_of_holder' },
    ),
    sums('customer'),
    sums('device'),
    sums('network'),
  ]);
  const won = new Map([...ofHolders, ...shared.flat()].map(({ key, parts }) => [key, BigInt(parts)]));
  return {
    busy: new Set(ofHolders.flatMap(({ key, busy }) => (busy ? [key] : []))),
    of: (key) => won.get(key) ?? 0n,
    add: (key, parts) => void won.set(key, (won.get(key) ?? 0n) + parts),
  };
}

/**
 * Returns a holder's open draw and their last claimed ones, the newest first. An expired open one is left out. `before`: hour of
 * the last draw of the previous page.
 */
export async function drawsOf(db: Statements, holderId: string, max: number, before?: Date): Promise<Draw[]> {
  const rows = await db.rows<Row>(
    `select ${COLUMNS} from earn_draw where holder_id = $1 and hour < coalesce($3::timestamptz, 'infinity') order by hour desc limit $2`,
    [holderId, max, before ?? null],
    { name: 'earn.draws_of' },
  );
  return rows.map(drawOf);
}

/** Returns the last abandoned draws, without their holders. */
export async function abandonedDraws(db: Statements, max: number): Promise<Pick<Draw, 'id' | 'seed' | 'begunAt'>[]> {
  return db.rows(
    `select id, seed, begun_at as "begunAt" from earn_draw where state = 'abandoned' order by begun_at desc limit $1`,
    [max],
    { name: 'earn.abandoned' },
  );
}

/** Days running with a claim, the longest run among the last days. Draws whose rows were changed by SQL don't count. */
export async function streakOf(db: Statements, holderId: string, now: Date): Promise<number> {
  const rows = await db.rows<Row>(
    `select ${COLUMNS} from earn_draw where holder_id = $1 and state = 'claimed' and hour > $2::timestamptz - interval '15 days'
     order by hour`,
    [holderId, now],
    { name: 'earn.streak' },
  );
  const days = [...new Set(rows.filter(isAsMade).map(({ hour }) => dayOf(hour).getTime()))];
  let [longest, run] = [0, 0];
  for (const [at, day] of days.entries()) {
    run = at > 0 && day - (days[at - 1] ?? 0) === DAY_MS ? run + 1 : 1;
    longest = Math.max(longest, run);
  }
  return longest;
}

/**
 * Ids of draws whose rows were changed by SQL: of those that are open, those of the last two days, and `among`; without it all.
 */
export async function alteredDraws(db: Statements, among: readonly string[] | undefined): Promise<string[]> {
  const some = `where state = 'open' or hour > clock_now() - interval '2 days' or id = any ($1::uuid[])`;
  const rows = await db.rows<Row & { isRecent: boolean }>(
    `select ${COLUMNS}, hour > clock_now() - interval '47 hours' as "isRecent" from earn_draw ${among ? some : ''}`,
    among && [among],
  );
  return rows.filter((row) => !isAsMade(row) || (row.isRecent && !isWhence(drawOf(row), row.whence_mac))).map(({ id }) => id);
}

/** Returns a holder's winnings, the used part of them, and the part put into the wallet. `lock`: until the transaction ends. */
export async function holderSums(
  db: Statements,
  holderId: string,
  { lock = false } = {},
): Promise<{ readonly balance: bigint; readonly toWallet: bigint }> {
  const row = await db.row<{ won: string; used: string; to_wallet: string }>(
    `select won, used, to_wallet from earn_holder where holder_id = $1 ${lock ? 'for update' : ''}`,
    [holderId],
  );
  if (!row) return { balance: 0n, toWallet: 0n };
  return { balance: BigInt(row.won) - BigInt(row.used), toWallet: BigInt(row.to_wallet) };
}

/** Forgets by whom and from where draws of past days were begun. */
export async function forgetWhence(db: Statements): Promise<void> {
  await db.run(
    `update earn_draw set customer = null, device = null, network = null, whence_mac = null
     where hour < clock_now() - interval '2 days' and whence_mac is not null`,
  );
}
