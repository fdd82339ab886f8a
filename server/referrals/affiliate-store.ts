import type { Statements, Tx } from '../platform/index.ts';
import { type Affiliate, usualAffiliate } from './affiliate.ts';
import { isAffiliateAsStored, macOfAffiliate, macOfKey } from './macs.ts';

interface Row {
  readonly holder_id: string;
  readonly share: number | null;
  readonly max_split: number | null;
  readonly level: number;
  readonly owed: string;
  readonly suspended_at: Date | null;
  readonly statements: boolean;
  readonly mac: string | null;
}

const COLUMNS = 'holder_id, share, max_split, level, owed, suspended_at, statements, mac';
/**
 * Returns an affiliate by their row. If SQL changed the row, they have the usual terms and are suspended, so that people decide.
 */
function affiliateIn(row: Row): Affiliate {
  const affiliate: Affiliate = {
    holderId: row.holder_id,
    share: row.share ?? undefined,
    maxSplit: row.max_split ?? undefined,
    level: row.level,
    owed: BigInt(row.owed),
    suspendedAt: row.suspended_at ?? undefined,
    hasStatements: row.statements,
  };
  if (isAffiliateAsStored(affiliate, row.mac)) return affiliate;
  const { holderId, owed, suspendedAt = new Date(0) } = affiliate;
  return { ...usualAffiliate(holderId), owed, suspendedAt, hasStatements: false, isAltered: true };
}

/** Returns accounts of affiliates whose rows SQL changed. */
export async function alteredAffiliates(db: Statements): Promise<string[]> {
  const rows = await db.rows<Row>(`select ${COLUMNS} from affiliate order by holder_id`);
  return rows.map(affiliateIn).flatMap(({ holderId, isAltered }) => (isAltered ? [holderId] : []));
}

/** Returns an affiliate by the account; without a row, one with the usual terms. */
export async function findAffiliate(db: Statements, holderId: string): Promise<Affiliate> {
  const row = await db.row<Row>(`select ${COLUMNS} from affiliate where holder_id = $1`, [holderId], { name: 'referrals.find' });
  return row ? affiliateIn(row) : usualAffiliate(holderId);
}

/** Returns those of some affiliates who have a row, by their accounts. */
export async function findAffiliates(db: Statements, ids: readonly string[]): Promise<Map<string, Affiliate>> {
  if (ids.length === 0) return new Map();
  const rows = await db.rows<Row>(`select ${COLUMNS} from affiliate where holder_id = any ($1)`, [[...new Set(ids)]], {
    name: 'referrals.find_all',
  });
  return new Map(rows.map((row) => [row.holder_id, affiliateIn(row)]));
}

/** Returns affiliates by their accounts, locked in the order of the accounts. Those without a row get one. */
export async function lockAffiliates(tx: Tx, ids: readonly string[]): Promise<Map<string, Affiliate>> {
  const sorted = [...new Set(ids)].toSorted();
  if (sorted.length === 0) return new Map();
  await tx.run(
    `insert into affiliate (holder_id, mac) select id, mac from unnest($1::uuid[], $2::uuid[]) as a (id, mac) on conflict do nothing`,
    [sorted, sorted.map((id) => macOfAffiliate(usualAffiliate(id)))],
    { name: 'referrals.open' },
  );
  const rows = await tx.rows<Row>(
    `select ${COLUMNS} from affiliate where holder_id = any ($1) order by holder_id for update`,
    [sorted],
    { name: 'referrals.lock' },
  );
  return new Map(rows.map((row) => [row.holder_id, affiliateIn(row)]));
}

/** Writes affiliates, locked before. If SQL changed a row, only its debt is written. */
export async function saveAffiliates(tx: Tx, affiliates: readonly Affiliate[]): Promise<void> {
  if (affiliates.length === 0) return;
  await tx.run(
    `update affiliate set owed = a.owed, mac = a.mac,
       share = case when a.mac is null then affiliate.share else a.share end,
       max_split = case when a.mac is null then affiliate.max_split else a.max_split end,
       level = case when a.mac is null then affiliate.level else a.level end,
       suspended_at = case when a.mac is null then affiliate.suspended_at else a.suspended_at end,
       statements = case when a.mac is null then affiliate.statements else a.statements end
     from unnest($1::uuid[], $2::numeric[], $3::int[], $4::int[], $5::int[], $6::timestamptz[], $7::bool[], $8::uuid[])
       as a (id, owed, share, max_split, level, suspended_at, statements, mac)
     where holder_id = a.id`,
    [
      affiliates.map(({ holderId }) => holderId),
      affiliates.map(({ owed }) => owed),
      affiliates.map(({ share }) => share ?? null),
      affiliates.map(({ maxSplit: usualMaxSplit }) => usualMaxSplit ?? null),
      affiliates.map(({ level }) => level),
      affiliates.map(({ suspendedAt }) => suspendedAt ?? null),
      affiliates.map(({ hasStatements }) => hasStatements),
      affiliates.map(macOfAffiliate),
    ],
    { name: 'referrals.save' },
  );
}

