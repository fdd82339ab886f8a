// Actions of the desk's people, and conflicts with simultaneous actions of customers.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Problem } from '@kurs/contract';
import { configureCompliance, screenPayments, screenPayouts } from '../../compliance/index.ts';
import { type ActionInput, actOnOrder, openActions } from '../actions/desk-actions.ts';
import { cancelOrder } from '../actions/cancel-order.ts';
import { choose, withOffer } from '../actions/choose.ts';
import { makeCode } from '../../auth/index.ts';
import { newId } from '../../platform/index.ts';
import { openDesk } from '../apply/desk-state.ts';
import { ordersMayLeave } from '../apply/payout-obstacles.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import * as postings from '../machine/postings.ts';
import { showOrder } from '../views/track.ts';
import { type PlaceOptions, type World, openWorld } from './world.testing.ts';

const PLAIN = { botKey: 'key', passToken: 'sandbox', isLoopbackCounted: true } as const;
const code = (name: string) => (error: Problem) => error.code === name;

describe('actions of the desk', () => {
  let world: World;
  before(async () => {
    world = await openWorld();
    world.holdSends();
  });
  after(() => world.close());

  const state = (order: StoredOrder): Promise<string> => world.state(order);
  const act = (order: StoredOrder, name: ActionInput['action'], given: Partial<ActionInput> = {}): Promise<string> =>
    world.db.tx((tx) =>
      actOnOrder(tx, world.deps.sender, { number: order.number, action: name, by: 'olga', reason: 'test', ...given }),
    );

  async function paid(options: PlaceOptions = {}): Promise<StoredOrder> {
    const order = await world.place(options);
    world.pay(order);
    await world.mine(6);
    return order;
  }

  /** Returns a paid order of a customer who may exchange larger sums. */
  async function verified(email: string, amount: string): Promise<StoredOrder> {
    return paid({ own: await world.holder(3, email), amount });
  }

  /** Returns an order that was cancelled, then paid at a worse rate: it waits for a choice. */
  async function choosing(): Promise<StoredOrder> {
    const order = await world.place();
    await cancelOrder(world.deps, { id: order.number, token: world.token(order) });
    await world.price('80000');
    world.pay(order);
    await world.mine();
    await world.price('90000');
    assert.equal(await state(order), 'choosing');
    return order;
  }

  test('above 3 000 USD an operator approves; without one a hold, then a refund', async () => {
    const order = await verified('large@example.org', '0.05');
    assert.equal(await state(order), 'approving');
    await world.audit();
    assert.equal(await act(order, 'approve'), 'queued');
    await world.audit();
    const silent = await verified('silent@example.org', '0.05');
    await world.pass(24 * 60 + 1);
    assert.equal(await state(silent), 'holding');
    await world.audit();
    await world.pass(72 * 60 + 1);
    const { view } = await world.order(silent);
    assert.equal(view.state, 'refunding');
    // Nobody of the desk reviewed it, so the refund has no deductions.
    assert.equal(view.facts.transfer?.parts, silent.view.give.parts);
    await world.audit();
  });

  test('above 20 000 USD two approve, and not the same one twice', async () => {
    const order = await verified('larger@example.org', '0.3');
    await assert.rejects(act(order, 'approve'), code('second_person_required'));
    await assert.rejects(act(order, 'approve', { by: ['olga', 'olga'] }), code('same_person'));
    assert.equal(await state(order), 'approving');
    assert.equal(await act(order, 'approve', { by: ['olga', 'oleg'] }), 'queued');
    await world.audit();
  });

  test('actions that need two people are refused to one', async () => {
    const order = await verified('two@example.org', '0.05');
    assert.equal(await state(order), 'approving');
    await assert.rejects(act(order, 'freeze', { by: 'clara' }), code('second_person_required'));
    await assert.rejects(act(order, 'freeze', { by: ['clara', 'clara'] }), code('same_person'));
    assert.equal(await act(order, 'freeze', { by: ['clara', 'karl'] }), 'frozen');
    for (const name of ['unfreeze', 'surrender', 'claim_give', 'claim_get', 'write_off', 'resolve_sent'] as const) {
      await assert.rejects(act(order, name, { by: 'clara', evidence: 'a statement' }), code('second_person_required'));
    }
    await world.audit();
  });

  test('automatic payouts are counted: beyond 10 000 USD an hour they wait', async () => {
    const rows = await world.db.rows('select from moneyout_counted');
    assert.ok(rows.length > 0);
    const id = newId();
    await world.db.run(
      `insert into moneyout_counted (payout_id, kind, customer, usd, currency, parts, at)
       values ($1, 'withdrawal', 'holder:somebody', 1000000, 'BTC', 1, clock_now())`,
      [id],
    );
    const order = await paid();
    assert.equal(await state(order), 'approving');
    await world.db.run('delete from moneyout_counted where payout_id = $1', [id]);
    assert.equal(await act(order, 'approve'), 'queued');
  });

  test('two orders of a group are not promised the same money', async () => {
    const [one, two] = [await world.place(), await world.place()];
    await world.db.tx(async (tx) => {
      const desk = await openDesk(tx, [one, two]);
      const before = desk.context(two).free.get;
      desk.posted(one.view, postings.reserve(one.view, 1_000n).legs);
      assert.equal(desk.context(two).free.get, before - 1_000n);
    });
  });

  test('hold and release: the exchange is reversed; the rate stays until papers are requested', async () => {
    const order = await verified('held@example.org', '0.05');
    const { exchange } = (await world.order(order)).view.facts;
    assert.equal(await act(order, 'hold'), 'holding');
    await world.audit();
    assert.equal((await world.order(order)).view.positions.reserve, exchange?.got, 'what it had brought is promised again');
    assert.deepEqual(openActions((await world.order(order)).view, undefined).toSorted(), [
      'ask_papers',
      'decide_refund',
      'freeze',
      'papers_came',
      'release',
    ]);
    await world.price('95000');
    await world.pass(60);
    assert.equal(await act(order, 'release', { by: 'clara' }), 'approving', 'nothing was asked of them');
    assert.deepEqual((await world.order(order)).view.facts.exchange, exchange);
    assert.equal(await act(order, 'hold'), 'holding');
    assert.equal(await act(order, 'ask_papers', { by: 'clara' }), 'holding');
    await assert.rejects(act(order, 'ask_papers', { by: 'clara' }), code('action_not_open'));
    assert.equal((await world.order(order)).view.positions.reserve, 0n);
    assert.equal((await showOrder(world.deps, await world.order(order))).reason, 'papers');
    assert.ok((await world.letters(order)).includes('papers'));
    await world.audit();
    await world.pass(31);
    assert.equal(await act(order, 'papers_came', { by: 'clara' }), 'holding');
    assert.equal(await act(order, 'release', { by: 'clara' }), 'choosing');
    const { view } = await withOffer(world.deps, await world.order(order));
    assert.equal(view.facts.offer?.parts, exchange?.got, 'the market helped: the locked rate is the lower one');
    await world.price('90000');
    assert.equal((await showOrder(world.deps, await world.order(order))).reason, 'checked');
    await world.audit();
    assert.match(await act(order, 'refund'), /r_queued/);
    assert.ok((await world.letters(order)).includes('rejected'));
    await world.audit();
  });

  test('stop: only before the worker took the payout', async () => {
    const order = await paid();
    assert.equal(await act(order, 'stop'), 'approving');
    await world.audit();
    assert.equal(await act(order, 'approve'), 'queued');
    await world.report(order, 'send');
    await assert.rejects(act(order, 'stop'), code('order_changed'));
  });

  test('a payout stopped above 20 000 USD needs two approvals', async () => {
    const order = await verified('stopped@example.org', '0.3');
    assert.equal(await act(order, 'approve', { by: ['olga', 'oleg'] }), 'queued');
    assert.equal(await act(order, 'stop', { by: 'oleg' }), 'approving');
    await assert.rejects(act(order, 'approve'), code('second_person_required'));
    assert.equal(await act(order, 'approve', { by: ['olga', 'oleg'] }), 'queued');
    await world.audit();
  });

  test('retry: once the cause is gone', async () => {
    const order = await paid();
    await world.report(order, 'send');
    await world.report(order, 'refused');
    assert.equal(await act(order, 'retry'), 'queued');
    await world.audit();
  });

  test('freeze, unfreeze, surrender', async () => {
    const order = await paid();
    assert.equal(await act(order, 'freeze', { by: ['clara', 'karl'] }), 'frozen');
    await world.audit();
    assert.equal(await act(order, 'unfreeze', { by: ['clara', 'karl'] }), 'holding');
    await world.pass(73 * 60);
    assert.equal(await state(order), 'holding');
    assert.equal(await act(order, 'freeze', { by: ['clara', 'karl'] }), 'frozen');
    assert.equal(await act(order, 'surrender', { by: ['clara', 'karl'] }), 'surrendered');
    await world.audit();
  });

  test('a freeze during a send applies once the send fails', async () => {
    const order = await paid();
    await world.report(order, 'send');
    assert.equal(await act(order, 'freeze', { by: ['clara', 'karl'] }), 'sending');
    await world.report(order, 'refused');
    await world.turn();
    assert.equal(await state(order), 'frozen');
    await world.audit();
  });

  test('a freeze while the payout is prepared stops it and applies', async () => {
    const order = await paid();
    await world.report(order, 'send');
    assert.equal(await act(order, 'freeze', { by: ['clara', 'karl'] }), 'sending');
    await world.report(order, 'kept');
    await world.turn();
    assert.equal(await state(order), 'frozen');
    await world.audit();
  });

  test('a loss is written off, and owed again when the money comes back', async () => {
    const order = await paid();
    for (const event of ['send', 'accepted', 'final'] as const) await world.report(order, event);
    const { view } = await world.order(order);
    const payment = view.payments[0];
    await world.reportPayin(order, payment?.id ?? '', 'reversed', { parts: String(payment?.parts) });
    const two = { by: ['olga', 'oleg'] };
    // Within 180 days a write-off needs a proof.
    await assert.rejects(act(order, 'write_off', two), code('action_not_open'));
    await assert.rejects(act(order, 'write_off', { ...two, evidence: ' ' }), code('action_not_open'));
    assert.equal(await act(order, 'write_off', { ...two, evidence: 'the account is closed' }), 'charged_back');
    assert.equal((await world.order(order)).view.positions.loss, order.view.give.parts);
    await world.audit();
    await world.report(order, 'returned');
    await world.turn();
    assert.equal(await state(order), 'reversed');
    await world.audit();
  });

  test('an operator refunds while the customer chooses: one wins, the other learns that the order has changed', async () => {
    for (let round = 0; round < 5; round += 1) {
      const order = await choosing();
      const otp = await world.db.tx((tx) => makeCode(tx, { purpose: 'order', subject: order.view.id }));
      const outcomes = await Promise.allSettled([
        choose(world.deps, { id: order.number, token: world.token(order), choice: 'refund', otp }),
        act(order, 'refund'),
        act(order, 'hold'),
      ]);
      const won = outcomes.filter(({ status }) => status === 'fulfilled');
      assert.equal(won.length, 1);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') assert.equal((outcome.reason as Problem).code, 'order_changed');
      }
      await world.audit();
    }
  });

  test('screening: a payment waits for its verdict; a flagged one holds the order; an unneeded one is held alone', async () => {
    configureCompliance({
      ...PLAIN,
      screener: async (accounts) => accounts.map(({ fields }) => ({ score: fields['address']?.startsWith('bad') ? 90 : 0 })),
    });
    const order = await world.place();
    const chain = world.rails.BTC.world;
    chain.pay(order.payTo ?? '', 1_000n, { from: ['bad-1'] });
    chain.pay(order.payTo ?? '', order.view.give.parts, { from: ['good'] });
    await world.turn();
    await world.mine();
    assert.equal(await state(order), 'seen');
    await screenPayments(world.db);
    await world.pass(1);
    await world.turn();
    const { view } = await world.order(order);
    assert.equal(view.facts.exchange?.give, order.view.give.parts);
    const [unallocated] = await world.unallocatedPayments(order);
    assert.deepEqual(
      [unallocated?.view.state, unallocated?.view.facts.hold?.cause, unallocated?.view.positions.in],
      ['holding', 'soft', 1_000n],
    );
    // Late orders, too: nobody can block another's order by paying flagged money to its address.
    const late = await world.place();
    await world.pass(16);
    chain.pay(late.payTo ?? '', 1_000n, { from: ['bad-4'] });
    chain.pay(late.payTo ?? '', late.view.give.parts, { from: ['good'] });
    await world.turn();
    await world.mine();
    await screenPayments(world.db);
    await world.pass(1);
    await world.turn();
    assert.equal((await world.order(late)).view.facts.exchange?.give, late.view.give.parts);
    assert.equal((await world.unallocatedPayments(late))[0]?.view.state, 'holding');
    // A hold begins when it is made, not when its order ended.
    const ended = await world.place();
    await world.pass(80 * 60);
    chain.pay(ended.payTo ?? '', 2_000n, { from: ['bad-5'] });
    chain.pay(ended.payTo ?? '', ended.view.give.parts, { from: ['good'] });
    await world.mine();
    // Such an old address is polled once a day.
    await world.pass(25 * 60);
    await world.turn();
    await screenPayments(world.db);
    await world.pass(1);
    await world.turn();
    await world.pass(1);
    const held = (await world.unallocatedPayments(ended))[0]?.view;
    const heldFor = (await world.db.now()).getTime() - (held?.facts.hold?.since.getTime() ?? 0);
    assert.ok(held?.state === 'holding' && heldFor < 10 * 60_000, `${held?.state} for ${heldFor} ms`);
    const flagged = await world.place();
    chain.pay(flagged.payTo ?? '', flagged.view.give.parts, { from: ['bad-2'] });
    await world.turn();
    await screenPayments(world.db);
    await world.mine();
    assert.equal(await state(flagged), 'holding');
    // Flagged money for a running or finished order becomes an unallocated payment, and is held as well.
    chain.pay(order.payTo ?? '', 200_000n, { from: ['bad-3'] });
    await world.turn();
    await world.mine(2);
    await screenPayments(world.db);
    await world.pass(15);
    await world.turn();
    const later = (await world.unallocatedPayments(order)).find(({ view: one }) => one.positions.in === 200_000n);
    assert.deepEqual([later?.view.state, later?.view.facts.hold?.cause], ['holding', 'soft']);
    await world.audit();
    configureCompliance(PLAIN);
  });

  test('a refund’s account is screened again as it leaves, unless people decided it', async () => {
    const stored = async (order: StoredOrder) => {
      const { facts, give } = (await world.order(order)).view;
      const { intent: id = '', parts = 0n } = facts.transfer ?? {};
      const leaving = { id, owner: { kind: 'order', id: order.view.id }, purpose: 'refund', to: {}, ...give, parts } as const;
      return (await world.db.tx((tx) => ordersMayLeave(tx, [leaving]))).get(id);
    };
    const [order, decided] = [await choosing(), await choosing()];
    const otp = await world.db.tx((tx) => makeCode(tx, { purpose: 'order', subject: order.view.id }));
    await choose(world.deps, { id: order.number, token: world.token(order), choice: 'refund', otp });
    await act(decided, 'refund');
    const answering = async (score?: number) => {
      const screener = async (accounts: readonly unknown[]) => {
        if (score === undefined) throw new Error('it does not answer');
        return accounts.map(() => ({ score }));
      };
      configureCompliance({ ...PLAIN, screener });
      // The previous screening answer has expired by now.
      await world.pass(11);
      await stored(order);
      await screenPayouts(world.db);
      return stored(order);
    };
    assert.equal(await stored(order), undefined, 'nobody screens');
    assert.equal((await answering())?.mayWait, true, 'silence holds');
    assert.equal((await answering(90))?.reason, 'account_refused');
    assert.equal(await stored(decided), undefined);
    assert.equal(await answering(0), undefined);
    configureCompliance(PLAIN);
  });
});
