// Changes of the books by SQL with the database's keys; the proof reports each one. In most of them the sums still agree, as a
// thief would make sure.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeHolderMacs } from '../../auth/testing.ts';
import { noteDebt } from '../../compliance/index.ts';
import type { StoredOrder } from '../../exchange/index.ts';
import { type World, openWorld } from '../../exchange/testing.ts';
import { type JournalKind, type Leg, type SealNote, accounts, leg, post, sealJournals, verify } from '../../ledger/index.ts';
import { countOut } from '../../moneyout/index.ts';
import { addAddress, setList } from '../../moneyout/testing.ts';
import { claimCapital, fundDesk, openPayin } from '../../payments/index.ts';
import { arrived, savePayins } from '../../payments/testing.ts';
import { macOf, newId, putSetting, steady } from '../../platform/index.ts';
import { checksOf } from '../checks.ts';
import { OWNERS } from '../owners.testing.ts';

const TABLES = [
  'receiving_address',
  'payin',
  'payment_attempt',
  'payment_event',
  'debt',
  'wallet_receiving_address',
  'account',
  'posting',
  'journal_macs',
  'journal_seal',
  'payout',
  'customer_order',
  'wallet',
  'wallet_deposit',
  'wallet_withdrawal',
  'wallet_transfer',
  'desk_posting',
  'setting',
  'setting_history',
  'event',
  'event_delivery',
  'operator',
  'operator_request',
  'moneyout_counted',
  'moneyout_address',
  'moneyout_guard',
  'debt_key',
  'capital_claim',
  'unrecorded_send',
  'restored',
];

/** Tables that a posting writes to. */
const BOOKS = ['account', 'posting', 'journal_macs'];

let world: World;
let noted: ReturnType<SealNote['read']>;
const note: SealNote = { read: () => noted, write: (seal) => void (noted = seal) };
let [queued, unallocated, done, waiting] = [] as unknown as [StoredOrder, StoredOrder, StoredOrder, StoredOrder];
let intent = '';
const [ann, bob, place, payin, request, sent, counted, claimed] = Array.from({ length: 8 }, newId) as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];
const U = 'USDT';
const hot = accounts.custody('USDT_ERC20', 'hot', U);

const past = (...statements: string[]): Promise<void> =>
  world.owner.tx(async (tx) => {
    await tx.run('set local session_replication_role = replica');
    for (const statement of statements) await tx.run(statement);
  });
const store = (table: string): string => `create table kept_${table} as table ${table}`;
/** Returns SQL that restores a table's rows from its copy. Generated columns are computed again. */
const putBack = (table: string): string[] => [
  `delete from ${table}`,
  `do $$ declare columns text := (select string_agg(quote_ident(column_name), ', ') from information_schema.columns
     where table_schema = 'public' and table_name = '${table}' and is_generated = 'NEVER');
   begin execute format('insert into ${table} (%s) select %s from kept_${table}', columns, columns); end $$`,
];
const forget = (table: string): string => `drop table kept_${table}`;
/** Returns the tables that some SQL writes to, including those that the posting function writes. */
function writtenBy(sql: string): string[] {
  const named = [...sql.matchAll(/\b(?:update|delete from|insert into) (\w+)/g)].map(([, table]) => table!);
  return TABLES.filter((table) => named.includes(table) || (sql.includes('ledger_post(') && BOOKS.includes(table)));
}
const words = async (): Promise<string[]> =>
  (await verify(world.db, { checks: checksOf(OWNERS), isWhole: true, note, max: 100 })).faults.map(
    ({ check, account, words: said }) => `${check} ${account ?? ''}: ${said}`,
  );

const owner = { kind: 'wallet', id: place } as const;
/**
 * Opens the wallets of two holders. One has an uncleared deposit and a waiting withdrawal, and has made a transfer to the other.
 */
