import type { Statements, Tx } from '../platform/index.ts';
import { macOfCoupon, isCouponAltered, isUseAltered, macOfUse } from './coupon-macs.ts';
import { type CustomerKeys, requestedKeys, mayTakeRest } from './claimant-keys.ts';
import type { Coupon, CouponKind, CouponState } from './coupon.ts';
import type { StoredUse, Use, UseState } from './use.ts';

interface Row {
  id: string;
  code: string;
  kind: CouponKind;
  state: CouponState;
  percent: string | null;
  value: string | null;
  starts_at: Date | null;
  ends_at: Date | null;
  uses: number | null;
  per_customer: number;
  directions: string[] | null;
  min: string;
  is_first_only: boolean;
  email_key: string | null;
  holder_id: string | null;
  is_off: boolean;
  taken: number;
  budget: string;
  held: string;
  from_pot: string;
  max: string;
  made_by: string[];
  made_at: Date;
  made_action: string | null;
  earned_by: string | null;
  earned_keys: string[] | null;
  given_at: Date | null;
  mac: string | null;
}

const COLUMNS = `id, code, kind, state, percent, value, starts_at, ends_at, uses, per_customer, directions, min, is_first_only,
  email_key, holder_id, is_off, taken, budget, held, from_pot, max, made_by, made_at, made_action, earned_by, earned_keys, given_at, mac`;

/** Returns a coupon by its stored code, or undefined. */
export async function findCoupon(db: Statements, code: string): Promise<Coupon | undefined> {
  const row = await db.row<Row>(`select ${COLUMNS} from coupon where code = $1`, [code], { name: 'coupons.find' });
  return row && fromRow(row);
}

/** Returns coupons by their stored codes. */
export async function findCoupons(db: Statements, codes: readonly string[]): Promise<Map<string, Coupon>> {
  if (codes.length === 0) return new Map();
  const rows = await db.rows<Row>(`select ${COLUMNS} from coupon where code = any ($1)`, [[...new Set(codes)]], {
    name: 'coupons.find_all',
  });
  return new Map(rows.map((row) => [row.code, fromRow(row)]));
}

/** Returns coupons by their ids, locked in the order of the ids. */
export async function lockCoupons(tx: Tx, ids: readonly string[]): Promise<Map<string, Coupon>> {
  const rows = await tx.rows<Row>(`select ${COLUMNS} from coupon where id = any ($1) order by id for update`, [ids], {
    name: 'coupons.lock',
  });
  return new Map(rows.map((row) => [row.id, fromRow(row)]));
}

/** Returns live coupons whose time is over, locked, some hundreds at a time. Those that SQL changed are left out. */
export async function lockEnded(tx: Tx): Promise<Coupon[]> {
  const rows = await tx.rows<Row>(
    `select ${COLUMNS} from coupon where state = 'live' and ends_at <= $1 order by id limit 200 for update skip locked`,
    [tx.now],
    { name: 'coupons.ended' },
  );
  return rows.map(fromRow).filter(({ isAltered }) => !isAltered);
}

/** Returns coupons that wait for the pot or the day, the oldest first, locked. */
export async function lockWaiting(tx: Tx, max: number): Promise<Coupon[]> {
  const rows = await tx.rows<Row>(
    `select ${COLUMNS} from coupon where state = 'waiting' order by made_at, id limit $1 for update`,
    [max],
    { name: 'coupons.lock_waiting' },
  );
  return rows.map(fromRow);
}

/**
 * Returns coupons for the desk, newest first: some of them, or all of a state. Credits belong to their holders and are left out.
 */
export async function listCoupons(db: Statements, state: CouponState | undefined): Promise<Coupon[]> {
  const rows = await db.rows<Row>(
    `select ${COLUMNS} from coupon where kind <> 'credit' and ($1::text is null or state = $1) order by made_at desc, id desc limit 500`,
    [state ?? null],
  );
  return rows.map(fromRow);
}

/** Adds coupons. Throws a duplicate error if a code exists already. */
export async function addCoupons(tx: Tx, coupons: readonly Coupon[]): Promise<void> {
  for (const one of coupons) {
    await tx.run(
      `insert into coupon (${COLUMNS}, state_at)
       values (${VALUES})`,
      columnsOf(one),
      { name: 'coupons.add' },
    );
  }
}

