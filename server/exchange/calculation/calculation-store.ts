import {
  type Statements,
  type Tx,
  alarmOnce,
  fromExactJson,
  idsOfAltered,
  isMac,
  macOf,
  steady,
  toExactJson,
} from '../../platform/index.ts';
import type { Calculation } from './calculation.ts';

interface CalculationRow {
  id: string;
  expires_at: Date;
  from_currency: string;
  to_currency: string;
  amount: string;
  side: 'give' | 'get';
  locale: 'en' | 'ru';
  device: string | null;
  ip: string | null;
  email: string | null;
  receive: Calculation['receive'] | null;
  refund: Calculation['refund'] | null;
  send_cost: { fuel: string; parts: string } | null;
  ask_me: boolean;
  is_bot_checked: boolean;
  held: string | null;
  order_id: string | null;
  ended_at: Date | null;
  wallet: NonNullable<Calculation['wallet']> | null;
  holder_id: string | null;
  loyalty: number | null;
  coupon: string | null;
  mailbox: string | null;
  reference: { affiliate: string; campaign: string; sub: string; at: string } | null;
  mac: string | null;
}

const COLUMNS = `id, expires_at, from_currency, to_currency, amount, side, locale, device, ip, email, receive, refund,
  send_cost, ask_me, is_bot_checked, held::text, order_id, ended_at, wallet, holder_id, loyalty, coupon, reference, mailbox, mac`;

/**
 * Returns the text that a calculation's MAC covers: all columns of its row, without the order's id, which another statement
 * writes. The row is not turned into a calculation for this, since a row changed outside the product may be malformed.
 */
function contentOf(row: CalculationRow): string {
  const held = row.held === null ? null : (JSON.parse(row.held) as unknown);
  return steady({ ...row, held, mac: undefined, order_id: undefined });
}

const isAsSaved = (row: CalculationRow): boolean => isMac('calculation', contentOf(row), row.mac);

const reportAltered = alarmOnce('a calculation’s row was changed outside the product: it can’t be placed');

/**
 * Returns the calculation of a row. If the row was changed outside the product, returns undefined and raises an alarm: such a
 * calculation is treated as missing.
 */
function believed(row: CalculationRow): Calculation | undefined {
  if (isAsSaved(row)) return fromRow(row);
  reportAltered(row.id, { calculationId: row.id });
  return undefined;
}

/** Returns a calculation by its id, with the time of the database's clock; undefined if there is none. */
export async function readCalculation(db: Statements, id: string): Promise<{ found: Calculation; now: Date } | undefined> {
  const read = await db.row<CalculationRow & { now: Date }>(
    `select ${COLUMNS}, clock_now() as now from calculation where id = $1`,
    [id],
    {
      name: 'exchange.calculation',
    },
  );
  if (!read) return undefined;
  const { now, ...row } = read;
  const found = believed(row);
  return found && { found, now };
}

/** Returns calculations by their ids, locked until the transaction ends. Unknown ids and altered rows are left out. */
export async function lockCalculations(tx: Tx, ids: readonly string[]): Promise<Map<string, Calculation>> {
  const rows = await tx.rows<CalculationRow>(
    `select ${COLUMNS} from calculation where id = any ($1::uuid[]) order by id for update`,
    [ids],
    {
      name: 'exchange.lock_calculations',
    },
  );
  return new Map(rows.map((row) => [row.id, believed(row)] as const).filter((one): one is [string, Calculation] => !!one[1]));
}

/** Inserts a calculation, or replaces all columns of a known one. */
export function saveCalculation(tx: Tx, calculation: Calculation): void {
  const row = toRow(calculation);
  tx.write(
    `insert into calculation (id, created_at, expires_at, from_currency, to_currency, amount, side, locale, device, ip, email,
       receive, refund, ask_me, is_bot_checked, held, order_id, ended_at, send_cost, wallet, holder_id,
       loyalty, coupon, reference, mailbox, mac)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26)
     on conflict (id) do update set expires_at = excluded.expires_at, from_currency = excluded.from_currency,
       to_currency = excluded.to_currency, amount = excluded.amount, side = excluded.side, locale = excluded.locale,
       device = excluded.device, ip = excluded.ip, email = excluded.email, receive = excluded.receive, refund = excluded.refund,
       ask_me = excluded.ask_me, is_bot_checked = excluded.is_bot_checked, held = excluded.held, order_id = excluded.order_id,
       ended_at = excluded.ended_at, send_cost = excluded.send_cost, wallet = excluded.wallet, holder_id = excluded.holder_id,
       loyalty = excluded.loyalty, coupon = excluded.coupon, reference = excluded.reference, mailbox = excluded.mailbox,
       mac = excluded.mac`,
    [
      ...[row.id, tx.now, row.expires_at, row.from_currency, row.to_currency, row.amount, row.side, row.locale, row.device],
      ...[row.ip, row.email, asJson(row.receive), asJson(row.refund), row.ask_me, row.is_bot_checked, row.held, row.order_id],
      ...[row.ended_at, asJson(row.send_cost), row.wallet, row.holder_id, row.loyalty, row.coupon, asJson(row.reference)],
      ...[row.mailbox, macOf('calculation', contentOf(row))],
    ],
    { name: 'exchange.save_calculation' },
  );
}

