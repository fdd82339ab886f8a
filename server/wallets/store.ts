import { type Statements, type Tx, isMac, macOf, steady } from '../platform/index.ts';
import { payinConfirmations } from '../payments/index.ts';
import type { Deposit } from './deposits/deposit.ts';
import { noteDeposits } from './deposits/note-debts.ts';

/** Address at which a holder pays into their wallet in one currency. */
export interface WalletAddress {
  readonly id: string;
  readonly holderId: string;
  readonly currency: string;
  readonly to: string;
  readonly memo: string | undefined;
}

/** Opens a wallet of a unit; does nothing if the holder has one. */
export const openWallet = (tx: Tx, holderId: string, unit: string): Promise<void> => openWallets(tx, [{ holderId, unit }]);

/** Opens several wallets like `openWallet`. */
export async function openWallets(
  tx: Tx,
  wallets: readonly { readonly holderId: string; readonly unit: string }[],
): Promise<void> {
  if (wallets.length === 0) return;
  await tx.run(
    `insert into wallet (holder_id, unit, opened_at)
     select holder, unit, $3 from unnest($1::uuid[], $2::text[]) as given (holder, unit) order by 1, 2 on conflict do nothing`,
    [wallets.map(({ holderId }) => holderId), wallets.map(({ unit }) => unit), tx.now],
    { name: 'wallets.open' },
  );
}

/** Returns the units of a holder's wallets, oldest first. */
export async function unitsOf(db: Statements, holderId: string): Promise<string[]> {
  const rows = await db.rows<{ unit: string }>('select unit from wallet where holder_id = $1 order by opened_at, unit', [
    holderId,
  ]);
  return rows.map(({ unit }) => unit);
}

const ADDRESS = `id, holder_id as "holderId", currency, pay_to as "to", memo`;
type AddressRow = Omit<WalletAddress, 'memo'> & { memo: string | null };
const addressOf = (row: AddressRow): WalletAddress => ({ ...row, memo: row.memo ?? undefined });

/**
 * Returns a holder's address in a currency. Locks the wallet of the currency's unit, so that concurrent calls create only one
 * address.
 */
export async function addressFor(
  tx: Tx,
  { holderId, unit, currency }: { readonly holderId: string; readonly unit: string; readonly currency: string },
): Promise<WalletAddress | undefined> {
  await tx.row('select from wallet where holder_id = $1 and unit = $2 for no key update', [holderId, unit]);
  const row = await tx.row<AddressRow>(
    `select ${ADDRESS} from wallet_receiving_address where holder_id = $1 and currency = $2 and until is null`,
    [holderId, currency],
  );
  return row && addressOf(row);
}

/** Returns addresses by their ids. */
export async function addressesById(db: Statements, ids: readonly string[]): Promise<Map<string, WalletAddress>> {
  const rows = await db.rows<AddressRow>(`select ${ADDRESS} from wallet_receiving_address where id = any($1)`, [ids]);
  return new Map(rows.map((row) => [row.id, addressOf(row)]));
}

export async function addAddress(tx: Tx, { id, holderId, currency, to, memo }: WalletAddress): Promise<void> {
  await tx.run(
    `insert into wallet_receiving_address (id, holder_id, currency, pay_to, memo, opened_at) values ($1, $2, $3, $4, $5, $6)`,
    [id, holderId, currency, to, memo ?? null, tx.now],
  );
}

/** SQL: select list of a deposit, from a row with the alias `d`. */
export const DEPOSIT = `d.payin_id as "payinId", d.receiving_address_id as "addressId", d.holder_id as "holderId", d.currency, d.unit, d.parts,
  d.txid, d.status, coalesce(${payinConfirmations('d.payin_id')}, d.confirmations) as confirmations, d.needed, d.seen_at as "seenAt", d.final_at as "finalAt", d.fee, d.uncleared, d.taken, d.owed,
  d.flagged as "isFlagged", d.why, d.senders, d.source, d.free_at as "freeAt", d.cleared_at as "clearedAt", d.ended_at as "endedAt",
  d.back_id as "backId", d.back_parts as "backParts", d.earlier_ids as "earlierIds", d.earlier_parts as "earlierParts",
  d.decided_by as "decidedBy", d.papers`;