/** Adds a credit, unless its holder has one; returns the holder's credit, locked. */
export async function openCredit(tx: Tx, credit: Coupon): Promise<Coupon> {
  await tx.run(
    `insert into coupon (${COLUMNS}, state_at) values (${VALUES}) on conflict (holder_id) where kind = 'credit' do nothing`,
    columnsOf(credit),
    { name: 'coupons.open_credit' },
  );
  const row = await tx.row<Row>(
    `select ${COLUMNS} from coupon where holder_id = $1 and kind = 'credit' for update`,
    [credit.holderId],
    { name: 'coupons.lock_credit' },
  );
  if (!row) throw new Error('no credit was put');
  return fromRow(row);
}

/** Returns a holder's credit, or undefined. */
export async function findCredit(db: Statements, holderId: string): Promise<Coupon | undefined> {
  return (await findCredits(db, [holderId])).get(holderId);
}

/** Returns the credits of some holders. */
export async function findCredits(db: Statements, holderIds: readonly string[]): Promise<Map<string, Coupon>> {
  if (holderIds.length === 0) return new Map();
  const rows = await db.rows<Row & { holder_id: string }>(
    `select ${COLUMNS} from coupon where holder_id = any ($1) and kind = 'credit'`,
    [holderIds],
    { name: 'coupons.find_credits' },
  );
  return new Map(rows.map((row) => [row.holder_id, fromRow(row)]));
}

const VALUES = `${Array.from({ length: 28 }, (_, at) => `$${at + 1}`).join(', ')}, $23`;
const columnsOf = (one: Coupon): unknown[] => [
  ...[one.id, one.code, one.kind, one.state, one.percent ?? null, one.value ?? null],
  ...[one.startsAt ?? null, one.endsAt ?? null, one.uses ?? null, one.perCustomer, one.directions ?? null],
  ...[one.min, one.isFirstOnly, one.emailKey ?? null, one.holderId ?? null, one.isOff],
  ...[one.taken, one.budget, one.held, one.fromPot, one.max, one.madeBy, one.madeAt],
  ...[one.action ?? null, one.earnedBy ?? null, one.earnedKeys ?? null, one.givenAt ?? null, macOfCoupon(one)],
];

/** Writes the changed columns of coupons. */
export async function saveCoupons(tx: Tx, coupons: readonly Coupon[]): Promise<void> {
  if (coupons.length === 0) return;
  await tx.run(
    `update coupon set state_at = case when coupon.state = c.state then state_at else $7 end, state = c.state, taken = c.taken,
       budget = c.budget, held = c.held, from_pot = c.from_pot, max = c.max, is_off = c.is_off, ends_at = c.ends_at,
       given_at = c.given_at, mac = c.mac
     from unnest($1::uuid[], $2::text[], $3::int[], $4::numeric[], $5::numeric[], $6::numeric[], $8::numeric[], $9::boolean[],
       $10::timestamptz[], $11::timestamptz[], $12::uuid[])
       as c (id, state, taken, budget, held, from_pot, max, is_off, ends_at, given_at, mac)
     where coupon.id = c.id`,
    [
      coupons.map(({ id }) => id),
      coupons.map(({ state }) => state),
      coupons.map(({ taken }) => taken),
      coupons.map(({ budget }) => budget),
      coupons.map(({ held }) => held),
      coupons.map(({ fromPot }) => fromPot),
      tx.now,
      coupons.map(({ max }) => max),
      coupons.map(({ isOff }) => isOff),
      coupons.map(({ endsAt }) => endsAt ?? null),
      coupons.map(({ givenAt }) => givenAt ?? null),
      coupons.map(macOfCoupon),
    ],
    { name: 'coupons.save' },
  );
}

interface UseRow {
  id: string;
  coupon_id: string;
  state: UseState;
  held: string;
  spent: string;
  rest: string;
  rest_of: string | null;
  owner_kind: string;
  owner_id: string;
  keys: string[];
  at: Date;
  mac: string | null;
}

const USE_COLUMNS = 'id, coupon_id, state, held, spent, rest, rest_of, owner_kind, owner_id, keys, at, mac';

/** Returns uses by their ids, locked; their coupons are locked before. */
export async function lockUses(tx: Tx, ids: readonly string[]): Promise<Map<string, StoredUse>> {
  const rows = await tx.rows<UseRow>(`select ${USE_COLUMNS} from coupon_use where id = any ($1) order by id for update`, [ids], {
    name: 'coupons.lock_uses',
  });
  return new Map(rows.map((row) => [row.id, useOf(row)]));
}

/** Returns the coupons of uses, by use. */
export async function couponsOfUses(tx: Tx, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx.rows<{ id: string; coupon_id: string }>(
    'select id, coupon_id from coupon_use where id = any ($1)',
    [ids],
    {
      name: 'coupons.of_uses',
    },
  );
  return new Map(rows.map(({ id, coupon_id: coupon }) => [id, coupon]));
}

