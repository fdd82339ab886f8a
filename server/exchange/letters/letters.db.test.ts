// Letters to customers, in their language, with the right sums.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { queuedLetters } from '../../deliveries/testing.ts';
import { writeHolderMacs } from '../../auth/testing.ts';
import { actOnOrder } from '../actions/desk-actions.ts';
import { choose, withOffer } from '../actions/choose.ts';
import { makeCode } from '../../auth/index.ts';
import { placeOrder } from '../actions/place-order.ts';
import { switchLettersOff } from './letters.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { type Mailed, type World, openWorld } from '../scenarios/world.testing.ts';

describe('letters', () => {
  let world: World;
  before(async () => {
    world = await openWorld();
  });
  after(() => world.close());

  /** Returns the mails with plain spaces. */
  const mails = async (order: StoredOrder): Promise<Mailed[]> =>
    (await world.mails(order)).map((one) => ({
      ...one,
      subject: one.subject.replaceAll('\u00a0', ' '),
      text: one.text.replaceAll('\u00a0', ' '),
    }));
  const newest = async (order: StoredOrder): Promise<Mailed> => (await mails(order)).at(-1) as Mailed;
  const kinds = async (order: StoredOrder): Promise<string[]> => (await mails(order)).map(({ kind }) => kind);
  const chosen = async (order: StoredOrder, choice: 'refund' | 'new_order', offer?: number): Promise<StoredOrder> => {
    const otp = await world.db.tx((tx) => makeCode(tx, { purpose: 'order', subject: order.view.id }));
    return choose(world.deps, {
      id: order.number,
      token: world.token(order),
      choice,
      otp,
      ...(offer !== undefined && { offer }),
    });
  };
  const has = (mail: Mailed, ...parts: (string | RegExp)[]): void => {
    for (const part of parts) assert.match(`${mail.subject}\n${mail.text}`, typeof part === 'string' ? new RegExp(part) : part);
  };

  test('a plain order gets three: placed, received, done, with Russian figures in Russian', async () => {
    const own = await world.holder(3);
    const order = await world.place({ from: 'USDT_ERC20', amount: '1250.5', locale: 'ru', own });
    has(
      await newest(order),
      'отправьте 1 250,50 USDT \\(',
      /Курс зафиксирован до: \d+ \S+ 20\d\d, \d\d:\d\d UTC/,
      /Вы получаете: 0,\d+ BTC/,
    );
    world.pay(order);
    await world.mine(70);
    await world.mine(70);
    assert.deepEqual(await kinds(order), ['placed', 'received', 'done']);
    has(await newest(order), 'выполнена: отправлено 0,\\d+ BTC', 'Вы отправили: 1 250,50 USDT', /Транзакция: \S+/);
    for (const { text, html, subject } of await mails(order)) assert.doesNotMatch(subject + text + html, /[{}]|\d\.\d|undefined/);
  });

  test('an account holder may switch off progress letters, but still gets letters that need an answer', async () => {
    const holderId = '0199a7d2-7a3e-7c10-9f00-3f1c5e2b7a11';
    await world.db.run(
      `insert into account_holder (id, email, email_key, locale, created_at, has_progress_letters)
       values ($1, 'quiet@example.org', 'quiet@example.org', 'en', now(), false)`,
      [holderId],
    );
    await writeHolderMacs(world.db);
    const switchesOf = async (order: StoredOrder) => {
      const found = await queuedLetters(world.db, { key: `order ${order.view.id} %` });
      return found.map(({ key, offAt }) => ({ kind: key.split(' ')[2], at: offAt ?? null }));
    };
    await world.db.run('update account_holder set has_progress_letters = true where id = $1', [holderId]);
    await writeHolderMacs(world.db);
    const loud = await placeOrder(world.deps, { ...(await world.calculate()), holderId });
    world.pay(loud, '0.0045');
    await world.turn();
    const [placed, request] = await switchesOf(loud);
    assert.deepEqual(
      [placed?.kind, request?.kind, request?.at],
      ['placed', 'needs_you', null],
      'what needs them names no switch',
    );
    const link = new URL(placed?.at ?? '');
    assert.match(link.href, /\/En\/letters\?/);
    const [holder, token] = [link.searchParams.get('holder') ?? '', link.searchParams.get('token') ?? ''];
    const { tokens } = world.deps.sender;
    await assert.rejects(switchLettersOff(world.db, tokens, { holder, token: `${token}x` }), { code: 'not_found' });
    await assert.rejects(switchLettersOff(world.db, tokens, { holder: loud.view.id, token }), { code: 'not_found' });
    await switchLettersOff(world.db, tokens, { holder, token });
    const visitor = await world.place();
    assert.deepEqual(await switchesOf(visitor), [{ kind: 'placed', at: null }], 'a visitor has nothing to switch');
    const quiet = await placeOrder(world.deps, { ...(await world.calculate()), holderId });
    world.pay(quiet, '0.0045');
    await world.turn();
    assert.deepEqual(await kinds(quiet), ['needs_you']);
  });

  test('times are in the account’s time zone, and in UTC for a guest', async () => {
    const holderId = '0199a7d2-7a3e-7c10-9f00-3f1c5e2b7a12';
    await world.db.run(
      `insert into account_holder (id, email, email_key, locale, timezone, created_at)
       values ($1, 'tokyo@example.org', 'tokyo@example.org', 'en', 'Asia/Tokyo', now())`,
      [holderId],
    );
    await writeHolderMacs(world.db);
    const [own, guest] = [await placeOrder(world.deps, { ...(await world.calculate()), holderId }), await world.place()];
    for (const order of [own, guest]) world.pay(order, '0.0045');
    await world.turn();
    for (const { text, kind } of await mails(own)) {
      assert.match(text, /\d\d:\d\d GMT\+9/, kind);
      assert.doesNotMatch(text, /UTC/, kind);
    }
    for (const { text, kind } of await mails(guest)) assert.match(text, /\d\d:\d\d UTC/, kind);
  });

  test('a payment of 90 %: the missing sum, the deadline, and the automatic outcome', async () => {
    const order = await world.place();
    world.pay(order, '0.0045');
    await world.turn();
    assert.deepEqual(await kinds(order), ['placed', 'needs_you'], 'as soon as the network shows it');
    await world.mine();
    assert.deepEqual(await kinds(order), ['placed', 'needs_you'], 'and once');
    has(
      await newest(order),
      'send the remaining 0.0005 BTC',
      'see 0.0045 BTC of 0.0050 BTC',
      /by \S+ \d+, 20\d\d, \d\d:\d\d UTC/,
      'you receive 40\\d.\\d\\d USDT',
    );
    await world.pass(16);
    assert.deepEqual((await kinds(order)).slice(0, 3), ['placed', 'needs_you', 'received']);
    // 0.5 % and the networks' costs are deducted; the rest is worth the payout at the rate in the letter.
    has(
      (await mails(order))[2] as Mailed,
      'received 0.0045 BTC',
      'You sent: 0.0045 BTC',
      'Our fee, 0.5%: \u22120.0000225 BTC',
      'Network costs: \u22120.00000667 BTC',
      'Rate: 1 BTC = 90,000 USDT',
      'You receive: 402.37 USDT',
    );
  });

  test('a payment of 40 %: at once that they must choose, later the deadline; after silence the refunded sum', async () => {
    const order = await world.place({ locale: 'ru' });
    world.pay(order, '0.002');
    await world.mine();
    has(await newest(order), 'дошлите 0,0030 BTC', 'Видим 0,0020 BTC из 0,0050 BTC', 'какой ниже');
    await world.price('85000');
    await world.pass(16);
    assert.deepEqual(await kinds(order), ['placed', 'needs_you', 'needs_you']);
    has(
      await newest(order),
      'нужен ваш выбор',
      'Пришла не вся сумма',
      /или вернуть 0,00\d+ BTC/,
      /Выберите до .* UTC. Иначе вернём 0,00\d+ BTC/,
    );
    await world.price('90000');
    await world.pass(72 * 60);
    await world.mine(6);
    await world.mine(6);
    const mail = await newest(order);
    assert.equal(mail.kind, 'refunded');
    has(mail, /возвращено 0,001\d+ BTC/, /Возврат: 0,001\d+ BTC/, /Расходы на отправку: 0,0000\d+ BTC/);
  });

  test('a customer who sends the rest is only told of its arrival', async () => {
    const order = await world.place();
    world.pay(order, '0.0045');
    world.pay(order, '0.0005');
    await world.mine();
    assert.deepEqual(
      (await kinds(order)).filter((kind) => kind !== 'needs_you' && kind !== 'done'),
      ['placed', 'received'],
    );
    has((await mails(order)).find(({ kind }) => kind === 'received') as Mailed, 'received 0.0050 BTC');
  });

  test('an unallocated payment gets a letter, and so does the order made of it', async () => {
    const order = await world.place();
    world.pay(order);
    await world.mine();
    world.pay(order, '0.002');
    await world.mine(2);
    const unallocated = (await world.unallocatedPayments(order)).find(({ view }) => view.kind === 'unallocated') as StoredOrder;
    has(
      await newest(unallocated),
      `Payment ${unallocated.number}: your choice`,
      'Your 0.0020 BTC came outside an order',
      'Otherwise we return 0.00\\d+ BTC',
    );
    const { view } = await withOffer(world.deps, unallocated);
    await chosen(unallocated, 'new_order', view.facts.offer?.number);
    const made = (await world.unallocatedPayments(order)).find((one) => one.view.kind === 'order') as StoredOrder;
    const [placed, received] = await mails(made);
    assert.deepEqual([placed?.kind, received?.kind], ['placed', 'received']);
    has(placed as Mailed, `Order ${made.number} is placed`, 'already with us');
    assert.doesNotMatch(placed?.text ?? '', /Send 0/);
  });

  test('a hold and a freeze get the same letter, once; a refund by the desk names the sum', async () => {
    world.holdSends();
    const order = await world.place();
    world.pay(order);
    await world.mine();
    const act = (name: 'stop' | 'hold' | 'freeze' | 'unfreeze' | 'decide_refund', by: string | [string, string]) =>
      world.db.tx((tx) => actOnOrder(tx, world.deps.sender, { number: order.number, action: name, by, reason: 'test' }));
    await act('freeze', ['clara', 'karl']);
    const reported = await newest(order);
    assert.equal(reported.kind, 'checking');
    has(reported, 'we will write to you');
    // A secret in a link may contain any word.
    assert.doesNotMatch(reported.text.replace(/https?:\S+/g, ''), /frozen|law|sanction|after \w+ \d/i);
    await act('unfreeze', ['clara', 'karl']);
    assert.equal((await kinds(order)).filter((kind) => kind === 'checking').length, 1);
    await act('decide_refund', 'clara');
    has(await newest(order), 'cannot carry', /0.00\d+ BTC goes back to your refund address/);
  });
});