type Sums = 'parts' | 'fee' | 'uncleared' | 'taken' | 'owed';
type Maybe = 'finalAt' | 'why' | 'source' | 'freeAt' | 'clearedAt' | 'endedAt' | 'backId' | 'decidedBy' | 'papers';
/** A deposit as stored in its row. */
export type DepositRow = Omit<Deposit, Sums | Maybe | 'backParts' | 'earlierBacks'> &
  Record<Sums, string> & { [K in Maybe]: Deposit[K] | null } & {
    readonly backParts: string | null;
    readonly earlierIds: readonly string[];
    readonly earlierParts: readonly string[];
  };

/** Converts a row to a deposit. */
export const depositOf = <R extends DepositRow>(row: R): Omit<R, keyof Deposit> & Deposit => ({
  ...row,
  ...{ parts: BigInt(row.parts), fee: BigInt(row.fee), uncleared: BigInt(row.uncleared) },
  ...{ taken: BigInt(row.taken), owed: BigInt(row.owed) },
  ...{ finalAt: row.finalAt ?? undefined, why: row.why ?? undefined, source: row.source ?? undefined },
  ...{ freeAt: row.freeAt ?? undefined, clearedAt: row.clearedAt ?? undefined, endedAt: row.endedAt ?? undefined },
  ...{ backId: row.backId ?? undefined, backParts: row.backParts === null ? undefined : BigInt(row.backParts) },
  earlierBacks: row.earlierIds.map((id, at) => ({ id, parts: BigInt(row.earlierParts[at] ?? 0) })),
  ...{ decidedBy: row.decidedBy ?? undefined, papers: row.papers ?? undefined },
});

/** Locks deposits and returns them by their payments' ids. */
export async function depositsById(tx: Tx, payins: readonly string[]): Promise<Map<string, Deposit>> {
  const rows = await tx.rows<DepositRow>(
    `select ${DEPOSIT} from wallet_deposit d where payin_id = any ($1) order by payin_id for update`,
    [payins],
  );
  return new Map(rows.map((row) => [row.payinId, depositOf(row)]));
}