/** Returns an affiliate by the account, locked. */
async function lockAffiliate(tx: Tx, holderId: string): Promise<Affiliate> {
  return (await lockAffiliates(tx, [holderId])).get(holderId) ?? usualAffiliate(holderId);
}

/** Switches the monthly letter on or off. */
export async function switchStatements(tx: Tx, holderId: string, isOn: boolean): Promise<void> {
  await saveAffiliates(tx, [{ ...(await lockAffiliate(tx, holderId)), hasStatements: isOn }]);
}

/** People's decisions about an affiliate; absent fields stay. */
export interface Terms {
  readonly share?: number | undefined;
  readonly maxSplit?: number | undefined;
  readonly isSuspended?: boolean | undefined;
}

/** Writes people's decisions about an affiliate. */
export async function saveTerms(tx: Tx, holderId: string, { share, maxSplit: usualMaxSplit, isSuspended }: Terms): Promise<void> {
  const before = await lockAffiliate(tx, holderId);
  const suspendedAt = isSuspended === undefined ? before.suspendedAt : isSuspended ? (before.suspendedAt ?? tx.now) : undefined;
  await saveAffiliates(tx, [
    { ...before, share: share ?? before.share, maxSplit: usualMaxSplit ?? before.maxSplit, suspendedAt },
  ]);
}

/** Writes the step of the ladder of affiliates with so many customers, if it differs. */
export async function saveLevels(tx: Tx, counted: ReadonlyMap<string, number>): Promise<void> {
  const affiliates = await lockAffiliates(tx, [...counted.keys()]);
  const moved = [...affiliates.values()].map((one) => ({ ...one, level: counted.get(one.holderId) ?? 0 }));
  await saveAffiliates(
    tx,
    moved.filter(({ holderId, level }) => affiliates.get(holderId)?.level !== level),
  );
}

/** SQL: the ids of affiliates, for journals that are about one. */
export const AFFILIATE_IDS = 'select holder_id from affiliate';

/** Returns affiliates' debts, by affiliate. Those without a debt are left out. */
export async function owedByAffiliates(db: Statements): Promise<Map<string, bigint>> {
  const rows = await db.rows<{ holder: string; owed: string }>('select holder_id as holder, owed from affiliate where owed > 0');
  return new Map(rows.map(({ holder, owed }) => [holder, BigInt(owed)]));
}

/** Returns those of some affiliates who have switched the monthly letter off. */
export async function withoutStatements(db: Statements, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db.rows<{ holder: string }>(
    'select holder_id as holder from affiliate where holder_id = any ($1) and not statements',
    [ids],
  );
  return new Set(rows.map(({ holder }) => holder));
}

/** Returns affiliates above the lowest step. */
export const climbed = (db: Statements): Promise<string[]> =>
  db.rows<{ id: string }>('select holder_id as id from affiliate where level > 0').then((rows) => rows.map(({ id }) => id));

/** Stores identities of account holders. */
export async function noteKeys(
  tx: Tx,
  known: readonly { readonly holderId: string; readonly keys: readonly string[] }[],
): Promise<void> {
  const all = known.flatMap(({ holderId, keys }) => keys.map((key) => ({ holderId, key })));
  if (all.length === 0) return;
  await tx.run(
    `insert into affiliate_key (holder_id, key, at, mac) select holder, key, $3, mac
     from unnest($1::uuid[], $2::text[], $4::uuid[]) as k (holder, key, mac)
     order by 1, 2 on conflict do nothing`,
    [all.map(({ holderId }) => holderId), all.map(({ key }) => key), tx.now, all.map((one) => macOfKey({ ...one, at: tx.now }))],
    { name: 'referrals.note_keys' },
  );
}

/** An affiliate, the affiliate who referred them, and the identities of a customer. */
export interface Between {
  readonly affiliate: string;
  readonly second: string | undefined;
  readonly keys: readonly string[];
}

/**
 * Returns an identity that customer and affiliate share, otherwise one that both affiliates share, in the order of the input;
 * undefined for none.
 */
export async function keysBetween(db: Statements, requests: readonly Between[]): Promise<(string | undefined)[]> {
  if (requests.length === 0) return [];
  const rows = await db.rows<{ at: number; key: string | null }>(
    `select at::int, coalesce(
       (select key from affiliate_key
        where holder_id = affiliate and key = any (array(select jsonb_array_elements_text(keys))) order by key limit 1),
       (select key from affiliate_key a join affiliate_key b using (key)
        where a.holder_id = affiliate and b.holder_id = second order by key limit 1)) as key
     from unnest($1::uuid[], $2::uuid[], $3::jsonb[]) with ordinality as asked (affiliate, second, keys, at)`,
    [
      requests.map(({ affiliate }) => affiliate),
      requests.map(({ second }) => second ?? null),
      requests.map(({ keys }) => JSON.stringify(keys)),
    ],
    { name: 'referrals.keys_between' },
  );
  const found = new Map(rows.map(({ at, key }) => [at, key ?? undefined]));
  return requests.map((_, index) => found.get(index + 1));
}