async function openWallets(): Promise<void> {
  const enter = (kind: JournalKind, cause: string, ...legs: Leg[]) =>
    world.db.tx((tx) => post(tx, [{ id: newId(), kind, cause, legs, prices: { USDT: '1' } }]));
  // prettier-ignore
  await world.db.tx(async (tx) => {
    for (const [id, mail] of [[ann, 'ann@example.org'], [bob, 'bob@example.org']]) {
      await tx.run(`insert into account_holder (id, email, email_key, locale, created_at) values ($1, $2, $2, 'en', clock_now())`, [id, mail]);
      await writeHolderMacs(tx);
      await tx.run(`insert into wallet (holder_id, unit, opened_at) values ($1, 'USDT', clock_now())`, [id]);
    }
    const { to } = await openPayin(tx, { owner, currency: 'USDT_ERC20', parts: 0n, customerKey: ann });
    await tx.run(`insert into wallet_receiving_address (id, holder_id, currency, pay_to, opened_at) values ($1, $2, 'USDT_ERC20', $3, clock_now())`, [place, ann, to]);
    const { rail, number } = await tx.row<{ rail: string; number: number }>('select rail, number::int from receiving_address where owner_id = $1', [place]) ?? assert.fail();
    await savePayins(tx, rail, [arrived({ id: payin, number, owner, currency: 'USDT_ERC20', unit: U, parts: 1_000_000_000n, txid: 'feed', seenAt: tx.now })]);
    await tx.run(`insert into wallet_deposit (payin_id, receiving_address_id, holder_id, currency, unit, parts, txid, status, confirmations, needed, seen_at, uncleared, mac)
      values ($1, $2, $3, 'USDT_ERC20', 'USDT', 1000000000, 'feed', 'maturing', 9, 9, clock_now(), 200000000, $4)`, [payin, place, ann, macOf('deposit', steady([payin, undefined]))]);
    await putSetting(tx, 'moneyout.auto_usd', '100', 'ann');
    await addAddress(tx, ann, { currency: 'USDT_ERC20', key: '0xbb', fields: { address: '0xbb' }, label: 'mine', usableAt: new Date(tx.now.getTime() + 86_400_000) });
    await setList(tx, ann, true, undefined);
    await countOut(tx, [{ payoutId: counted, kind: 'order', customer: 'email:ann', usd: 100n, currency: 'USDT_ERC20', parts: 1n }]);
    await noteDebt(tx, { id: counted, about: 'payout', unit: U, parts: 5n }, { subject: { email: 'ann@example.org', accounts: [], holder: undefined }, payers: ['PAYPAL_USD:ANN'] });
    await claimCapital(tx, { id: claimed, currency: 'USDT_ERC20', parts: 5_000_000n });
    await fundDesk(tx, { id: claimed, currency: 'USDT_ERC20', place: 'hot', parts: 5_000_000n });
    await tx.run(`insert into wallet_transfer (id, from_holder, to_holder, unit, parts, at) values ($1, $2, $3, 'USDT', 50000000, clock_now())`, [sent, ann, bob]);
  });
  const [wallet, uncleared] = [accounts.wallet(ann, U), accounts.walletUncleared(ann, U)];
  await enter('deposit', payin, leg(hot, wallet, 800_000_000n), leg(hot, uncleared, 200_000_000n));
  await enter('transfer', sent, leg(wallet, accounts.wallet(bob, U), 50_000_000n));
  await world.db.run(
    `insert into wallet_withdrawal (id, holder_id, unit, rail, currency, to_fields, to_key, parts, fee, usd, status, people, requested_at, status_at)
     values ($1, $2, 'USDT', 'evm', 'USDT_ERC20', '{"address": "0xaa"}', '0xaa', 300000000, 1000000, 30100, 'approving', 1, clock_now(), clock_now())`,
    [request, ann],
  );
  await enter('withdrawal_asked', request, leg(wallet, accounts.walletHeld(ann, U), 301_000_000n));
}