/** Stores, for each of these calculations, the id of the order that it became. */
export function markUsed(tx: Tx, used: readonly { readonly id: string; readonly orderId: string }[]): void {
  tx.write(
    `update calculation set order_id = used.order_id from unnest($1::uuid[], $2::uuid[]) as used (id, order_id)
     where calculation.id = used.id`,
    [used.map(({ id }) => id), used.map(({ orderId }) => orderId)],
    { name: 'exchange.mark_used' },
  );
}

/** Returns the ids of calculations without an order whose rows were changed outside the product, for the proof of the books. */
export const alteredCalculations = (db: Statements): Promise<string[]> =>
  idsOfAltered(
    (behind, max) =>
      db.rows<CalculationRow>(
        `select ${COLUMNS} from calculation where order_id is null and ($1::uuid is null or id > $1) order by id limit $2`,
        [behind ?? null, max],
      ),
    isAsSaved,
  );

/** Deletes calculations that expired a day ago and became no order. Returns the number of deleted rows. */
export async function forgetCalculations(db: Statements, now: Date): Promise<number> {
  const dayAgo = new Date(now.getTime() - 24 * 3_600_000);
  return db.run('delete from calculation where order_id is null and expires_at < $1', [dayAgo]);
}

/** Returns a value as JSON text for a column; null stays null. */
const asJson = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

/** Returns a value in the form in which a JSON column returns it; null for undefined. */
const asRead = <T>(value: T | undefined): T | null => (value === undefined ? null : (JSON.parse(JSON.stringify(value)) as T));

/** Returns the row of a calculation in the form in which the database returns it. */
function toRow(one: Calculation): CalculationRow {
  return {
    ...{
      id: one.id,
      expires_at: one.expiresAt,
      from_currency: one.from,
      to_currency: one.to,
      amount: one.amount,
      side: one.side,
    },
    ...{ locale: one.locale, device: one.device ?? null, ip: one.ip ?? null, email: one.email ?? null },
    ...{ receive: asRead(one.receive), refund: asRead(one.refund), ask_me: one.askMe, is_bot_checked: one.isBotChecked },
    send_cost: one.sending ? { fuel: one.sending.fuel, parts: String(one.sending.parts) } : null,
    ...{ held: one.held ? toExactJson(one.held) : null, order_id: one.orderId ?? null, ended_at: one.endedAt ?? null },
    ...{ wallet: one.wallet ?? null, holder_id: one.holderId ?? null, loyalty: one.loyalty ?? null, coupon: one.coupon ?? null },
    ...{
      mailbox: one.mailbox ?? null,
      reference: one.visit ? { ...one.visit, at: one.visit.at.toISOString() } : null,
      mac: null,
    },
  };
}

function fromRow(row: CalculationRow): Calculation {
  return {
    id: row.id,
    expiresAt: row.expires_at,
    from: row.from_currency,
    to: row.to_currency,
    amount: row.amount,
    side: row.side,
    locale: row.locale,
    askMe: row.ask_me,
    isBotChecked: row.is_bot_checked,
    ...(row.device !== null && { device: row.device }),
    ...(row.ip !== null && { ip: row.ip }),
    ...(row.email !== null && { email: row.email }),
    ...(row.receive && { receive: row.receive }),
    ...(row.refund && { refund: row.refund }),
    ...(row.send_cost && { sending: { fuel: row.send_cost.fuel, parts: BigInt(row.send_cost.parts) } }),
    ...(row.held !== null && { held: fromExactJson<NonNullable<Calculation['held']>>(row.held) }),
    ...(row.order_id !== null && { orderId: row.order_id }),
    ...(row.wallet !== null && { wallet: row.wallet }),
    ...(row.holder_id !== null && { holderId: row.holder_id }),
    ...(row.loyalty !== null && { loyalty: row.loyalty }),
    ...(row.coupon !== null && { coupon: row.coupon }),
    ...(row.mailbox !== null && { mailbox: row.mailbox }),
    ...(row.reference && { visit: { ...row.reference, at: new Date(row.reference.at) } }),
    ...(row.ended_at !== null && { endedAt: row.ended_at }),
  };
}
