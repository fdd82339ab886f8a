import { createHash } from 'node:crypto';
import { type Db, type Sealer, type Statements, type Tx, Unopened, isDuplicate, log, newId, wake } from '../../platform/index.ts';
import type { Entry, Fields, Payin, Rail, Redeemed } from '../../rails/rail.ts';
import { type PaymentsDeps, within } from '../rails/deps.ts';
import type { Owner } from '../rails/owner.ts';
import { reportWays } from '../payins/prepare-payins.ts';
import { isUp } from '../rails/rail-state.ts';

/** Maximum number of entries per payment reference. This limit makes it hard to guess voucher numbers. */
const MAX_ENTRIES = 5;
/**
 * Seconds after which an entry is in doubt if its use has begun and not ended. Polls of its address then show whether the voucher
 * was taken.
 */
const USE_SECONDS = 60;
/** Minutes after which an entry without a clear answer is treated as not taken, if no poll has found a payment from it. */
const UNCLEAR_MINUTES = 60;
/**
 * Minutes for which a rail must have been up before an entry is released. In this time each live address is polled at least once.
 */
const POLLED_MINUTES = 30;

/**
 * Result of a customer's entry. `used`: the voucher was entered before, for this order or another. `no_place`: the order has no
 * receiving address.
 */
export type Entered = 'stored' | 'used' | 'too_many' | 'no_place';

/**
 * Stores a customer's entry (a voucher's number and code) for their order's address, encrypted. A loop then uses the entry at
 * once. Only stored entries are used, so a taken voucher's payment is found even after a crash.
 */
export async function enterVoucher(tx: Tx, sealer: Sealer, owner: Owner, fields: Fields): Promise<Entered> {
  const address = await tx.row<{ rail: string; number: string; entries: string }>(
    `select rail, number, (select count(*) from payin_entry e where (e.rail, e.number) = (receiving_address.rail, receiving_address.number)) as entries
     from receiving_address where owner_id = $2 and owner_kind = $1 order by number limit 1 for update`,
    [owner.kind, owner.id],
  );
  if (!address) return 'no_place';
  if (Number.parseInt(address.entries, 10) >= MAX_ENTRIES) return 'too_many';
  const digest = createHash('sha256').update(canonical(fields)).digest();
  const known = await tx.row(`select from payin_entry where rail = $1 and digest = $2 and status <> 'refused'`, [
    address.rail,
    digest,
  ]);
  if (known) return 'used';
  const row = { id: newId(), rail: address.rail, number: address.number };
  await tx.run(
    `insert into payin_entry (id, rail, number, digest, fields, status, at, due_at) values ($1, $2, $3, $4, $5, 'stored', $6, $6)`,
    [row.id, row.rail, row.number, digest, sealer.seal(Buffer.from(canonical(fields)), sealedTo(row)), tx.now],
  );
  tx.afterCommit(() => wake('payments'));
  return 'stored';
}

/** True if a database error means that two callers entered the same voucher at once. */
export const isEnteredTwice = (error: unknown): boolean => isDuplicate(error, 'payin_entry_digest');

const canonical = (fields: Fields): string =>
  JSON.stringify(Object.fromEntries(Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1))));

interface EntryRow {
  id: string;
  rail: string;
  number: string;
  fields: Buffer;
  status: string;
  currency: string;
  to_text: string;
  owner_kind: Owner['kind'];
  owner_id: string;
}

/**
 * Uses each due entry of a rail once, and publishes the results. Returns the number of due entries. An entry without a clear
 * answer is never used again. Polls of its address show whether the voucher was taken.
 */
export async function redeemRail(deps: PaymentsDeps, rail: Rail): Promise<number> {
  const { payin } = rail;
  if (!payin?.redeem || !(await isUp(deps.db, rail.id))) return 0;
  await release(deps.db, rail.id);
  const claimed = await claim(deps.db, rail.id);
  for (const row of claimed) {
    const entry = row.status === 'stored' ? entryOf(deps.sealer, row) : undefined;
    await record(deps.db, rail.id, row, entry ? await use(deps, rail, payin, entry) : IN_DOUBT);
  }
  return claimed.length;
}

const IN_DOUBT: Redeemed = { outcome: 'unknown', detail: 'begun before and not finished, or altered' };

/**
 * Releases entries without a clear answer if no poll has found their payment for an hour. Their vouchers were not taken, and may
 * be entered again; a voucher can be taken only once in any case. Does not release an entry while its rail is down or was down
 * lately, or while its address's poll is overdue. Then the hour proves nothing.
 */
