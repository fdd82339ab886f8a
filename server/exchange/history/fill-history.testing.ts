// Fills the database with a long history of completed orders, by a few statements. Each row is a copy of a sample row that the
// product has written, with ids, times, numbers, accounts and transactions of its own.
//
// The copies have no journals, and of the copied rows only orders have correct MACs. So the proof of the books passes, but a
// proof that starts from the rows reports each copy. No copy is due, open or polled, except for addresses with `isPolled`.

import { writeHolderMacs } from '../../auth/testing.ts';
import type { Db, Tx } from '../../platform/index.ts';
import { ORDER_STATES } from '../order/order.ts';
import { orderMac } from '../order/store/order-mac.ts';
import { readOrdersIn } from '../order/store/order-store.ts';
import { inBulk } from './in-bulk.testing.ts';

interface HistoryOptions {
  /**
   * Number of completed orders, each with a pay-in and its address, a payout with its attempt and fee, and ten events. 300 000 by
   * default.
   */
  readonly orders?: number;
  /**
   * Number of the completed orders that belong to one account holder, spread over all days. The holder also gets as many
   * deposits. By default 20 000.
   */
  readonly ofHolder?: number;
  /** E-mail address of the account holder with the long history. An account is created if none has the address. */
  readonly email?: string;
  /** Number of days over which the orders are spread, ending yesterday. 366 by default. */
  readonly days?: number;
  /** True if the receiving addresses of the last 90 days are still polled, as in a running product. */
  readonly isPolled?: boolean;
}

/** The account holder with the long history. */
interface History {
  readonly holderId: string;
  readonly email: string;
}

/** First number of the copied receiving addresses: far above all numbers in use. */
const FIRST_PLACE = 1_000_000_000;
const EVENTS = 10;
/** Time limit of the transaction, in ms. It takes a minute on a quiet machine, and much longer on a busy one. */
const BUDGET_MS = 1_800_000;
/** Number of different customers of the copied orders. */
const CUSTOMERS = 60_000;

/**
 * Column name → SQL expression for its value in a copy. The SQL may use `s` (the sample row) and `h` (the row of the temporary
 * table `history`, one for each copied order).
 */
type Changes = Readonly<Record<string, string>>;

/**
 * Fills the history, and updates PostgreSQL's planner statistics. Needs a database superuser, and at least one completed order,
 * whose rows serve as samples; throws if there is none. `db` needs a `budget` of some minutes.
 */
export async function fillHistory(db: Db, options: HistoryOptions = {}): Promise<History> {
  const { orders = 300_000, ofHolder = 20_000, email = 'history@example.org', days = 366, isPolled = false } = options;
  const samples = await db.rows<{ id: string }>(SAMPLES);
  if (samples.length === 0) throw new Error('the history is made of copies: complete an order first');
  const holder = await db.row<{ id: string }>(HOLDER, [email]);
  const holderId = holder?.id ?? '';
  await writeHolderMacs(db);
  const every = Math.max(1, Math.floor(orders / Math.max(1, ofHolder)));
  await db.tx(
    async (tx) => {
      await tx.run(
        'create temporary table sample on commit drop as select * from unnest($1::uuid[]) with ordinality as s (id, at)',
        [samples.map(({ id }) => id)],
      );
      await tx.run(LINES, [orders, every, ofHolder, email, holderId, days]);
      await tx.run('analyze history');
      // All sample rows are read before the first copy is written, while the indexes still exist.
      for (const [at, copy] of COPIES.entries())
        await tx.run(`create temporary table copied_${at} on commit drop as ${copy.samples}`);
      await inBulk(tx, BULK, async () => {
        for (const [at, copy] of COPIES.entries()) await fill(tx, `copied_${at}`, copy.table, copy.changes(isPolled));
        await tx.run(DEPOSIT_ADDRESSES, [holderId]);
        await tx.run(DEPOSITS);
      });
      await tx.run(TIMES);
      await tx.run('update order_counted set done = done + $1', [orders]);
    },
    { budget: BUDGET_MS },
  );
  await storeOrders(db);
  await db.run(`vacuum (analyze) ${TABLES.join(', ')}`);
  return { holderId, email };
}

const GROUP = 5_000;

