import { type Statements, type Tx, countSome, isMac, macOf } from '../../platform/index.ts';
import { payoutColumn, payoutConfirmations, undeliveredOwners } from '../../payments/index.ts';
import { type ShownStatus, payoutsShownAs } from './shown-status.ts';
import { CAME_TO_NOTHING, type Withdrawal } from './withdrawal.ts';

/** SQL: status of a withdrawal's payout. */
export const PAYOUT = payoutColumn('status', 'wallet_withdrawal.id');
/** SQL: current confirmations of a withdrawal, as its rail shows them. */
export const CONFIRMATIONS = `coalesce(${payoutConfirmations('wallet_withdrawal.id', 'wallet_withdrawal.needed')}, confirmations)`;
/** SQL: time of a withdrawal's last status change (the payout's while paying). */
export const STATUS_AT = `case status when 'paying' then greatest(status_at, ${payoutColumn('status_at', 'wallet_withdrawal.id')}) else status_at end`;
/** SQL: true if a withdrawal was sent and has not come back. */
export const IS_AWAY = `(status = 'done' or status = 'paying' and ${PAYOUT} in ('sent', 'final'))`;

const COLUMNS = `id, holder_id as "holderId", source, unit, rail, currency, to_fields as "to", to_key as "key", parts, fee, usd, status,
  ${PAYOUT} as payout, people, approved, txid, ${CONFIRMATIONS} as confirmations, needed, reason, decided_by as "decidedBy", requested_at as "requestedAt",
  ${STATUS_AT} as "statusAt"`;

type Maybe = 'payout' | 'txid' | 'confirmations' | 'needed' | 'reason' | 'decidedBy';
type WithdrawalRow = Omit<Withdrawal, 'parts' | 'fee' | 'usd' | Maybe> &
  Record<'parts' | 'fee' | 'usd', string> & { [K in Maybe]: Withdrawal[K] | null };

const withdrawalOf = (row: WithdrawalRow): Withdrawal => ({
  ...row,
  parts: BigInt(row.parts),
  fee: BigInt(row.fee),
  usd: BigInt(row.usd),
  payout: row.payout ?? undefined,
  txid: row.txid ?? undefined,
  confirmations: row.confirmations ?? undefined,
  needed: row.needed ?? undefined,
  reason: row.reason ?? undefined,
  decidedBy: row.decidedBy ?? undefined,
});

const contentOf = ({ id, holderId, source, unit, currency, to, key, parts, fee }: Withdrawal): string =>
  JSON.stringify([id, holderId, source, unit, currency, Object.entries(to).toSorted(), key, `${parts}`, `${fee}`]);

/** Returns the ids of those withdrawals whose source, target or sums were changed by SQL after the holder confirmed them. */
export async function alteredAmong(db: Statements, withdrawals: readonly Withdrawal[]): Promise<ReadonlySet<string>> {
  const rows = await db.rows<{ id: string; mac: string | null }>('select id, mac from wallet_withdrawal where id = any ($1)', [
    withdrawals.map(({ id }) => id),
  ]);
  const macs = new Map(rows.map(({ id, mac }) => [id, mac]));
  return new Set(withdrawals.filter((one) => !isMac('withdrawal', contentOf(one), macs.get(one.id) ?? null)).map(({ id }) => id));
}

export async function addWithdrawal(tx: Tx, one: Withdrawal): Promise<void> {
  const { id, holderId, source, unit, rail, currency, to, key, parts, fee, usd, status, people, requestedAt } = one;
  await tx.run(
    `insert into wallet_withdrawal (id, holder_id, unit, rail, currency, to_fields, to_key, parts, fee, usd, status, people,
       requested_at, status_at, source, mac)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13, $14, $15)`,
    [
      ...[id, holderId, unit, rail, currency, JSON.stringify(to), key, parts.toString(), fee.toString(), usd.toString()],
      ...[status, people, requestedAt, source, macOf('withdrawal', contentOf(one))],
    ],
    { name: 'wallets.add_withdrawal' },
  );
}

/** Locks withdrawals by their ids, and returns those that exist. */
export async function lockWithdrawals(tx: Tx, ids: readonly string[]): Promise<Map<string, Withdrawal>> {
  const rows = await tx.rows<WithdrawalRow>(
    `select ${COLUMNS} from wallet_withdrawal where id = any($1) order by id for update`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, withdrawalOf(row)]));
}

/** Returns withdrawals by their ids. */
export async function withdrawalsById(db: Statements, ids: readonly string[]): Promise<Withdrawal[]> {
  const rows = await db.rows<WithdrawalRow>(`select ${COLUMNS} from wallet_withdrawal where id = any($1)`, [ids], {
    name: 'wallets.withdrawals',
  });
  return rows.map(withdrawalOf);
}