/** Stores new and changed deposits, and the debts for them. */
export async function saveDeposits(tx: Tx, deposits: readonly Deposit[]): Promise<void> {
  if (deposits.length === 0) return;
  const rows = deposits.map((one) => ({
    ...{
      payin_id: one.payinId,
      receiving_address_id: one.addressId,
      holder_id: one.holderId,
      currency: one.currency,
      unit: one.unit,
    },
    ...{ parts: one.parts.toString(), txid: one.txid, status: one.status, confirmations: one.confirmations },
    ...{ needed: one.needed, seen_at: one.seenAt, final_at: one.finalAt, fee: one.fee.toString() },
    ...{ uncleared: one.uncleared.toString(), taken: one.taken.toString(), owed: one.owed.toString(), flagged: one.isFlagged },
    ...{ why: one.why, senders: one.senders, source: one.source, free_at: one.freeAt, cleared_at: one.clearedAt },
    ...{ ended_at: one.endedAt, back_id: one.backId, back_parts: one.backParts?.toString(), decided_by: one.decidedBy },
    papers: one.papers,
    earlier_ids: one.earlierBacks.map(({ id }) => id),
    earlier_parts: one.earlierBacks.map(({ parts }) => parts.toString()),
    mac: macOf('deposit', ofFree(one)),
  }));
  await tx.run(
    `insert into wallet_deposit (${SAVED.join(', ')})
     select ${SAVED.join(', ')} from jsonb_populate_recordset(null::wallet_deposit, $1::jsonb)
     on conflict (payin_id) do update set ${CHANGING.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    [JSON.stringify(rows)],
  );
  await noteDeposits(tx, deposits);
}

const ofFree = ({ payinId, freeAt }: Deposit): string => steady([payinId, freeAt]);

/** Returns the payments' ids of those deposits whose clearing time was changed by SQL. */
export async function movedAmong(db: Statements, deposits: readonly Deposit[]): Promise<ReadonlySet<string>> {
  const rows = await db.rows<{ id: string; mac: string | null }>(
    'select payin_id as id, mac from wallet_deposit where payin_id = any ($1)',
    [deposits.map(({ payinId }) => payinId)],
  );
  const macs = new Map(rows.map(({ id, mac }) => [id, mac]));
  return new Set(
    deposits.filter((one) => !isMac('deposit', ofFree(one), macs.get(one.payinId) ?? null)).map(({ payinId }) => payinId),
  );
}

const FIXED = ['payin_id', 'receiving_address_id', 'holder_id', 'currency', 'unit', 'seen_at'];
const CHANGING = [
  'parts',
  'txid',
  'status',
  'confirmations',
  'needed',
  'final_at',
  'fee',
  'uncleared',
  'taken',
  'owed',
  'flagged',
  'why',
  'senders',
  'source',
  'free_at',
  'cleared_at',
  'ended_at',
  'back_id',
  'back_parts',
  'earlier_ids',
  'earlier_parts',
  'decided_by',
  'papers',
  'mac',
];
const SAVED = [...FIXED, ...CHANGING];

/** Returns a holder's deposits, newest first. With `isPending`, returns only deposits that are not credited yet. */
export async function depositsOf(
  db: Statements,
  holderId: string,
  { isPending = false, limit }: { readonly isPending?: boolean; readonly limit: number },
): Promise<Deposit[]> {
  const rows = await db.rows<DepositRow>(
    `select ${DEPOSIT} from wallet_deposit d
     where holder_id = $1 and ($2 = false or status = 'seen') order by seen_at desc limit $3`,
    [holderId, isPending, limit],
  );
  return rows.map(depositOf);
}

/** Returns deposits whose sender people must check, oldest first. */
export async function checkingDeposits(db: Statements, limit: number): Promise<Deposit[]> {
  const rows = await db.rows<DepositRow>(
    `select ${DEPOSIT} from wallet_deposit d where status = 'checking' order by seen_at limit $1`,
    [limit],
  );
  return rows.map(depositOf);
}

/** Returns all opened wallets, each as the text `<holder> <unit>`. */
export async function openedWallets(db: Statements): Promise<ReadonlySet<string>> {
  const rows = await db.rows<{ wallet: string }>(`select holder_id || ' ' || unit as wallet from wallet`);
  return new Set(rows.map(({ wallet }) => wallet));
}

/**
 * Returns deposits that are uncleared, owed or being refunded, so that they have a balance outside the wallet's available money.
 */
export async function openDeposits(db: Statements): Promise<Deposit[]> {
  const rows = await db.rows<DepositRow>(`select ${DEPOSIT} from wallet_deposit d where ${OPEN} order by payin_id`);
  return rows.map(depositOf);
}

const OPEN = `(uncleared > 0 or owed > 0 or status = 'returning')`;
/** SQL: true if one of the payouts in the first parameter refunds the deposit or has refunded it. */
const GIVEN_BACK_BY = `(back_id = any ($1) or (earlier_ids <> '{}' and earlier_ids && $1::uuid[]))`;

/** Returns deposits that these payouts have refunded and that have no balance outside the wallet's available money. */
export async function endedDepositsBy(db: Statements, payouts: readonly string[]): Promise<Deposit[]> {
  if (payouts.length === 0) return [];
  const rows = await db.rows<DepositRow>(
    `select ${DEPOSIT} from wallet_deposit d where ${GIVEN_BACK_BY} and not ${OPEN} order by payin_id`,
    [payouts],
  );
  return rows.map(depositOf);
}

/** Returns deposits that are being refunded or were refunded. `ids`: only these deposits. */
export async function givenBackDeposits(db: Statements, ids?: readonly string[]): Promise<Deposit[]> {
  const rows = await db.rows<DepositRow>(
    `select ${DEPOSIT} from wallet_deposit d
     where ($1::uuid[] is null or payin_id = any ($1)) and (back_id is not null or earlier_ids <> '{}') order by payin_id`,
    [ids ?? null],
  );
  return rows.map(depositOf);
}

/** Returns a page of deposits sorted by id, starting after the id `behind`. `ids`: only these deposits. */
export async function depositsAfter(
  db: Statements,
  {
    behind,
    max,
    ids,
  }: { readonly behind: string | undefined; readonly max: number; readonly ids?: readonly string[] | undefined },
): Promise<Deposit[]> {
  const rows = await db.rows<DepositRow>(
    `select ${DEPOSIT} from wallet_deposit d
     where ($1::uuid is null or payin_id > $1) and ($3::uuid[] is null or payin_id = any ($3)) order by payin_id limit $2`,
    [behind ?? null, max, ids ?? null],
  );
  return rows.map(depositOf);
}

/** Returns all addresses at which holders pay into their wallets. */
export async function allAddresses(db: Statements): Promise<WalletAddress[]> {
  return (await db.rows<AddressRow>(`select ${ADDRESS} from wallet_receiving_address`)).map(addressOf);
}

/** A deposit with a debt. Holder and unit name the wallet that owes it. */
export type Debt = Pick<Deposit, 'payinId' | 'holderId' | 'unit'>;

/** Returns a page of deposits with a debt, oldest first, starting after the deposit `behind`. */
export async function debtsAfter(db: Statements, behind: string | undefined, limit: number): Promise<Debt[]> {
  return db.rows<Debt>(
    `select payin_id as "payinId", holder_id as "holderId", unit from wallet_deposit
     where owed > 0 and ($1::uuid is null or payin_id > $1) order by payin_id limit $2`,
    [behind ?? null, limit],
    { name: 'wallets.debts' },
  );
}

/** Returns a deposit by its payment's id; undefined if there is none. */
export async function depositById(db: Statements, id: string): Promise<Deposit | undefined> {
  const row = await db.row<DepositRow>(`select ${DEPOSIT} from wallet_deposit d where payin_id = $1`, [id]);
  return row && depositOf(row);
}

/** Returns deposits by the ids of their current or last refund. */
export async function depositsGivenBackBy(db: Statements, ids: readonly string[]): Promise<Deposit[]> {
  if (ids.length === 0) return [];
  return (await db.rows<DepositRow>(`select ${DEPOSIT} from wallet_deposit d where back_id = any ($1)`, [ids])).map(depositOf);
}

/** Locks deposits and returns them by the ids of their refunds. Earlier refunds that have not come back are included. */
export async function depositsByBack(tx: Tx, ids: readonly string[]): Promise<Deposit[]> {
  const rows = await tx.rows<DepositRow>(
    `select ${DEPOSIT} from wallet_deposit d
     where ${GIVEN_BACK_BY} order by payin_id for update`,
    [ids],
  );
  return rows.map(depositOf);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Returns the id of each owner's holder, by the owner's id. Owners are those of payments and payouts: receiving addresses,
 * withdrawals, refunds of deposits.
 */
export async function holdersOfOwners(db: Statements, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.rows<{ id: string; holder_id: string }>(
    `select id, holder_id from wallet_receiving_address where id = any ($1)
     union all select id, holder_id from wallet_withdrawal where id = any ($1)
     union all select back_id, holder_id from wallet_deposit where back_id = any ($1)`,
    [ids.filter((id) => UUID.test(id))],
    { name: 'wallets.owners' },
  );
  return new Map(rows.map(({ id, holder_id }) => [id, holder_id]));
}