/** Stores correct MACs for the copied orders, so that their pages open. */
async function storeOrders(db: Db): Promise<void> {
  for (let behind: string | undefined; ;) {
    const orders = await readOrdersIn(db, { states: ORDER_STATES, behind, max: GROUP });
    const altered = orders.filter(({ isAltered }) => isAltered);
    await db.run(
      'update customer_order o set mac = made.mac from unnest($1::uuid[], $2::uuid[]) as made (id, mac) where o.id = made.id',
      [altered.map(({ view }) => view.id), altered.map(orderMac)],
    );
    behind = orders.at(-1)?.view.id;
    if (orders.length < GROUP) return;
  }
}

/**
 * Inserts copies of sample rows into `table`: for each row of `history`, one copy of each sample row of its sample order.
 * `changes` gives the new values of columns.
 */
async function fill(tx: Tx, samples: string, table: string, changes: Changes): Promise<void> {
  const columns = await tx.rows<{ name: string }>(
    `select quote_ident(column_name) as name from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
    [table],
  );
  const names = columns.map(({ name }) => name);
  const missing = Object.keys(changes).filter((name) => !names.includes(name));
  if (missing.length > 0) throw new Error(`${table} has no ${missing.join(', ')}`);
  const given = names.map((name) => changes[name] ?? `s.${name}`);
  await tx.run(
    `insert into ${table} (${names.join(', ')}) select ${given.join(', ')} from ${samples} s join history h on h.sample = s.sampled_at`,
  );
}

/** Returns SQL that selects a table's rows of the sample orders. `of`: SQL expression for the row's order id. */
const sampled = (from: string, of: string, what = 's.*'): string =>
  `select ${what}, sample.at as sampled_at from ${from} join sample on sample.id = ${of}`;

const SAMPLES = `
  select id from customer_order o where state = 'completed' and kind = 'order'
    and exists (select from payin where owner_id = o.id::text) and exists (select from payout where owner_id = o.id::text and purpose = 'payout')
    and 1 = (select count(*) from payin where owner_id = o.id::text)
  order by created_at limit 20`;

const HOLDER = `
  insert into account_holder (id, email, email_key, email_verified_at, locale, created_at)
  values (gen_random_uuid(), $1, lower($1), clock_now(), 'en', clock_now() - interval '400 days')
  on conflict (email_key) do update set email = excluded.email returning id`;

/** Returns SQL for an id that starts with its time, like the product's ids, so that later ids sort after earlier ones. */
const idOf = (mark: string): string => `(ms || '7${mark}8000' || lpad(to_hex(n), 12, '0'))::uuid`;

const LINES = `
  create temporary table history on commit drop as
  select n, 1 + n % (select count(*) from sample) as sample, at, is_held,
    ${idOf('0a0')} as order_id, ${idOf('0b0')} as payin_id, ${idOf('0c0')} as payout_id, ${idOf('0d0')} as attempt_id, ${idOf('0e0')} as fee_id,
    'KX-' || lpad((n % 10000)::text, 4, '0') || '-' || upper(lpad(to_hex((n / 10000 * 7919) % 65536), 4, '0')) as number,
    case when is_held then $4 else 'customer' || (n * 7919) % ${CUSTOMERS} || '@example.org' end as email,
    case when is_held then $5::uuid end as holder_id,
    md5('paid ' || n) || md5('in ' || n) as txid_in, md5('paid ' || n) || md5('out ' || n) as txid_out,
    substr(md5('place ' || n), 1, 16) as tail_in, substr(md5('account ' || n), 1, 16) as tail_out
  from (
    select n, n % $2::int = 0 and n / $2::int <= $3::int as is_held, to_timestamp(ms / 1000.0) as at, lpad(to_hex(ms), 12, '0') as ms
    from (
      select n, (last - ($1 - n) * ($6::float8 * 86400000 / $1))::bigint as ms
      from generate_series(1, $1::bigint) n, (select extract(epoch from clock_now())::float8 * 1000 - 86400000 as last offset 0) as yesterday
    ) as in_ms
  ) as line`;

/** Returns SQL that replaces the last 16 characters of an account. */
const ending = (account: string, tail: string): string => `left(${account}, -16) || h.${tail}`;

/**
 * Values in the sample order's JSON, and their replacements in a copy: the account, in the stored and the original spelling, and
 * the transactions.
 */
const OF_ITS_OWN: Changes = {
  receives: ending('s.receives', 'tail_out'),
  receives_at: ending('s.receives_at', 'tail_out'),
  paid_in: 'h.txid_in',
  paid_out: 'h.txid_out',
};
const ORDER_SAMPLE = `s.*, s.body::text as text, coalesce(nullif(s.body->'receive'->>'key', ''), '?') as receives,
  coalesce(nullif(s.body->'receive'->'fields'->>'address', ''), '?') as receives_at,
  coalesce(nullif(s.body->'payments'->0->>'txid', ''), '?') as paid_in, coalesce(nullif(s.body->'facts'->'sent'->>'txid', ''), '?') as paid_out`;
const BODY = Object.entries(OF_ITS_OWN).reduce((text, [old, now]) => `replace(${text}, s.${old}, ${now})`, 's.text');

function placeChanges(isPolled: boolean): Changes {
  return {
    number: `${FIRST_PLACE} + h.n`,
    to_text: ending('s.to_text', 'tail_in'),
    to_key: ending('s.to_key', 'tail_in'),
    owner_id: 'h.order_id::text',
    customer: 'h.email',
    taken_at: 'h.at',
    live_until: `h.at + interval '90 days'`,
    due_at: isPolled
      ? `case when h.at > (select clock_now()) - interval '90 days' then (select clock_now()) + random() * interval '1 day' end`
      : 'null',
    weigh_at: isPolled
      ? `case when h.at > (select clock_now()) - interval '90 days' then (select clock_now()) + random() * interval '1 day' end`
      : 'null',
    close_until: `h.at + interval '30 minutes'`,
    is_pressing: 'false',
    is_requested: 'false',
    may_hold: 'false',
    is_unfinished: 'false',
    is_settling: 'false',
  };
}

interface Copies {
  readonly table: string;
  /** SQL for the rows to copy. Its column `sampled_at` is the position of the row's order among the sample orders. */
  readonly samples: string;
  readonly changes: (isPolled: boolean) => Changes;
}

const COPIES: readonly Copies[] = [
  {
    table: 'receiving_address',
    samples: sampled('receiving_address s join payin i using (rail, number)', 'i.owner_id::uuid'),
    changes: placeChanges,
  },
  {
    table: 'customer_order',
    samples: sampled('customer_order s', 's.id', ORDER_SAMPLE),
    changes: () => ({
      id: 'h.order_id',
      number: 'h.number',
      created_at: 'h.at',
      updated_at: `h.at + interval '9 minutes'`,
      finished_at: `h.at + interval '9 minutes'`,
      due_at: 'null',
      calculation_id: 'null',
      email: 'h.email',
      customer: 'h.email',
      holder_id: 'h.holder_id',
      device: `'device ' || h.n % ${CUSTOMERS}`,
      pay_to: ending('s.pay_to', 'tail_in'),
      body: `(${BODY})::jsonb`,
    }),
  },
  {
    // Search terms of orders: terms of the sample order are replaced by those of the copy.
    table: 'order_term',
    samples: sampled(
      'order_term s join customer_order o on o.id = s.order_id',
      'o.id',
      `s.*, case s.term when lower(o.number) then 'number' when lower(o.email) then 'email' when lower(o.pay_to) then 'pay_to'
        when lower(o.body->'receive'->>'key') then 'receives' when lower(o.body->'payments'->0->>'txid') then 'paid_in'
        when lower(o.body->'facts'->'sent'->>'txid') then 'paid_out' end as says`,
    ),
    changes: () => ({
      order_id: 'h.order_id',
      term: `lower(case s.says when 'number' then h.number when 'email' then h.email when 'pay_to' then ${ending('s.term', 'tail_in')}
        when 'receives' then ${ending('s.term', 'tail_out')} when 'paid_in' then h.txid_in when 'paid_out' then h.txid_out else s.term end)`,
    }),
  },
  {
    // Events of each sample order, filled up with confirmations to ten events.
    table: 'order_event',
    samples: `with event as (select s.*, seq = max(seq) over (partition by order_id) as is_last from order_event s join sample on sample.id = s.order_id)
      ${sampled(`event s cross join generate_series(seq, case when is_last then greatest(seq, ${EVENTS}) else seq end) as at_seq`, 's.order_id', 's.*, at_seq')}`,
    changes: () => ({
      id: `md5('event ' || h.n || ' ' || at_seq)::uuid`,
      order_id: 'h.order_id',
      seq: 'at_seq',
      at: `h.at + at_seq * interval '1 minute'`,
      event: `case when at_seq > s.seq then 'payin_progress' else s.event end`,
      from_state: 'case when at_seq > s.seq then s.to_state else s.from_state end',
    }),
  },
  {
    table: 'payin',
    samples: sampled('payin s', 's.owner_id::uuid'),
    changes: () => ({
      id: 'h.payin_id',
      key: `h.txid_in || ':0'`,
      number: `${FIRST_PLACE} + h.n`,
      owner_id: 'h.order_id::text',
      customer: 'h.email',
      txid: 'h.txid_in',
      block: `substr(md5('block ' || h.n / 10), 1, 20)`,
      seen_at: 'h.at',
      seen_after: 'h.at',
      first_confirmed_at: 'h.at',
      final_at: `h.at + interval '4 minutes'`,
      deep: 'true',
      followed: 'false',
      finalised: 'true',
      spent: 'true',
    }),
  },
  {
    table: 'payout',
    samples: `${sampled('payout s', 's.owner_id::uuid')} where s.purpose = 'payout'`,
    changes: () => ({
      id: 'h.payout_id',
      owner_id: 'h.order_id::text',
      to_key: ending('s.to_key', 'tail_out'),
      status: `'final'`,
      attempt_id: 'h.attempt_id',
      txid: 'h.txid_out',
      due_at: 'null',
      created_at: `h.at + interval '4 minutes'`,
      status_at: `h.at + interval '9 minutes'`,
    }),
  },
  {
    table: 'payment_attempt',
    samples: `${sampled('payment_attempt s join payout p on p.attempt_id = s.id', 'p.owner_id::uuid')} where p.purpose = 'payout'`,
    changes: () => ({
      id: 'h.attempt_id',
      reference: 'h.txid_out',
      items: 'array[h.payout_id]',
      spends: `array['history:' || h.n]`,
      // Below all nonces in use, so that the next payment's nonce is not affected.
      nonce: 's.nonce - s.nonce - h.n',
      status: `'final'`,
      txid: 'h.txid_out',
      due_at: 'null',
      stored_at: `h.at + interval '5 minutes'`,
      last_sent_at: `h.at + interval '5 minutes'`,
      accepted_at: `h.at + interval '5 minutes'`,
    }),
  },
  {
    table: 'payment_event',
    samples: `${sampled('payment_event s join payout p on p.attempt_id = s.cause', 'p.owner_id::uuid')} where p.purpose = 'payout' and s.posted_at is not null`,
    changes: () => ({
      id: 'h.fee_id',
      cause: 'h.attempt_id',
      at: `h.at + interval '9 minutes'`,
      posted_at: `h.at + interval '9 minutes'`,
      due_at: 'null',
    }),
  },
];

/** Tables whose indexes are rebuilt after the copying, which is much faster than updating them. */
const BULK = [...new Set([...COPIES.map(({ table }) => table), 'wallet_deposit'])];

const DEPOSIT_ADDRESSES = `
  insert into wallet_receiving_address (id, holder_id, currency, pay_to, opened_at)
  select gen_random_uuid(), $1, currency, 'history of ' || currency, min(taken_at) from receiving_address where number >= ${FIRST_PLACE} group by currency
  on conflict (holder_id, currency) where until is null do nothing`;

const DEPOSITS = `
  insert into wallet_deposit (payin_id, receiving_address_id, holder_id, currency, unit, parts, txid, status, confirmations, needed, seen_at, final_at, cleared_at)
  select h.payin_id, p.id, h.holder_id, i.currency, i.unit, i.parts, md5('deposit ' || h.n), 'final', i.confirmations, i.needed, h.at,
    h.at + interval '4 minutes', h.at + interval '4 minutes'
  from history h join payin i on i.id = h.payin_id join wallet_receiving_address p on p.holder_id = h.holder_id and p.currency = i.currency`;

/** SQL that adds the copied orders to the histogram of durations, as `countTimes` does for real orders. */
const TIMES = `
  insert into order_time (day, give_currency, get_currency, step, minutes, orders)
  select (h.at at time zone 'UTC')::date, o.give_currency, o.get_currency, step, minutes, count(*)
  from history h join sample on sample.at = h.sample join customer_order o on o.id = sample.id,
    (values ('arrived', 4), ('paid', 5)) as took (step, minutes)
  group by 1, 2, 3, 4, 5
  on conflict (day, give_currency, get_currency, step, minutes) do update set orders = order_time.orders + excluded.orders`;

const TABLES = [...BULK, 'account_holder', 'order_time', 'wallet_receiving_address'];