/** Locks and returns a holder's withdrawals that have not ended. `from`: only those of one source and unit. */
export async function lockOpen(tx: Tx, holderId: string, from?: Pick<Withdrawal, 'unit' | 'source'>): Promise<Withdrawal[]> {
  const rows = await tx.rows<WithdrawalRow>(
    `select ${COLUMNS} from wallet_withdrawal where holder_id = $1 and status in ('approving', 'paying')
       and ($2::text is null or (unit = $2 and source = $3)) order by id for update`,
    [holderId, from?.unit ?? null, from?.source ?? null],
  );
  return rows.map(withdrawalOf);
}

/** Returns the ids of withdrawals of the last day that need no approval and are being paid or done. */
export async function leftAlone(db: Statements): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(
    `select id from wallet_withdrawal where people = 0 and approved = 0 and status in ('paying', 'done')
       and requested_at > clock_now() - interval '1 day'`,
  );
  return rows.map(({ id }) => id);
}

/** Stores the changed fields of withdrawals. */
export async function saveWithdrawals(tx: Tx, changed: readonly Withdrawal[]): Promise<void> {
  const column = <T>(of: (one: Withdrawal) => T): T[] => changed.map(of);
  await tx.run(
    `update wallet_withdrawal w set status = given.status, txid = given.txid, confirmations = given.confirmations,
       needed = given.needed, reason = given.reason, decided_by = given.decided_by, status_at = given.status_at,
       people = given.people, approved = given.approved
     from unnest($1::uuid[], $2::text[], $3::text[], $4::int[], $5::int[], $6::text[], $7::text[], $8::timestamptz[], $9::int[], $10::int[])
       as given (id, status, txid, confirmations, needed, reason, decided_by, status_at, people, approved)
     where w.id = given.id`,
    [
      column(({ id }) => id),
      column(({ status }) => status),
      column(({ txid }) => txid ?? null),
      column(({ confirmations }) => confirmations ?? null),
      column(({ needed }) => needed ?? null),
      column(({ reason }) => reason ?? null),
      column(({ decidedBy }) => decidedBy ?? null),
      column(({ statusAt }) => statusAt),
      column(({ people }) => people),
      column(({ approved }) => approved),
    ],
  );
}

/** Returns a withdrawal by its id. */
export async function withdrawalById(db: Statements, id: string): Promise<Withdrawal | undefined> {
  const row = await db.row<WithdrawalRow>(`select ${COLUMNS} from wallet_withdrawal where id = $1`, [id]);
  return row && withdrawalOf(row);
}

/** Returns those of the withdrawals with these ids that belong to the holder. */
export async function withdrawalsAmong(db: Statements, holderId: string, ids: readonly string[]): Promise<Withdrawal[]> {
  const rows = await db.rows<WithdrawalRow>(`select ${COLUMNS} from wallet_withdrawal where holder_id = $1 and id = any($2)`, [
    holderId,
    ids,
  ]);
  return rows.map(withdrawalOf);
}

/**
 * Returns the number of a holder's withdrawals to an account that were sent and have not come back, and the time of the last one.
 */
export async function sentTo(
  db: Statements,
  holderId: string,
  { currency, key }: { readonly currency: string; readonly key: string },
): Promise<{ times: number; last: Date | undefined }> {
  const row = await db.row<{ times: number; last: Date | null }>(
    `select count(*)::int as times, max(requested_at) as last from wallet_withdrawal
     where holder_id = $1 and currency = $2 and to_key = $3 and ${IS_AWAY}`,
    [holderId, currency, key],
  );
  return { times: row?.times ?? 0, last: row?.last ?? undefined };
}

export interface WithdrawalFilter {
  readonly status?: readonly ShownStatus[] | undefined;
  readonly currency?: readonly string[] | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly q?: string | undefined;
}

const FILTER = `holder_id = $1 and ($2::text[] is null or status = any($2) or status = 'paying' and ${PAYOUT} = any($7)) and ($3::text[] is null or unit = any($3))
  and ($4::date is null or requested_at >= $4::date) and ($5::date is null or requested_at < $5::date + 1)
  and ($6::text is null or id::text = lower($6) or txid ilike '%' || $6 || '%' or to_key ilike '%' || $6 || '%')`;