async function release(db: Db, rail: string): Promise<void> {
  await db.run(
    `update payin_entry e set status = 'refused', reason = 'found nowhere'
     where rail = $1 and status = 'unknown' and at < clock_now() - $2 * interval '1 minute'
       and not exists (select from payin p where (p.rail, p.number) = (e.rail, e.number) and greatest(p.seen_at, p.final_at) >= e.at)
       and exists (select from rail_state s join receiving_address l using (rail)
                   where s.rail = e.rail and s.up and s.since < clock_now() - $3 * interval '1 minute'
                     and l.number = e.number and l.due_at > clock_now())`,
    [rail, UNCLEAR_MINUTES, POLLED_MINUTES],
    { name: 'payments.release_entries' },
  );
}

/** Claims due entries: marks them as in use before the provider is called. Returns them with their earlier status. */
async function claim(db: Db, rail: string): Promise<EntryRow[]> {
  return db.tx(async (tx) => {
    const rows = await tx.rows<EntryRow>(
      `select e.id, e.rail, e.number, e.fields, e.status, currency, to_text, owner_kind, owner_id
       from payin_entry e join receiving_address using (rail, number)
       where rail = $1 and e.due_at <= $2 order by e.due_at limit 16 for update of e skip locked`,
      [rail, tx.now],
    );
    await tx.run(
      `update payin_entry set status = 'using', due_at = $2::timestamptz + $3 * interval '1 second' where id = any ($1)`,
      [rows.map(({ id }) => id), tx.now, USE_SECONDS],
    );
    return rows;
  });
}

async function use(deps: PaymentsDeps, rail: Rail, payin: Payin, entry: Entry): Promise<Redeemed> {
  try {
    return await within(deps.callMs, `${rail.id} redeem`, async () => (await payin.redeem?.(entry)) ?? IN_DOUBT);
  } catch (error) {
    return { outcome: 'unknown', detail: error instanceof Error ? error.message : String(error) };
  }
}

async function record(db: Db, rail: string, row: EntryRow, redeemed: Redeemed): Promise<void> {
  const detail = redeemed.outcome === 'redeemed' ? null : redeemed.detail;
  if (redeemed.outcome === 'unknown')
    log.alarm('it is unclear whether an entered voucher was taken', { rail, entry: row.id, detail });
  const owner = { kind: row.owner_kind, id: row.owner_id };
  await db.tx(async (tx) => {
    await tx.run(`update payin_entry set status = $2, reason = $3, due_at = null where id = $1`, [
      row.id,
      redeemed.outcome,
      detail,
    ]);
    if (redeemed.outcome === 'refused') return reportWays(tx, [{ owner, event: 'entry_refused', reason: redeemed.reason }]);
    await tx.run(`update receiving_address set due_at = $3, is_requested = true where rail = $1 and number = $2`, [
      rail,
      row.number,
      tx.now,
    ]);
    tx.afterCommit(() => wake('payments'));
    return reportWays(tx, [{ owner, event: 'entry_taken' }]);
  });
}

/** Context of an entry's encryption. If the entry is copied to another row or payment reference, it can't be decrypted there. */
const sealedTo = ({ id, rail, number }: Pick<EntryRow, 'id' | 'rail' | 'number'>): string[] => ['payin_entry', id, rail, number];

/** Returns an entry as its customer entered it; undefined, with an alarm, if its row was changed by SQL. */
function entryOf(sealer: Sealer, row: EntryRow): Entry | undefined {
  try {
    const fields = JSON.parse(sealer.open(row.fields, sealedTo(row)).toString('utf8')) as Fields;
    return { id: row.id, currency: row.currency, to: row.to_text, fields };
  } catch (error) {
    if (!(error instanceof Unopened)) throw error;
    log.alarm('an entered voucher can’t be opened: was its row changed, or is a key of the server missing?', {
      rail: row.rail,
      entry: row.id,
    });
    return undefined;
  }
}

/** Returns entries that were used, or may have been, by the number of their receiving address. */
export async function usedEntries(
  { db, sealer }: { readonly db: Statements; readonly sealer: Sealer },
  rail: string,
  addresses: readonly { readonly number: number }[],
): Promise<Map<number, Entry[]>> {
  const rows = await db.rows<EntryRow>(
    `select e.id, e.rail, e.number, e.fields, e.status, currency, to_text from payin_entry e join receiving_address using (rail, number)
     where rail = $1 and e.number = any ($2) and e.status in ('using', 'redeemed', 'unknown') order by e.id`,
    [rail, addresses.map(({ number }) => number)],
  );
  const found = new Map<number, Entry[]>();
  for (const row of rows) {
    const number = Number.parseInt(row.number, 10);
    const entry = entryOf(sealer, row);
    if (entry) found.set(number, [...(found.get(number) ?? []), entry]);
  }
  return found;
}