describe('the books accuse', () => {
  before(async () => {
    world = await openWorld();
    // The world's capital was posted by hand.
    await past(`insert into desk_posting select distinct cause, 'capital_in', at from posting where kind = 80`);
    done = await world.place();
    world.pay(done);
    await world.mine(6);
    await world.mine(64);
    done = await world.order(done);
    queued = await world.place();
    world.holdSends();
    world.pay(queued, '0.02');
    await world.mine(6);
    await world.turn();
    [unallocated] = (await world.unallocatedPayments(queued)) as [StoredOrder];
    waiting = await world.place();
    intent = (await world.order(queued)).view.facts.transfer?.intent ?? '';
    await openWallets();
    for (let turn = 0; turn < 200 && (await left()) > 0; turn += 1, await sleep(20)) await sealJournals(world.db, note);
    // A second seal, for swapping.
    await world.db.tx((tx) =>
      post(tx, [
        { id: newId(), kind: 'transfer', cause: sent, legs: [leg(accounts.wallet(bob, U), accounts.wallet(ann, U), 1n)] },
      ]),
    );
    for (let turn = 0; turn < 200 && (await left()) > 0; turn += 1, await sleep(20)) await sealJournals(world.db, note);
  });
  after(() => world.close());

  const left = async (): Promise<number> =>
    (
      await world.db.row<{ n: number }>(
        `select count(*)::int as n from journal_mac where xid >= coalesce((select max(upto) from journal_seal), '0')`,
      )
    )?.n ?? 0;

  test('nothing, where nothing was changed', async () => {
    assert.ok(unallocated && intent && done.view.state === 'completed');
    assert.deepEqual(await words(), [`withdrawal ${request}: the withdrawal was altered after its holder confirmed it`]);
  });

  const id = (name: string): string => `(select id from account where name = '${name}')`;
  const annWallet = () => `wallet:${ann}:USDT`;
  const forged = (from: string, to: string, kind: number, parts: string, floor = 'null'): string => `
    select ledger_post(array['${newId()}'::uuid], array[${kind}::smallint], array['${sent}'::uuid], array[1], array[1],
      case when f.id < t.id then array[1] else array[2] end, case when f.id < t.id then array[2] else array[1] end,
      array[${parts}::numeric], array[1::numeric], array[least(f.id, t.id), greatest(f.id, t.id)],
      '{}', '{}', '{}', '{}', '{}', '{}', array['${newId()}'::uuid])
    from account f, account t where f.name = '${from}' and t.name = '${to}' and ${floor} is null`;
  /** SQL that changes the body of the completed order. */
  const ofDone = (path: string, value: string): string =>
    `update customer_order set body = jsonb_set(body, '${path}', '${value}') where id = '${done.view.id}'`;
  /** SQL that inserts an event of payments about the completed order, due at a moment. */
  const unhandled = (id: string, due: string): string[] => [
    `insert into event (id, kind, subject, body, at)
     select '${id}', kind, subject, jsonb_set(body, '{payinId}', '"${id}"'), at from event
     where kind = 'payments.payin' and subject = 'order:${done.view.id}' and body->>'event' = 'final' limit 1`,
    `insert into event_delivery (subscriber, event_id, kind, due_at) values ('exchange', '${id}', 'payments.payin', ${due})`,
  ];
  const lastOf = (name: string): string =>
    `(select p.journal from posting p where to_id = ${id(name)} order by to_seq desc limit 1)`;

  /** SQL that unpacks the MACs into rows, changes them, and packs them again. */
  const macs = (change: string): string[] => [
    'create temp table mac as table journal_mac',
    change,
    'delete from journal_macs',
    `insert into journal_macs select xid, string_agg(uuid_send(journal) || uuid_send(mac), '' order by journal) from mac group by xid`,
    'drop table mac',
  ];

  /** Each change with the proof's message. */
  // prettier-ignore
  const corruptions: [what: string, sql: () => string[], said: RegExp][] = [
    ['a wallet’s class is the desk’s own', () => [`update account set class = 'own' where name = '${annWallet()}'`], /is own, and by its name owed/],
    ['a wallet’s floor is gone', () => [`update account set floor = null where name = '${annWallet()}'`], /its floor is none/],
    ['a wallet without a floor is overdrawn', () => [`update account set floor = null where name = '${annWallet()}'`, forged(annWallet(), `wallet:${bob}:USDT`, 56, '999000000000')], /its floor is none[^]*was altered after it was posted/],
    ['the desk’s money in a wallet', () => [forged('desk:free:USDT', annWallet(), 56, '1000000')], /transfer has no leg desk:free → wallet/],
    ['a legal leg that we did not post', () => [forged(`wallet:${bob}:USDT`, annWallet(), 56, '1000000')], /mac .*was altered after it was posted/],
    ['capital booked as a payment', () => [`update posting set kind = 3 where kind = 80`], /makes it of the kind payin/],
    ['all prices a hundred times as high', () => [`update posting set price = price * 100`], /mac .*was altered after it was posted/],
    ['a cause that is another order', () => [`update posting set cause = '${waiting.view.id}' where cause = '${done.view.id}'`], /mac .*was altered after it was posted/],
    ['a cause that is nothing', () => [`update posting set cause = '${newId()}' where cause = '${done.view.id}'`], /which no room that posts such journals knows/],
    ['the last posting of a wallet deleted, both balances put back', () => [
      `create temp table gone as select * from posting where journal = ${lastOf(annWallet())}`,
      `delete from posting where journal in (select journal from gone)`,
      `update account set balance = balance + g.parts, seq = seq - 1 from gone g where id = g.from_id`,
      `update account set balance = balance - g.parts, seq = seq - 1 from gone g where id = g.to_id`, 'drop table gone'], /was posted and then deleted/],
    ['the same with its MAC', () => [
      `create temp table gone as select * from posting where journal = ${lastOf(annWallet())}`,
      `delete from posting where journal in (select journal from gone)`, ...macs(`delete from mac where journal in (select journal from gone)`),
      `update account set balance = balance + g.parts, seq = seq - 1 from gone g where id = g.from_id`,
      `update account set balance = balance - g.parts, seq = seq - 1 from gone g where id = g.to_id`, 'drop table gone'], /seal .*the sealed rows were altered/],
    ['an unallocated payment “refunded” while its money stands there', () => [`update customer_order set state = 'refunded' where id = '${unallocated.view.id}'`], /unallocated:.* no row explains it/],
    ['an order “completed” while it holds money', () => [`update customer_order set state = 'completed' where id = '${waiting.view.id}'`], /order:.*:reserve:.* no row explains it/],
    ['the row of an unallocated payment deleted', () => [`delete from customer_order where id = '${unallocated.view.id}'`], /unallocated:.* no row explains it/],
    ['the row of an order deleted', () => [`delete from customer_order where id = '${waiting.view.id}'`], /order:.*:reserve:.* no row explains it/],
    ['a queued payout ten times as large', () => [`update payout set parts = parts * 10 where id = '${intent}'`], /sends \d+ USDT_ERC20, and the payout is of \d+0 /],
    ['its receiver changed', () => [`update payout set to_fields = '{"address": "thief"}' where id = '${intent}'`], /do not go to the same account/],
    ['its row deleted', () => [`delete from payout where id = '${intent}'`], /there is no payout for it/],
    ['its owner changed', () => [`update payout set owner_id = '${waiting.view.id}' where id = '${intent}'`], /the payout is another’s/],
    ['a payout for nobody', () => [`insert into payout (id, owner_kind, owner_id, purpose, rail, currency, unit, parts, to_fields, to_key, status, created_at, status_at)
      select '${newId()}', owner_kind, owner_id, purpose, rail, currency, unit, parts, to_fields, to_key, 'queued', created_at, status_at from payout where id = '${intent}'`], /no owner’s row says that it is to be sent/],
    ['payout and order changed alike', () => [`update payout set to_fields = '{"address": "thief"}' where id = '${intent}'`,
      `update customer_order set body = jsonb_set(body, '{receive,fields}', '{"address": "thief"}') where id = '${queued.view.id}'`], /its row was changed outside the product[^]*not what was asked for|not what was asked for[^]*its row was changed/],
    ['the receive account in an order’s body', () => [`update customer_order set body = jsonb_set(body, '{receive,fields}', '{"address": "thief"}') where id = '${waiting.view.id}'`], /its row was changed outside the product/],
    ['a refund account', () => [`update customer_order set body = jsonb_set(body, '{refund}', '{"fields": {"address": "thief"}, "key": "thief"}') where id = '${unallocated.view.id}'`], /its row was changed outside the product/],
    ['an order that can be taken back made one that can’t', () => [`update customer_order set pinned = jsonb_set(pinned, '{pinned,isReversible}', 'true') where id = '${waiting.view.id}'`], /its row was changed outside the product/],
    ['a journal 400 days ahead', () => [`update posting set at = at + interval '400 days' where journal = ${lastOf(`wallet:${bob}:USDT`)}`], /is yet to come/],
    ['time moved back by a second, of everything', () => [`update posting set at = at - interval '1 second'`, `update account set at = at - interval '1 second'`], /seal .*the sealed rows were altered/],
    ['a journal put into the middle of the chain', () => [forged(`wallet:${bob}:USDT`, annWallet(), 56, '1'), ...macs(`update mac set xid = (select min(xid) from mac) where xid = (select max(xid) from mac)`)], /seal .*the sealed rows were altered/],
    ['a MAC deleted', () => macs(`delete from mac where journal = ${lastOf(annWallet())}`), /has no MAC/],
    ['the MACs of two journals swapped', () => macs(`with two as (select journal, mac, lead(mac) over (order by journal) as next, lag(mac) over (order by journal) as before from (select * from mac order by journal limit 2) t)
      update mac set mac = coalesce(two.next, two.before) from two where two.journal = mac.journal`), /was altered after it was posted/],
    ['a MAC twice', () => macs(`insert into mac select * from mac limit 1`), /has 2 MACs/],
    ['a seal changed', () => [`update journal_seal set digest = '${newId()}' where number = 1`], /seal .*the sealed rows were altered/],
    ['two seals swapped', () => [`update journal_seal set number = -number where number <= 2`, `update journal_seal set number = 3 + number where number < 0`], /seal .*the sealed rows were altered/],
    ['the last seal deleted', () => [`delete from journal_seal where number = (select max(number) from journal_seal)`], /the seal \d+ is missing/],
    ['the whole chain deleted', () => ['delete from journal_seal'], /the seal \d+ is missing/],
    ['the balances of two wallets swapped', () => [`update account a set balance = (select b.balance from account b where b.name = 'wallet:' || case split_part(a.name, ':', 2) when '${ann}' then '${bob}' else '${ann}' end || ':USDT') where a.name in ('${annWallet()}', 'wallet:${bob}:USDT')`], /stored balance/],
    ['the names of two wallets swapped', () => [`update account set name = 'x' where name = '${annWallet()}'`, `update account set name = '${annWallet()}' where name = 'wallet:${bob}:USDT'`, `update account set name = 'wallet:${bob}:USDT' where name = 'x'`], /its id is not minted from its name/],
    ['a withdrawal’s fee', () => [`update wallet_withdrawal set fee = 0 where id = '${request}'`], /wallet:.*:held: the withdrawal .* the balance should be 300000000, not 301000000/],
    ['a withdrawal called off while its money is held', () => [`update wallet_withdrawal set status = 'cancelled' where id = '${request}'`], /wallet:.*:held: .* no row explains it/],
    ['a withdrawal that is another’s', () => [`update wallet_withdrawal set holder_id = '${bob}' where id = '${request}'`], /wallet:.*:held: /],
    ['a deposit that is cleared by its row alone', () => [`update wallet_deposit set uncleared = 0 where payin_id = '${payin}'`], /wallet:.*:uncleared: .* no row explains it/],
    ['a deposit’s row deleted', () => ['delete from wallet_deposit'], /deposit is about .* which no room/],
    ['a debt that nobody has', () => [`update wallet_deposit set owed = 5 where payin_id = '${payin}'`], /receivable:.* the balance should be -5, not 0/],
    ['a transfer’s row deleted', () => ['delete from wallet_transfer'], /transfer is about .* which no room/],
    ['a wallet that was never opened', () => [`delete from wallet where holder_id = '${bob}'`], /was never opened/],
    ['whose a payment is', () => [`update payin set owner_id = '${waiting.view.id}' where owner_id = '${queued.view.id}'`], /payin:.* the payment is not as it was recorded/],
    ['how much arrived', () => [`update payin set parts = parts * 10 where owner_id = '${queued.view.id}'`], /payin:.* the payment is not as it was recorded/],
    ['a payment under another name, so that it is seen anew', () => [`update payin set key = key || 'x' where owner_id = '${queued.view.id}'`], /payin:.* the payment is not as it was recorded/],
    ['an order’s payment deleted, so that it is seen anew', () => [`delete from payin where owner_id = '${queued.view.id}'`], /is about a payment that is not there/],
    ['a deposit’s payment deleted', () => [`delete from payin where owner_id = '${place}'`], /the deposit .* is about a payment that is not there/],
    ['a payment that nobody made', () => [`insert into payin select (jsonb_populate_record(p, jsonb_build_object('id', '${newId()}', 'key', 'new'))).* from payin p where owner_id = '${place}'`], /payin:.* the payment is not as it was recorded/],
    ['a deposit’s sum', () => [`update wallet_deposit set parts = parts * 10 where payin_id = '${payin}'`], /the deposit .* is not the payment that arrived/],
    ['where a deposit is given back to', () => [`update wallet_deposit set source = '{"fields": {"address": "thief"}, "key": "thief"}' where payin_id = '${payin}'`], /the deposit .* is not the payment that arrived/],
    ['where an order is paid', () => [`update customer_order set pay_to = 'thief' where id = '${waiting.view.id}'`], /is told to pay to an address that was not handed out to it/],
    ['where a wallet is paid', () => [`update wallet_receiving_address set pay_to = 'thief' where id = '${place}'`], /is told to pay to an address that was not handed out to it/],
    ['whose a place is', () => [`update receiving_address set owner_id = '${done.view.id}' where owner_id = '${waiting.view.id}'`], /is told to pay to an address that was not handed out to it/],
    ['where an order is paid, and its place', () => [`update customer_order set pay_to = 'thief' where id = '${waiting.view.id}'`, `update receiving_address set to_text = 'thief' where owner_id = '${waiting.view.id}'`], /the receiving address is not the one that was derived/],
    ['something to be posted', () => [`insert into payment_event (id, kind, cause, legs, prices, detail, at, due_at) select '${newId()}', kind, cause, legs, prices, detail, at, null from payment_event limit 1`], /the posting to be done was not written by us/],
    ['a payout that waits while a send of it is out', () => [`insert into payment_attempt select (jsonb_populate_record(a, jsonb_build_object('id', '${newId()}', 'items', array['${intent}'], 'status', 'sent', 'reference', 'new', 'txid', 'new', 'due_at', null))).* from payment_attempt a limit 1`], /a send of it is out already/],
    ['a payout that is being sent by nothing', () => [`update payout set status = 'sending' where id = '${intent}'`], /there is no send of it/],
    ['a transfer’s sum', () => ['update wallet_transfer set parts = parts * 10'], /no journal confirms the transfer/],
    ['a transfer to another', () => [`update wallet_transfer set from_holder = to_holder, to_holder = from_holder`], /no journal confirms the transfer/],
    ['a debt that is noted for nothing', () => [`insert into debt (id, about, unit, parts, since) values ('${waiting.view.id}', 'order', 'BTC', 5, clock_now())`], /the stored debt differs from/],
    ['a debt that is owed and not noted', () => [`update wallet_deposit set owed = 5 where payin_id = '${payin}'`], /the recorded debt differs from the deposit/],
    ['a loosened bound', () => [`update setting set value = '"100000"' where key = 'moneyout.auto_usd'`], /setting moneyout.auto_usd: the setting is not what was put last/],
    ['a bound put by SQL where the default stood', () => [`insert into setting (key, value, version, by, at) values ('exchange.auto_order_usd', '"100000"', 1000, 'ann', clock_now())`], /setting exchange.auto_order_usd: the setting is not what was put last/],
    ['a bound put as somebody would', () => [`insert into setting_history (version, key, value, by, at) select max(version) + 1, 'moneyout.auto_usd', '"9"', 'ann', clock_now() from setting_history`, `update setting s set value = h.value, version = h.version from setting_history h where h.key = s.key and h.value = '"9"'`], /setting moneyout.auto_usd: the setting is not what was put last/],
    ['a tightened bound deleted', () => [`delete from setting where key = 'moneyout.auto_usd'`], /setting moneyout.auto_usd: the setting is not what was put last/],
    ['what left by itself is less', () => [`update moneyout_counted set usd = 1 where payout_id = '${counted}'`], /counted .*the count of a payout without approval was altered/],
    ['what left by itself is of another', () => [`update moneyout_counted set customer = 'email:bob' where payout_id = '${counted}'`], /counted .*the count of a payout without approval was altered/],
    ['what left by itself left earlier', () => [`update moneyout_counted set at = at - interval '2 hours' where payout_id = '${counted}'`], /counted .*the count of a payout without approval was altered/],
    ['a withdrawal that left by itself and isn’t counted', () => [`update wallet_withdrawal set status = 'done', people = 0 where id = '${request}'`], /counted .*the withdrawal left without approval and is not counted/],
    ['an address that is old enough at once', () => [`update moneyout_address set usable_at = clock_now() where holder_id = '${ann}'`], /book .*the address book was altered/],
    ['a thief’s address', () => [`update moneyout_address set key = 'thief', fields = '{"address": "thief"}' where holder_id = '${ann}'`], /book .*was altered/],
    ['a thief’s address among others', () => [`insert into moneyout_address (id, holder_id, currency, key, fields, label, added_at, usable_at) select '${newId()}', holder_id, currency, 'thief', '{}', label, added_at, added_at from moneyout_address`], /book .*was altered/],
    ['an allow-list switched off', () => [`update moneyout_guard set is_list_on = false where holder_id = '${ann}'`], /book .*was altered/],
    ['an allow-list deleted', () => [`delete from moneyout_guard where holder_id = '${ann}'`], /book .*was altered/],
    ['when a deposit may be used', () => [`update wallet_deposit set free_at = clock_now() where payin_id = '${payin}'`], /deposit .*the clearing time of the deposit was altered/],
    ['a debt’s keys not shown', () => [`update debt_key set shown = false`], /debt .*was altered/],
    ['a debt’s key deleted', () => [`delete from debt_key where shown`], /debt .*was altered/],
    ['a debt’s key of another', () => [`update debt_key set key = 'holder:somebody' where shown`], /debt .*was altered/],
    ['more capital on its way than was booked', () => [`update capital_claim set parts = parts * 10`], /capital:.* was not booked/],
    ['capital on its way that nobody booked', () => [`insert into capital_claim select '${newId()}', currency, place, unit, parts, at from capital_claim`], /capital:.* was not booked/],
    ['an order that people have let out', () => [`update customer_order set body = jsonb_set(body, '{facts,approved}', '2') where id = '${waiting.view.id}'`], /its row was changed outside the product/],
    ['a held order that isn’t held', () => [`update customer_order set state = 'seen' where id = '${queued.view.id}'`], /its row was changed outside the product/],
    ['a send that is for another payout', () => [`update payment_attempt set items = array['${newId()}'::uuid]`], /attempt:.* the send is not what was stored/],
    ['what a send carries', () => [`update payment_attempt set raw = 'other'`], /attempt:.* the send is not what was stored/],
    ['how much arrived, once its order is done', () => [`update payin set parts = parts * 10 where owner_id = '${done.view.id}'`], /BTC of it count, and its orders count [^]*its orders hold/],
    ['the payment of an order that is done deleted', () => [`delete from payin where owner_id = '${done.view.id}'`], /the order .*, completed is about a payment that is not there/],
    ['a payment that counts no more, of an order that is done', () => [`update payin set status = 'dropped' where owner_id = '${done.view.id}'`], /payin:.* 0 BTC of it count, and its orders count/],
    ['what an order that is done took', () => [ofDone('{payments,0,parts}', '"1n"')], /BTC of it count, and its orders count 1\n/],
    ['a payment less, with its order', () => [ofDone('{payments,0,parts}', '"1n"'), `update payin set taken = parts - 1 where owner_id = '${done.view.id}'`], /BTC came in by the books, and 1 by the orders/],
    ['a done order’s payment in another’s row', () => [ofDone('{payments}', '[]'), `update customer_order set body = jsonb_set(body, '{payments}', (select body->'payments' from customer_order where id = '${done.view.id}')) where id = '${waiting.view.id}'`], /its orders count 0\n[^]*came in by the books/],
    ['an unallocated payment’s payment', () => [`update customer_order set body = jsonb_set(body, '{payments}', '[]') where id = '${unallocated.view.id}'`], /BTC of it count, and its orders count \d+/],
    ['what an order that is done was priced at', () => [ofDone('{facts,exchange,got}', '"1n"')], /completed: its exchange differs from the booked one/],
    ['what of it the desk took', () => [ofDone('{facts,exchange,components,0,amount}', '"1n"')], /its exchange differs from the booked one/],
    ['the sum that it was exchanged from', () => [ofDone('{facts,exchange,give}', '"1n"')], /its exchange differs from the booked one/],
    ['the rate that it was exchanged at', () => [ofDone('{facts,exchange,rate,value,numerator}', '"1n"')], /its exchange differs from the booked one/],
    ['what an order that is done sent', () => [ofDone('{facts,sent,parts}', '"1n"')], /USDT came in by the books[^]*completed and the payout differ in/],
    ['that an order that is done has sent', () => [`update customer_order set body = body #- '{facts,sent}' where id = '${done.view.id}'`], /USDT came in by the books[^]*the payout left, and no order has it/],
    ['a payout that left, on another order', () => [`update payout set owner_id = '${waiting.view.id}' where owner_id = '${done.view.id}'`], /completed and the payout differ in[^]*the payout is not what was asked for/],
    ['a payout that left deleted', () => [`delete from payout where owner_id = '${done.view.id}'`], /completed has sent it, and there is no such payout/],
    ['who a payout that left went to', () => [`update payout set to_fields = '{"address": "thief"}' where owner_id = '${done.view.id}'`], /completed and the payout differ in[^]*the payout is not what was asked for/],
    ['a payout that left ten times as large', () => [`update payout set parts = parts * 10 where owner_id = '${done.view.id}'`], /completed and the payout differ in/],
    ['a payout that left called failed', () => [`update payout set status = 'failed' where owner_id = '${done.view.id}'`], /completed has sent it, and nothing has left/],
    ['by which transaction a payout left', () => [`update payout set txid = 'other' where owner_id = '${done.view.id}'`], /completed and the payout differ in/],
    ['a second payout of an order that is done', () => [`insert into payout select (jsonb_populate_record(p, jsonb_build_object('id', '${newId()}', 'attempt_id', null, 'txid', 'second'))).* from payout p where owner_id = '${done.view.id}'`], /the payout left, and no order has it/],
    ['an order that is done called cancelled', () => [`update customer_order set state = 'cancelled' where id = '${done.view.id}'`], /its row was changed outside the product/],
    ['where an order that is done was paid out to', () => [ofDone('{receive,fields}', '{"address": "thief"}')], /its row was changed outside the product[^]*differ in/],
    ['where a payout’s money goes back to', () => [`update payout set books = jsonb_set(books, '{back,name}', '"${annWallet()}"') where id = '${intent}'`], /the payout is not what was asked for/],
    ['a payout without its accounts', () => [`update payout set books = null where id = '${intent}'`], /the payout is not what was asked for/],
    ['a send that is over put back to where it waits', () => [`update payment_attempt set status = 'stored', due_at = clock_now() where id = (select attempt_id from payout where owner_id = '${done.view.id}')`], /the payout is final, and a send of it waits to go out/],
    ['somebody of the desk whom nobody hired', () => [`insert into operator (id, name, role, key_hash, created_at, key_since) values ('${newId()}', 'eve', 'operator', 'x', clock_now(), clock_now())`], /person eve: who may act, and by which key, is not what/],
    ['a request that nobody of the desk made', () => [`insert into operator (id, name, role, key_hash, created_at, key_since) values ('${newId()}', 'eve', 'operator', 'x', clock_now(), clock_now())`, `insert into operator_request (id, action, subject, body, requested_by, reason, requested_at) select '${newId()}', 'desk_withdraw', 'BTC', '{"wanted": {}}', id, 'forged', clock_now() from operator limit 1`], /request .*: nobody has asked for it/],
    ['an order that is behind an event which nobody wrote', () => [ofDone('{payments,0,parts}', '"1n"'), ...unhandled(newId(), 'clock_now()')], /event payin:.* the payment that is told of is not recorded so/],
    ['an order that is behind an event for ever', () => [ofDone('{payments,0,parts}', '"1n"'), ...unhandled(newId(), `'2100-01-01'`)], /event event:.* the event waits for longer than any pause/],
    ['a decision about a send that the books don’t know', () => [`insert into unrecorded_send (id, rail, source, reference, found_at, state, decided_at, mac) values ('${newId()}', 'bitcoin', 'chain', 'f00d', clock_now(), 'explained', clock_now(), '${newId()}')`], /unrecorded:.* the send or its decision is not what was written/],
    ['a restore that two people have ended', () => [`insert into restored (id, at, why, ended_at, ended_by, mac) values ('${newId()}', clock_now(), '[]', clock_now(), '{ann,bob}', '${newId()}')`], /restored:.* the restore or its end is not what was written/],
    ['the desk’s action deleted', () => ['delete from desk_posting'], /capital_in is about .* which no room/],
  ];

  test('events inserted by SQL are not posted, and no customer is shown a foreign address', async () => {
    const stored = ['receiving_address', 'payment_event'];
    await past(...stored.map(store));
    const id = newId();
    await past(
      `insert into payment_event (id, kind, cause, legs, prices, detail, mac, at, due_at)
       select '${id}', kind, cause, legs, prices, detail, mac, at, clock_now() from payment_event limit 1`,
      `update receiving_address set to_text = 'thief' where owner_id is null`,
    );
    try {
      await world.turn();
      assert.equal(await world.db.row(`select from posting where journal = $1`, [id]), undefined);
      await assert.rejects(world.place(), /is not the one that was derived/);
    } finally {
      await past(...stored.flatMap(putBack), ...stored.map(forget));
    }
  });

  test('a wallet that is about to be opened is no fault: money may be there before its row', async () => {
    const [event, body] = [newId(), `{"holderId": "${bob}", "unit": "USDT"}`];
    await past(
      store('wallet'),
      `delete from wallet where holder_id = '${bob}'`,
      `insert into event (id, kind, subject, body, at) values ('${event}', 'moneyout.into_wallet', 'wallet:${bob}', '${body}', clock_now())`,
      `insert into event_delivery (subscriber, event_id, kind, due_at)
         values ('wallets', '${event}', 'moneyout.into_wallet', clock_now())`,
    );
    try {
      assert.doesNotMatch((await words()).join('\n'), /was never opened/);
    } finally {
      await past(
        ...['event_delivery where event_id', 'event where id'].map((rows) => `delete from ${rows} = '${event}'`),
        ...putBack('wallet'),
        forget('wallet'),
      );
    }
  });

  describe('each of these changes', () => {
    before(() => past(...TABLES.map(store)));

    for (const [what, sql, said] of corruptions) {
      test(what, async () => {
        const statements = sql();
        await past(...statements);
        try {
          const found = (await words()).filter((one) => !one.startsWith(`withdrawal ${request}`)).join('\n');
          assert.match(found, said);
        } finally {
          await past(...writtenBy(statements.join('\n')).flatMap(putBack));
        }
      });
    }

    test('nothing, once all was put back', async () => {
      assert.deepEqual(await words(), [`withdrawal ${request}: the withdrawal was altered after its holder confirmed it`]);
      for (const table of TABLES) {
        const left = await world.owner.rows(
          `(table ${table} except table kept_${table}) union all (table kept_${table} except table ${table})`,
        );
        assert.deepEqual(left, [], table);
      }
    });
  });
});