/** Returns the number of a customer's uses of a coupon, and the first use with a rest that belongs to them. */
export async function usesOf(
  db: Statements,
  couponId: string,
  customer: CustomerKeys,
): Promise<{ readonly count: number; readonly rest: StoredUse | undefined }> {
  const rows = await db.rows<UseRow>(
    `select ${USE_COLUMNS} from coupon_use where coupon_id = $1 and state <> 'free' and rest_of is null and keys && $2 order by at, id`,
    [couponId, requestedKeys(customer)],
    { name: 'coupons.uses_of' },
  );
  const uses = rows.map(useOf);
  const hasRest = ({ rest, isAltered, keys }: StoredUse): boolean => rest > 0n && !isAltered && mayTakeRest(customer, keys);
  return { count: uses.length, rest: uses.find(hasRest) };
}

/** Returns the number of other uses of a coupon by the customer of a use, found by any of these identities. */
export async function usesBeside(
  db: Statements,
  { id, couponId }: Pick<Use, 'id' | 'couponId'>,
  keys: readonly string[],
): Promise<number> {
  const row = await db.row<{ count: number }>(
    `select count(*)::int as count from coupon_use
     where coupon_id = $1 and id <> $2 and state <> 'free' and rest_of is null and keys && $3`,
    [couponId, id, keys],
    { name: 'coupons.uses_beside' },
  );
  return row?.count ?? 0;
}

/** Returns coupons that are bound to a holder, or that they have added, the newest first. */
export async function ownedCoupons(
  db: Statements,
  { holderId, emailKey }: { readonly holderId: string; readonly emailKey: string | undefined },
): Promise<Coupon[]> {
  const rows = await db.rows<Row>(
    `select ${COLUMNS} from coupon where id in (
       select coupon_id from coupon_kept where holder_id = $1
       union select id from coupon where holder_id = $1 and kind <> 'credit'
       union select id from coupon where email_key = $2
     ) and state not in ('waiting', 'void') order by made_at desc, id desc limit 200`,
    [holderId, emailKey ?? null],
    { name: 'coupons.owned' },
  );
  return rows.map(fromRow);
}

/** Returns usable coupons that are bound to addresses and have at least so much left; the one that ends first comes first. */
export async function usableOf(db: Statements, emailKeys: readonly string[], min: bigint): Promise<Coupon[]> {
  const rows = await db.rows<Row>(
    `select ${COLUMNS} from coupon where email_key = any ($1) and state = 'live' and coalesce(starts_at, clock_now()) <= clock_now()
       and coalesce(ends_at, 'infinity') > clock_now() and budget - held >= $2 and coalesce(taken < uses, true)
     order by ends_at nulls last, id`,
    [emailKeys, min],
    { name: 'coupons.usable' },
  );
  return rows.map(fromRow).filter(({ isAltered }) => !isAltered);
}

/**
 * Returns the number of a customer's uses of each of these coupons, found by any of these identities, and the rests of those
 * uses.
 */
export async function restsByCustomer(
  db: Statements,
  ids: readonly string[],
  keys: readonly string[],
): Promise<Map<string, { readonly count: number; readonly rest: bigint }>> {
  if (ids.length === 0) return new Map();
  const rows = await db.rows<{ id: string; count: number; rest: string }>(
    `select coupon_id as id, count(*)::int as count, sum(rest) as rest from coupon_use
     where coupon_id = any ($1) and state <> 'free' and rest_of is null and keys && $2 group by coupon_id`,
    [ids, keys],
    { name: 'coupons.rests_by_customer' },
  );
  return new Map(rows.map(({ id, count, rest }) => [id, { count, rest: BigInt(rest) }]));
}

/** Returns the sum of the rests of coupons' uses. */
export async function restsOf(db: Statements, ids: readonly string[]): Promise<Map<string, bigint>> {
  if (ids.length === 0) return new Map();
  const rows = await db.rows<{ id: string; rest: string }>(
    `select coupon_id as id, sum(rest) as rest from coupon_use
     where coupon_id = any ($1) and state = 'spent' and rest > 0 group by coupon_id`,
    [ids],
    { name: 'coupons.rests' },
  );
  return new Map(rows.map(({ id, rest }) => [id, BigInt(rest)]));
}

/** Returns the largest rest of a coupon's uses; 0 without any. */
export async function largestRest(db: Statements, id: string): Promise<bigint> {
  const row = await db.row<{ rest: string }>(
    `select rest from coupon_use where coupon_id = $1 and state = 'spent' and rest > 0 order by rest desc limit 1`,
    [id],
    { name: 'coupons.largest_rest' },
  );
  return BigInt(row?.rest ?? '0');
}

