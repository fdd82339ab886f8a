// Changing an order's row by SQL yields no link, code, letter or money, and the proof reports the row.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { writeHolderMacs } from '../../auth/testing.ts';
import { configureLog } from '../../platform/index.ts';
import { placeOrder } from '../actions/place-order.ts';
import { verify } from '../../ledger/index.ts';
import { orderCheck } from '../proof/check-books.ts';
import { readOwn } from '../order/store/owner.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { usedProblem } from '../calculation/calculate.ts';
import { ownOrders } from '../views/own-orders.ts';
import { orderByToken, trackOrder } from '../views/track.ts';
import { type World, openWorld } from './world.testing.ts';

const THIEF = 'thief@example.org';
const HOLDER = '0199a7d2-7a3e-7c10-9f00-3f1c5e2b7a22';

/** SQL that changes one thing of an order, by a description. */
const CHANGES: Readonly<Record<string, string>> = {
  email: `email = '${THIEF}'`,
  'the e-mail address and its canonical form': `email = '${THIEF}', customer = '${THIEF}'`,
  'the customer whose limits it counts towards': `customer = '${THIEF}'`,
  holder_id: `holder_id = '${HOLDER}'`,
  token_version: 'token_version = token_version + 1',
  usd: 'usd = usd + 1',
  'the clock of the promised time': `body = jsonb_set(body, '{facts,clock}', '{"ran": 9000000, "at": "1767225600000t"}')`,
  'the promised time': `pinned = jsonb_set(pinned, '{pinned,promised}', '{"seconds": 1}')`,
  'any other fact': `body = jsonb_set(body, '{facts,askMe}', 'true')`,
  positions: `body = jsonb_set(body, '{positions,in}', '"7n"')`,
  kind: `kind = case kind when 'order' then 'unallocated' else 'order' end`,
  version: 'version = version + 1',
  number: `number = 'KX-0000-0000'`,
  created_at: `created_at = created_at - interval '1 day'`,
  finished_at: `finished_at = clock_now()`,
  device: `device = 'other'`,
  ip: `ip = '192.0.2.9'`,
  locale: `locale = 'ru'`,
  give_currency: `give_currency = 'USDT_ERC20'`,
  get_currency: `get_currency = 'BTC'`,
  give_parts: 'give_parts = give_parts + 1',
  get_parts: 'get_parts = get_parts + 1',
  pay_to: `pay_to = 'thief'`,
  pay_memo: `pay_memo = 'thief'`,
  calculation_id: 'calculation_id = gen_random_uuid()',
  unallocated_of: 'unallocated_of = gen_random_uuid()',
  'no MAC': 'mac = null',
};

