// Restored mode: the database may be an older copy that lacks payments and sends. Nothing leaves until two people end the mode.

import { type Statements, type Tx, isMac, log, macOf, newId, steady } from '../../platform/index.ts';

/** Evidence that the database may be an older copy. */
export interface RestoreCause {
  /**
   * Source of the evidence. `keys`: the keys were restored by `npm run keys -- restore` · `books`, `audit`: a record outside the
   * database has a newer seal of the ledger or of the audit than the database · `journal`: the signer has signed a send that the
   * database doesn't know.
   */
  readonly found: 'keys' | 'books' | 'audit' | 'journal';
  /** One sentence about the evidence, with figures. */
  readonly detail: string;
  /** Id of the mark that restoring the keys has left beside them. */
  readonly mark?: string;
}

/** One stay in restored mode, and its end. */
export interface Restore {
  readonly id: string;
  readonly at: Date;
  readonly why: readonly RestoreCause[];
  readonly endedAt: Date | null;
  readonly endedBy: readonly string[] | null;
}

interface RestoreRow extends Restore {
  readonly mac: string | null;
}

/** Text of the alarm in the log. The stored alarm lasts until two people end the mode. */
export const RESTORED_ALARM = 'the database may be older than what has happened: nothing is paid out';

/** Number of receiving addresses that a restore skips, so that addresses handed out after the backup are not handed out again. */
export const NUMBERS_PASSED_OVER = 10_000;
/** Number of change addresses that a restore skips. Payouts after the backup may have left coins at these. */
const CHANGE_AHEAD = 100;

const ROWS = `select id, at, why, ended_at as "endedAt", ended_by as "endedBy", mac from restored order by at, id`;

const contentOf = ({ id, at, why, endedAt, endedBy }: Restore): string => steady([id, at, why, endedAt, endedBy]);

const isAsWritten = (row: RestoreRow): boolean => isMac('restored', contentOf(row), row.mac);

/** Returns every restore, oldest first. If SQL altered a restore's row, the restore counts as not ended. */
async function restores(db: Statements): Promise<Restore[]> {
  const rows = await db.rows<RestoreRow>(ROWS, [], { name: 'payments.restores' });
  return rows.map((row) => {
    const { mac: _, ...restore } = row;
    return isAsWritten(row) ? restore : { ...restore, endedAt: null, endedBy: null };
  });
}

/** Returns ids of restores whose rows were altered. */
export async function alteredRestores(db: Statements): Promise<string[]> {
  return (await db.rows<RestoreRow>(ROWS)).filter((row) => !isAsWritten(row)).map(({ id }) => id);
}

/** Returns the restore that nobody has ended; undefined if there is none. */
export async function openRestore(db: Statements): Promise<Restore | undefined> {
  return (await restores(db)).find(({ endedAt }) => endedAt === null);
}

/** Returns the last ended restore. Returns undefined if there is none, or if another restore is open. */
export async function endedRestore(db: Statements): Promise<Restore | undefined> {
  const all = await restores(db);
  return all.some(({ endedAt }) => endedAt === null) ? undefined : all.at(-1);
}

/** Returns when the database was last found to be an older copy; undefined if it never was. */
export async function lastRestoredAt(db: Statements): Promise<Date | undefined> {
  return (await restores(db)).at(-1)?.at;
}

/** True if a restore, open or ended, was entered because of the mark with this id. */
export async function knowsMark(db: Statements, id: string): Promise<boolean> {
  return (await restores(db)).some(({ why }) => why.some(({ mark }) => mark === id));
}

/**
 * Returns the number of receiving addresses that all restores together have skipped. A rail that is added later must skip the
 * same number.
 */
export async function numbersPassedOver(db: Statements): Promise<number> {
  return (await restores(db)).length * NUMBERS_PASSED_OVER;
}

/**
 * Enters restored mode, or adds evidence if the mode is entered already. Returns true if the mode was entered now. The same
 * transaction skips numbers of receiving addresses, including addresses that are free here: the newer database may have handed
 * them out. Raises an alarm.
 */
export async function enterRestored(tx: Tx, causes: readonly RestoreCause[]): Promise<boolean> {
  await tx.row(`select pg_advisory_xact_lock(hashtext('payments.restored'))`);
  const open = await openRestore(tx);
  if (open) {
    const news = causes.filter((cause) => !open.why.some((one) => steady(one) === steady(cause)));
    if (news.length > 0) await save(tx, { ...open, why: [...open.why, ...news] });
    return false;
  }
  await save(tx, { id: newId(), at: tx.now, why: causes, endedAt: null, endedBy: null });
  await passOverAddresses(tx);
  const reasons = causes.map(({ detail }) => detail).join(' ');
  tx.afterCommit(() => log.alarm(RESTORED_ALARM, { reason: reasons }));
  return true;
}

/** Ends restored mode, as two people have decided. Returns the ended restore; undefined if none is open. */
export async function endRestored(tx: Tx, by: readonly string[]): Promise<Restore | undefined> {
  await tx.row(`select pg_advisory_xact_lock(hashtext('payments.restored'))`);
  const open = await openRestore(tx);
  if (!open) return undefined;
  const ended = { ...open, endedAt: tx.now, endedBy: by };
  await save(tx, ended);
  return ended;
}

async function save(tx: Tx, restore: Restore): Promise<void> {
  const { id, at, why, endedAt, endedBy } = restore;
  await tx.run(
    `insert into restored (id, at, why, ended_at, ended_by, mac) values ($1, $2, $3, $4, $5, $6)
     on conflict (id) do update set why = excluded.why, ended_at = excluded.ended_at, ended_by = excluded.ended_by, mac = excluded.mac`,
    [id, at, JSON.stringify(why), endedAt, endedBy, macOf('restored', contentOf(restore))],
  );
}

async function passOverAddresses(tx: Tx): Promise<void> {
  await tx.run('update receiving_address_counter set next_number = next_number + $1', [NUMBERS_PASSED_OVER]);
  await tx.run(
    `update receiving_address set owner_kind = 'desk', owner_id = 'restored', customer = 'desk', taken_at = $1 where owner_id is null`,
    [tx.now],
  );
  await tx.run('update rail_wallet set change_index = change_index + $1', [CHANGE_AHEAD]);
}
