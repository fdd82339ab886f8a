import type { Statements, Tx } from '../../platform/index.ts';
import type { Calculation } from './calculation.ts';
import { fromExactJson, toExactJson } from '../order/store/exact-json.ts';

interface Row {
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
  bot_checked: boolean;
  held: string | null;
  order_id: string | null;
  ended_at: Date | null;
  wallet: NonNullable<Calculation['wallet']> | null;
  holder_id: string | null;
  loyalty: number | null;
  coupon: string | null;
  mailbox: string | null;
  reference: { affiliate: string; campaign: string; sub: string; at: string } | null;
}

const COLUMNS = `id, expires_at, from_currency, to_currency, amount, side, locale, device, ip, email, receive, refund,
  send_cost, ask_me, bot_checked, held::text, order_id, ended_at, wallet, holder_id, loyalty, coupon, reference, mailbox`;

/** A calculation by its id, and the time by the database's clock; undefined for none. */
export async function readCalculation(db: Statements, id: string): Promise<{ found: Calculation; now: Date } | undefined> {
  const row = await db.row<Row & { now: Date }>(`select ${COLUMNS}, clock_now() as now from calculation where id = $1`, [id], {
    name: 'exchange.calculation',
  });
  return row && { found: fromRow(row), now: row.now };
}

/** Calculations by their ids, locked until the transaction ends; none for an id that nothing has. */
export async function lockCalculations(tx: Tx, ids: readonly string[]): Promise<Map<string, Calculation>> {
  const rows = await tx.rows<Row>(
    `select ${COLUMNS} from calculation where id = any ($1::uuid[]) order by id for update`,
    [ids],
    {
      name: 'exchange.lock_calculations',
    },
  );
  return new Map(rows.map((row) => [row.id, fromRow(row)]));
}

/** Writes a new calculation, or all of a known one. */
export function saveCalculation(tx: Tx, calculation: Calculation): void {
  tx.write(
    `insert into calculation (id, created_at, expires_at, from_currency, to_currency, amount, side, locale, device, ip, email,
       receive, refund, ask_me, bot_checked, held, order_id, ended_at, send_cost, wallet, holder_id,
       loyalty, coupon, reference, mailbox)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25)
     on conflict (id) do update set expires_at = excluded.expires_at, from_currency = excluded.from_currency,
       to_currency = excluded.to_currency, amount = excluded.amount, side = excluded.side, locale = excluded.locale,
       device = excluded.device, ip = excluded.ip, email = excluded.email, receive = excluded.receive, refund = excluded.refund,
       ask_me = excluded.ask_me, bot_checked = excluded.bot_checked, held = excluded.held, order_id = excluded.order_id,
       ended_at = excluded.ended_at, send_cost = excluded.send_cost, wallet = excluded.wallet, holder_id = excluded.holder_id,
       loyalty = excluded.loyalty, coupon = excluded.coupon, reference = excluded.reference, mailbox = excluded.mailbox`,
    [
      calculation.id,
      tx.now,
      calculation.expiresAt,
      calculation.from,
      calculation.to,
      calculation.amount,
      calculation.side,
      calculation.locale,
      calculation.device ?? null,
      calculation.ip ?? null,
      calculation.email ?? null,
      calculation.receive ? JSON.stringify(calculation.receive) : null,
      calculation.refund ? JSON.stringify(calculation.refund) : null,
      calculation.askMe,
      calculation.botChecked,
      calculation.held ? toExactJson(calculation.held) : null,
      calculation.orderId ?? null,
      calculation.endedAt ?? null,
      calculation.sending ? JSON.stringify({ fuel: calculation.sending.fuel, parts: String(calculation.sending.parts) }) : null,
      calculation.wallet ?? null,
      calculation.holderId ?? null,
      calculation.loyalty ?? null,
      calculation.coupon ?? null,
      calculation.visit ? JSON.stringify(calculation.visit) : null,
      calculation.mailbox ?? null,
    ],
    { name: 'exchange.save_calculation' },
  );
}

/** Notes which orders calculations became. */
export function markUsed(tx: Tx, used: readonly { readonly id: string; readonly orderId: string }[]): void {
  tx.write(
    `update calculation set order_id = used.order_id from unnest($1::uuid[], $2::uuid[]) as used (id, order_id)
     where calculation.id = used.id`,
    [used.map(({ id }) => id), used.map(({ orderId }) => orderId)],
    { name: 'exchange.mark_used' },
  );
}

/** Forgets drafts that ended a day ago without an order; gives how many. */
export async function forgetCalculations(db: Statements, now: Date): Promise<number> {
  const dayAgo = new Date(now.getTime() - 24 * 3_600_000);
  return db.run('delete from calculation where order_id is null and expires_at < $1', [dayAgo]);
}

function fromRow(row: Row): Calculation {
  return {
    id: row.id,
    expiresAt: row.expires_at,
    from: row.from_currency,
    to: row.to_currency,
    amount: row.amount,
    side: row.side,
    locale: row.locale,
    askMe: row.ask_me,
    botChecked: row.bot_checked,
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