describe('an order whose row was changed by SQL', () => {
  let world: World;
  before(async () => {
    world = await openWorld();
    await world.db.run(
      `insert into account_holder (id, email, email_key, locale, created_at) values ($1, '${THIEF}', '${THIEF}', 'en', now())`,
      [HOLDER],
    );
    await writeHolderMacs(world.db);
  });
  after(() => world.close());

  const mailed = async (): Promise<number> => (await world.db.row<{ n: number }>('select count(*)::int as n from mail'))?.n ?? 0;
  const accused = async ({ view: { id } }: StoredOrder): Promise<boolean> =>
    (await verify(world.db, { checks: [orderCheck] })).faults.some(
      ({ account, words }) => account === `order:${id}` && /its row was changed outside the product/.test(words),
    );
  const altered = { code: 'record_altered' };

  /** Changes an order's row; returns the function that restores it. */
  async function change({ view: { id } }: StoredOrder, sql: string): Promise<() => Promise<unknown>> {
    await world.owner.run(`create table if not exists kept_order as select * from customer_order limit 0`);
    await world.owner.run(`delete from kept_order`);
    const columns = await world.owner.row<{ names: string }>(
      `select string_agg(quote_ident(attname), ', ') as names from pg_attribute
       where attrelid = 'customer_order'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    );
    const { names = '' } = columns ?? {};
    await world.owner.run(`insert into kept_order (${names}) select ${names} from customer_order where id = $1`, [id]);
    await world.db.run(`update customer_order set ${sql} where id = $1`, [id]);
    return () => world.owner.run(`update customer_order set (${names}) = (select ${names} from kept_order) where id = $1`, [id]);
  }

  test('is reported, mails no link and opens nothing, whatever was changed; restored, it works again', async () => {
    const order = await world.place();
    const { sender } = world.deps;
    for (const [what, sql] of Object.entries(CHANGES)) {
      const restore = await change(order, sql);
      const row = await world.db.row<{ number: string; email: string; version: number }>(
        'select number, email, token_version as version from customer_order where id = $1',
        [order.view.id],
      );
      const { number: id = '', email = '', version = 0 } = row ?? {};
      const before = await mailed();
      const token = sender.tokens.make('order', order.view.id, version);
      await assert.rejects(trackOrder({ db: world.db, sender }, { id, email }), altered, what);
      await assert.rejects(orderByToken(world.db, sender.tokens, { id, token }), altered, what);
      assert.equal(await mailed(), before, what);
      assert.ok(await accused(order), `${what} is accused`);
      await restore();
    }
    assert.equal(await accused(order), false);
    await trackOrder({ db: world.db, sender }, { id: order.number, email: order.email });
  });

  test('is reported if it has the MAC of another order', async () => {
    const [order, other] = [await world.place(), await world.place()];
    const restore = await change(order, `mac = (select mac from customer_order where id = '${other.view.id}')`);
    assert.ok(await accused(order));
    await restore();
    assert.equal(await accused(order), false);
  });

  test('given to another account shows that account neither its page nor its secret', async () => {
    const order = await world.place();
    const restore = await change(order, `holder_id = '${HOLDER}'`);
    const thief = { id: HOLDER, mailbox: undefined };
    const { data } = await ownOrders(world.deps, thief, { page: 1, per_page: 10 });
    assert.deepEqual(
      data.map(({ id, token }) => [id, token]),
      [[order.number, undefined]],
    );
    await assert.rejects(readOwn(world.db, thief, order.number), altered);
    await restore();
  });

  test('is not linked from its calculation', async () => {
    const order = await world.place();
    const { tokens } = world.deps.sender;
    const linked = async (): Promise<unknown> => (await usedProblem(world.db, tokens, order.calculationId ?? '')).details.order;
    assert.notEqual(await linked(), undefined);
    const restore = await change(order, CHANGES['email'] ?? '');
    assert.equal(await linked(), undefined);
    await restore();
  });

  test('gets no letters and no payout, its timers wait, and one alarm is raised', async () => {
    const lines: string[] = [];
    const order = await world.place();
    const restore = await change(order, CHANGES['email'] ?? '');
    configureLog({ sink: (line) => void lines.push(line) });
    const before = await mailed();
    world.pay(order);
    await world.mine(6);
    await world.turn();
    await world.pass(60);
    await world.turn();
    configureLog({ sink: (line) => void process.stdout.write(line) });
    assert.equal(await mailed(), before);
    assert.equal(await world.state(order), 'awaiting');
    assert.equal(lines.filter((line) => line.includes('"alarm"') && line.includes(order.number)).length, 1);
    await restore();
    await world.pass(2);
    await world.turn();
    assert.notEqual(await world.state(order), 'awaiting');
    assert.ok((await mailed()) > before);
  });

  test('is not paid out even if queued: the payout waits until the row is restored', async () => {
    world.holdSends();
    const order = await world.place();
    world.pay(order);
    await world.mine(6);
    await world.turn();
    const restore = await change(order, CHANGES['email'] ?? '');
    const sent = async () =>
      (await world.db.row<{ status: string }>('select status from payout where owner_id = $1', [order.view.id]))?.status;
    world.holdSends(false);
    await world.turn();
    assert.equal(await sent(), 'queued');
    await restore();
    await world.pass(2);
    assert.notEqual(await sent(), 'queued');
  });

  test('is not paid out if its account holder’s row was changed either', async () => {
    world.holdSends();
    await writeHolderMacs(world.db);
    const order = await placeOrder(world.deps, { ...(await world.calculate()), holderId: HOLDER });
    world.pay(order);
    await world.mine(6);
    await world.turn();
    await world.db.run(`update account_holder set referred_campaign = 'x' where id = $1`, [HOLDER]);
    const sent = async () =>
      (await world.db.row<{ status: string }>('select status from payout where owner_id = $1', [order.view.id]))?.status;
    world.holdSends(false);
    await world.turn();
    assert.equal(await sent(), 'queued');
    await world.db.run('update account_holder set referred_campaign = null where id = $1', [HOLDER]);
    await world.pass(2);
    assert.notEqual(await sent(), 'queued');
  });
});