/** Adds a held use. */
export async function addUse(tx: Tx, use: StoredUse): Promise<void> {
  await tx.run(
    `insert into coupon_use (${USE_COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      ...[use.id, use.couponId, use.state, use.held, use.spent, use.rest, use.restOf ?? null],
      ...[use.owner.kind, use.owner.id, use.keys, use.at, macOfUse(use)],
    ],
    { name: 'coupons.add_use' },
  );
}

/** Writes the changed columns of uses. */
export async function saveUses(tx: Tx, uses: readonly StoredUse[]): Promise<void> {
  if (uses.length === 0) return;
  await tx.run(
    `update coupon_use set state = u.state, spent = u.spent, rest = u.rest, mac = u.mac
     from unnest($1::uuid[], $2::text[], $3::numeric[], $4::numeric[], $5::uuid[]) as u (id, state, spent, rest, mac)
     where coupon_use.id = u.id`,
    [
      uses.map(({ id }) => id),
      uses.map(({ state }) => state),
      uses.map(({ spent }) => spent),
      uses.map(({ rest }) => rest),
      uses.map(macOfUse),
    ],
    { name: 'coupons.save_uses' },
  );
}

/** Changes the rests of spent uses; free ones have none. Their coupons are locked before. */
export async function changeRests(tx: Tx, changes: ReadonlyMap<string, bigint>): Promise<void> {
  const uses = [...(await lockUses(tx, [...changes.keys()].toSorted())).values()];
  const spent = uses.filter(({ state }) => state === 'spent');
  await saveUses(
    tx,
    spent.map((use) => ({ ...use, rest: use.rest + (changes.get(use.id) ?? 0n) })),
  );
}

/** Returns ids of uses whose rows SQL changed. With `owners`: among the held ones, and those of these owners. */
export async function alteredUses(db: Statements, owners: readonly string[] | undefined): Promise<string[]> {
  const some = `where state = 'held' or owner_id = any ($1::uuid[])`;
  const rows = await db.rows<UseRow>(
    `select ${USE_COLUMNS} from coupon_use ${owners ? some : ''} order by id`,
    owners && [owners],
  );
  return rows.map(useOf).flatMap(({ id, isAltered }) => (isAltered ? [id] : []));
}

/** Returns ids of coupons whose rows SQL changed. With `causes`: among those that may still give something, and these. */
export async function alteredCoupons(db: Statements, causes: readonly string[] | undefined): Promise<string[]> {
  const some = `where state in ('waiting', 'live') or held > 0 or id = any ($1::uuid[])`;
  const rows = await db.rows<Row>(`select ${COLUMNS} from coupon ${causes ? some : ''} order by id`, causes && [causes]);
  return rows.map(fromRow).flatMap(({ id, isAltered }) => (isAltered ? [id] : []));
}

function useOf(row: UseRow): StoredUse {
  const use: StoredUse = {
    ...{ id: row.id, couponId: row.coupon_id, state: row.state },
    ...{ held: BigInt(row.held), spent: BigInt(row.spent), rest: BigInt(row.rest), restOf: row.rest_of ?? undefined },
    ...{ owner: { kind: row.owner_kind, id: row.owner_id }, keys: row.keys, at: row.at },
  };
  return isUseAltered(use, row.mac) ? { ...use, isAltered: true } : use;
}

function fromRow(row: Row): Coupon {
  const coupon: Coupon = {
    id: row.id,
    code: row.code,
    kind: row.kind,
    state: row.state,
    percent: row.percent ?? undefined,
    value: row.value === null ? undefined : BigInt(row.value),
    startsAt: row.starts_at ?? undefined,
    endsAt: row.ends_at ?? undefined,
    uses: row.uses ?? undefined,
    perCustomer: row.per_customer,
    directions: row.directions ?? undefined,
    min: BigInt(row.min),
    isFirstOnly: row.is_first_only,
    emailKey: row.email_key ?? undefined,
    holderId: row.holder_id ?? undefined,
    isOff: row.is_off,
    taken: row.taken,
    budget: BigInt(row.budget),
    held: BigInt(row.held),
    fromPot: BigInt(row.from_pot),
    max: BigInt(row.max),
    madeBy: row.made_by,
    madeAt: row.made_at,
    action: row.made_action ?? undefined,
    earnedBy: row.earned_by ?? undefined,
    earnedKeys: row.earned_keys ?? undefined,
    givenAt: row.given_at ?? undefined,
  };
  return isCouponAltered(coupon, row.mac) ? { ...coupon, isAltered: true } : coupon;
}