/** Returns a page of a holder's withdrawals, newest first, and their total number. */
export async function withdrawalsOf(
  db: Statements,
  holderId: string,
  { status, currency, from, to, q }: WithdrawalFilter,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<{ rows: Withdrawal[]; total: number }> {
  const word = q?.trim().replaceAll(/[\\%_]/g, '\\$&');
  const given = [
    holderId,
    status?.length ? status : null,
    currency?.length ? currency : null,
    from ?? null,
    to ?? null,
    word || null,
    payoutsShownAs(status ?? []),
  ];
  const rows = await db.rows<WithdrawalRow>(
    `select ${COLUMNS} from wallet_withdrawal where ${FILTER} order by requested_at desc, id desc offset $8 limit $9`,
    [...given, offset, limit],
  );
  const count = await db.row<{ total: number }>(countSome(`select from wallet_withdrawal where ${FILTER}`), given);
  return { rows: rows.map(withdrawalOf), total: count?.total ?? 0 };
}

/** Returns withdrawals that wait for a person, oldest first. */
export async function waitingWithdrawals(db: Statements, limit: number): Promise<Withdrawal[]> {
  const rows = await db.rows<WithdrawalRow>(
    `select ${COLUMNS} from wallet_withdrawal where status = 'approving' or status = 'paying' and ${PAYOUT} = 'in_doubt' order by requested_at limit $1`,
    [limit],
  );
  return rows.map(withdrawalOf);
}

/** Returns withdrawals that have not ended. */
export async function openWithdrawals(db: Statements): Promise<Withdrawal[]> {
  const rows = await db.rows<WithdrawalRow>(
    `select ${COLUMNS} from wallet_withdrawal where status in ('approving', 'paying') order by id`,
  );
  return rows.map(withdrawalOf);
}

/** Returns true if a holder has a withdrawal that has not ended. */
export async function hasOpenWithdrawal(db: Statements, holderId: string): Promise<boolean> {
  const row = await db.row(`select from wallet_withdrawal where holder_id = $1 and status in ('approving', 'paying') limit 1`, [
    holderId,
  ]);
  return row !== undefined;
}

/** Returns the ids of a holder's withdrawals in some currencies that were sent and did not come back. */
export async function withdrawnAs(db: Statements, holderId: string, currencies: readonly string[]): Promise<string[]> {
  if (currencies.length === 0) return [];
  const rows = await db.rows<{ id: string }>(
    `select id from wallet_withdrawal where holder_id = $1 and ${IS_AWAY} and currency = any ($2)`,
    [holderId, currencies],
  );
  return rows.map(({ id }) => id);
}

/** A holder, and the accounts to check, each as `<currency>:<key of the account>`. */
interface AccountsRequest {
  readonly holderId: string;
  readonly accounts: readonly string[];
}

/** Returns true for each request whose holder has ever requested a withdrawal to one of its accounts. */
export async function haveWithdrawnTo(db: Statements, requests: readonly AccountsRequest[]): Promise<boolean[]> {
  const pairs = requests.flatMap(({ holderId, accounts }) => accounts.map((account) => [holderId, account] as const));
  if (pairs.length === 0) return requests.map(() => false);
  const rows = await db.rows<{ holder: string; account: string }>(
    `select distinct holder_id as holder, currency || ':' || to_key as account from wallet_withdrawal
     where holder_id = any ($1) and currency || ':' || to_key = any ($2)`,
    [[...new Set(pairs.map(([holder]) => holder))], [...new Set(pairs.map(([, account]) => account))]],
    { name: 'wallets.withdrawn_to' },
  );
  const known = new Set(rows.map(({ holder, account }) => `${holder} ${account}`));
  return requests.map(({ holderId, accounts }) => accounts.some((account) => known.has(`${holderId} ${account}`)));
}

/** Returns the rewards that each affiliate has withdrawn, by holder. Withdrawals that were not sent or came back are left out. */
export async function withdrawnByAffiliates(db: Statements): Promise<Map<string, bigint>> {
  const rows = await db.rows<{ holder: string; parts: string }>(
    `select holder_id as holder, sum(case when status = 'returned' then fee when status = any ($1) then 0 else parts + fee end) as parts
     from wallet_withdrawal where source = 'affiliate' group by 1`,
    [[...CAME_TO_NOTHING]],
  );
  return new Map(rows.map(({ holder, parts }) => [holder, BigInt(parts)]));
}

/** Returns the holder ids of affiliates with a withdrawal of rewards that waits for people. */
export async function waitingOfAffiliates(db: Statements): Promise<Set<string>> {
  const rows = await db.rows<{ holder: string }>(
    `select distinct holder_id as holder from wallet_withdrawal where source = 'affiliate' and status = 'approving'`,
  );
  return new Set(rows.map(({ holder }) => holder));
}

/**
 * Returns the ids of affiliates whose withdrawals of rewards are behind: payments has published an event about the payout, and the
 * withdrawal's row doesn't reflect it yet.
 */
export async function undeliveredWithdrawals(db: Statements): Promise<Set<string>> {
  const rows = await db.rows<{ holder: string }>(
    `select holder_id as holder from wallet_withdrawal where source = 'affiliate' and id = any ($1)`,
    [[...(await undeliveredOwners(db, 'wallet'))]],
  );
  return new Set(rows.map(({ holder }) => holder));
}
