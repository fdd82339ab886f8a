// What migrations did with rows that were there already.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { testDbBefore } from '../platform/testing.ts';

async function before(t: TestContext, number: string): ReturnType<typeof testDbBefore> {
  const then = await testDbBefore(number);
  t.after(() => then.drop());
  return then;
}

test('what was kept of one mailbox by its spellings is joined, and no standing grows by that', async (t) => {
  const { owner, upgrade } = await before(t, '0115');
  await owner.run(`insert into customer (email, level, finished, by, at) values ('ivan.petrov@yandex.ru', 3, true, 'a', now()),
    ('ivan-petrov@ya.ru', 1, false, 'b', now()), ('ivanpetrov@ya.ru', 2, true, 'c', now()), ('ann@yahoo.com', 2, true, 'd', now())`);
  await owner.run(
    `insert into limit_use (order_id, key, usd, at) select $1::uuid, key, 100, now() from unnest($2::text[]) as key`,
    [
      randomUUID(),
      [
        'email:ivan.petrov@yandex.com',
        'email:ivan-petrov@yandex.ru',
        'reversible:email:i.p@ya.ru',
        'account:PAYPAL_USD:i.p@ya.ru',
      ],
    ],
  );
  await owner.run(`insert into short_lock (key, until) values ('typed:d:email:i.p@yandex.kz', now())`);
  await upgrade();
  assert.deepEqual(await owner.rows('select email, finished from customer order by email'), [
    { email: 'ann@yahoo.com', finished: true },
    { email: 'ivan-petrov@yandex.ru', finished: false },
    { email: 'ivanpetrov@yandex.ru', finished: true },
  ]);
  assert.deepEqual(await owner.rows('select from customer_level'), [], 'a level that an address had is no account’s');
  const keys = async (table: string) =>
    (await owner.rows<{ key: string }>(`select key from ${table} order by key`)).map(({ key }) => key);
  assert.deepEqual(await keys('limit_use'), [
    'account:PAYPAL_USD:i.p@ya.ru',
    'email:ivan-petrov@yandex.ru',
    'reversible:email:i-p@yandex.ru',
  ]);
  assert.deepEqual(await keys('short_lock'), ['typed:d:email:i-p@yandex.ru']);
});

test('what was counted, paid at a provider or said about orders, withdrawals, transfers and deposits has its owner’s kind', async (t) => {
  const { owner, upgrade } = await before(t, '0157');
  const [ann, bob, order] = [randomUUID(), randomUUID(), randomUUID()];
  const [withdrawal, transfer, deposit] = [randomUUID(), randomUUID(), randomUUID()];
  await owner.run(
    `insert into account_holder (id, email, email_key, locale, created_at) select id, id::text, id::text, 'en', now() from unnest($1::uuid[]) as id`,
    [[ann, bob]],
  );
  await owner.run(
    `insert into wallet_withdrawal (id, holder_id, unit, rail, currency, to_fields, to_key, parts, fee, usd, status, people, asked_at, status_at)
     values ($1, $2, 'BTC', 'bitcoin', 'BTC', '{}', 'bcrt1q', 5, 0, 1, 'approving', 1, now(), now())`,
    [withdrawal, ann],
  );
  await owner.run(
    `insert into wallet_transfer (id, from_holder, to_holder, unit, parts, at) values ($1, $2, $3, 'USDT', 5, now())`,
    [transfer, ann, bob],
  );
  await owner.run(
    `insert into wallet_place (id, holder_id, currency, pay_to, opened_at) values ($1, $2, 'BTC', 'bcrt1qplace', now())`,
    [deposit, ann],
  );
  await owner.run(
    `insert into limit_use (order_id, key, usd, at) select id, 'email:a@x.org', 100, now() from unnest($1::uuid[]) as id`,
    [[order, withdrawal, transfer, deposit]],
  );
  await owner.run(`insert into payer (account, customer, order_id, at) values ('A', 'a@x.org', $1, now())`, [deposit]);
  await owner.run(`insert into unpaid_use (order_id, key, status, at) values ($1, 'email:a@x.org', 'open', now())`, [order]);
  await owner.run(`insert into unpaid_hold (order_id, parts, totals) values ($1, 7, '{USDT}')`, [order]);
  await owner.run(`insert into place (rail, number, to_text, to_key, currency) values ('payeer', 1, 'a', 'a', 'PAYEER_USD')`);
  await owner.run(
    `insert into payin_request (rail, number, amount, label, locale, payer, until, due_at)
     values ('payeer', 1, 5, 'KX-7F3Q-2M8C', 'ru', '{}', now(), now())`,
  );
  await owner.run(
    `insert into support_thread (id, number, order_id, email, locale, topic, about_order, status, created_at, status_at)
     values ($1, 'KX-1', $1, 'a@x.org', 'en', null, null, 'waiting', now(), now()),
       ($2, 'TK-1', null, 'a@x.org', 'en', 'payment', 'KX-1', 'waiting', now(), now())`,
    [order, ann],
  );
  await upgrade();
  const kinds = async (table: string) =>
    new Map(
      (await owner.rows<{ id: string; kind: string }>(`select owner_id as id, owner_kind as kind from ${table}`)).map(
        ({ id, kind }) => [id, kind],
      ),
    );
  assert.deepEqual(await kinds('limit_use'), new Map([[order, 'order'], [withdrawal, 'withdrawal'], [transfer, 'transfer'], [deposit, 'wallet']])); // prettier-ignore
  assert.deepEqual(await kinds('payer'), new Map([[deposit, 'wallet']]));
  assert.deepEqual([await kinds('unpaid_use'), await kinds('unpaid_hold')], [new Map([[order, 'order']]), new Map([[order, 'order']])]); // prettier-ignore
  assert.deepEqual((await owner.row<{ back: unknown }>('select back from payin_request'))?.back, {
    success: '/Ru/payment/success?id=KX-7F3Q-2M8C',
    fail: '/Ru/payment/fail?id=KX-7F3Q-2M8C',
  });
  assert.deepEqual(await owner.rows('select number, owner_kind, owner_id, about_number from support_thread order by number'), [
    { number: 'KX-1', owner_kind: 'order', owner_id: order, about_number: null },
    { number: 'TK-1', owner_kind: null, owner_id: null, about_number: 'KX-1' },
  ]);
});

test('what was on its way to the exchange about what others own is not delivered any more', async (t) => {
  const { owner, upgrade } = await before(t, '0155');
  const [order, wallet] = [randomUUID(), randomUUID()];
  await owner.run(`insert into fact_subscription (subscriber, kind, about) values ('exchange', 'payments.payin', ''),
    ('wallets', 'payments.payin', 'wallet:')`);
  await owner.run(
    `insert into fact (id, kind, subject, body, at) values ($1, 'payments.payin', 'order:1', '{}', now()),
       ($2, 'payments.payin', 'wallet:2', '{}', now())`,
    [order, wallet],
  );
  await owner.run(
    `insert into fact_delivery (subscriber, fact_id, due_at) select subscriber, id, now()
     from fact_subscription join fact using (kind) where starts_with(subject, about)`,
  );
  await upgrade();
  const waiting = await owner.rows(
    `select subscriber, subject, about
     from fact_delivery join fact_subscription using (subscriber, kind) join fact on fact.id = fact_id order by subscriber`,
  );
  assert.deepEqual(waiting, [
    { subscriber: 'exchange', subject: 'order:1', about: 'order:' },
    { subscriber: 'wallets', subject: 'wallet:2', about: 'wallet:' },
  ]);
});
