// Single rows of the order machine whose refusals or results matter.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Context } from '../order/events/events.ts';
import { actorOf } from './machine.ts';
import { ACCOUNT, CONTEXT, DAY, EXCHANGED, NOW, START, next, orderIn, payment, refusedOf } from './machine.testing.ts';
import { makeOffer } from './offers.ts';
import { EMPTY, type OrderView, type SideAccount } from '../order/order.ts';
import { ROWS } from './rows.ts';

const account = (side: SideAccount['side']): SideAccount => ({ ...ACCOUNT, side });

describe('an account belongs to one side', () => {
  test('a failed transfer takes a new account of its own side only', () => {
    const payout = orderIn('undelivered', { out: 18n }, { exchange: EXCHANGED });
    assert.equal(refusedOf(payout, { type: 'new_account', account: account('give') }), 'choice_not_open');
    const paid = next(payout, { type: 'new_account', account: account('get') }).next;
    assert.deepEqual([paid.receive, paid.refund], [ACCOUNT, payout.refund]);
    const refund = orderIn('undelivered', { in: 20n });
    assert.equal(refusedOf(refund, { type: 'new_account', account: account('get') }), 'choice_not_open');
    assert.deepEqual(next(refund, { type: 'new_account', account: account('give') }).next.refund, ACCOUNT);
  });

  test('unclaimed money takes an account of its own side from any claimant', () => {
    for (const type of ['claim', 'op_claim'] as const) {
      const given = orderIn('unclaimed', { unclaimedIn: 20n });
      assert.ok(refusedOf(given, { type, account: account('get') }));
      assert.equal(next(given, { type, account: account('give') }).next.state, 'refunding');
      const got = orderIn('unclaimed', { unclaimedOut: 18n }, { exchange: EXCHANGED });
      assert.ok(refusedOf(got, { type, account: account('give') }));
      assert.equal(next(got, { type, account: account('get') }).next.state, 'paying');
    }
  });

  test('a refund account belongs to the given side', () => {
    const order = orderIn('choosing', { in: 20n });
    assert.equal(refusedOf(order, { type: 'give_route', account: account('get') }), 'choice_not_open');
    assert.deepEqual(next(order, { type: 'give_route', account: account('give') }).next.refund, ACCOUNT);
  });

  test('a refund to the payment’s source goes nowhere else', () => {
    const source = { fields: { capture: 'c' }, key: 'capture:c' };
    const came = { ...payment('final'), source };
    const order = { ...orderIn('choosing', { in: 20n }, {}, [came]), refund: source };
    for (const state of ['choosing', 'holding'] as const)
      assert.equal(refusedOf({ ...order, state }, { type: 'give_route', account: account('give') }), 'choice_not_open');
    assert.equal(next(order, { type: 'choose_refund' }).next.refund, source);
    const waited = { event: 'give_route', account: account('give'), from: NOW } as const;
    assert.equal(
      refusedOf(order, { type: waited.event, account: waited.account }),
      'choice_not_open',
      'nor one that had to wait',
    );
  });

  test('a refund is reduced by sending cost and provider’s deduction, unless the desk caused it', () => {
    const came = { ...payment('final'), retained: 3n };
    const order = orderIn('choosing', { in: 20n }, {}, [came, { ...payment('seen'), id: 'q', retained: 5n }]);
    const cost = order.pinned.refundCost + 3n;
    const { transfer } = next(order, { type: 'choose_refund' }).next.facts;
    assert.deepEqual([transfer?.parts, transfer?.cost], [20n - cost, cost]);
    const ours = next({ ...order, facts: { ...order.facts, isFreeRefund: true } }, { type: 'choose_refund' }).next.facts;
    assert.deepEqual([ours.transfer?.parts, ours.transfer?.cost], [20n, 0n]);
  });

  test('a failed refund of a reversible payment goes nowhere else either, except by two operators', () => {
    const came = { ...payment('final'), source: { fields: { capture: 'c' }, key: 'capture:c' } };
    const failed = orderIn('undelivered', { in: 20n }, {}, [came]);
    const rests = orderIn('unclaimed', { unclaimedIn: 20n }, {}, [came]);
    const lasting = (order: OrderView): OrderView => ({ ...order, pinned: { ...order.pinned, isReversible: false } });
    for (const [order, type] of [
      [failed, 'new_account'],
      [rests, 'claim'],
    ] as const) {
      assert.equal(refusedOf(order, { type, account: account('give') }), 'choice_not_open');
      assert.equal(next(lasting(order), { type, account: account('give') }).next.state, 'refunding');
    }
    assert.equal(next(rests, { type: 'op_claim', account: account('give') }).next.state, 'refunding');
  });

  test('a waiting account is dropped with its state; a refund account waits on where one can be given', () => {
    const from = new Date(DAY);
    const pending = { event: 'new_account', account: account('get'), from } as const;
    const failed = orderIn('undelivered', { out: 18n }, { exchange: EXCHANGED, pending });
    assert.equal(next(failed, { type: 'op_retry' }).next.facts.pending, undefined);
    const route = { event: 'give_route', account: account('give'), from } as const;
    const choosing = orderIn('choosing', { in: 20n }, { pending: route });
    assert.deepEqual(next(choosing, { type: 'op_hold' }).next.facts.pending, route);
    assert.equal(next(choosing, { type: 'choose_refund' }).next.facts.pending, undefined);
  });
});

describe('a flagged payment that belongs to no order is held alone', () => {
  for (const screening of ['soft', 'hard'] as const) {
    test(screening, () => {
      const done = orderIn('completed', {}, {}, []);
      const [further] = next(done, { type: 'payin_final', payment: payment('final') }, { screening }).effects;
      assert.equal(further?.do === 'open_unallocated' && further.held, screening);
      const reversed = orderIn('completed', {}, {}, [payment('reversed')]);
      const [won] = next(reversed, { type: 'dispute_won', payment: 'p', parts: 20n }, { screening }).effects;
      assert.equal(won?.do === 'open_unallocated' && won.held, screening);
    });
  }
  test('a clean one is not', () => {
    const [effect] = next(orderIn('completed', {}, {}, []), { type: 'payin_final', payment: payment('final') }).effects;
    assert.ok(effect?.do === 'open_unallocated' && effect.held === undefined);
  });
});

describe('a refund smaller than its sending cost', () => {
  test('is neither tried again nor created by a buy-back', () => {
    const left = (parts: bigint) => orderIn('undelivered', { in: parts }, { isTransient: true, tries: 1 });
    const { refundCost } = left(0n).pinned;
    for (const event of [{ type: 'retry' }, { type: 'op_retry' }, { type: 'new_account', account: account('give') }] as const) {
      assert.ok(refusedOf(left(refundCost), event));
      assert.equal(next(left(refundCost + 1n), event).next.state, 'refunding');
    }
    assert.equal(next(left(refundCost), { type: 'deadline' }, { now: new Date(4 * DAY) }).next.state, 'unclaimed');
  });

  test('a buy-back that brings no more than it costs is neither offered nor accepted', () => {
    const order = orderIn('undelivered', { out: 18n }, { exchange: EXCHANGED });
    const offer = makeOffer(order, CONTEXT);
    assert.ok(offer);
    const small = { ...offer, parts: order.pinned.refundCost };
    const holding = (one: typeof offer): OrderView => ({ ...order, facts: { ...order.facts, offer: one } });
    const take = { type: 'take_back', offer: offer.number } as const;
    assert.equal(refusedOf(holding(small), take), 'choice_not_open');
    assert.equal(next(holding(offer), take).next.state, 'refunding');
    const dear = { ...order, pinned: { ...order.pinned, refundCost: offer.parts } };
    assert.equal(makeOffer(dear, CONTEXT), undefined);
  });
});

test('an offer for more money than is left can’t be accepted, and ends with a reversal', () => {
  const payments = [payment('final', 12n), { ...payment('final', 8n), id: 'q' }];
  const whole = orderIn('choosing', { in: 20n }, {}, payments);
  const offer = makeOffer(whole, CONTEXT);
  assert.ok(offer);
  const offered = { ...whole, facts: { ...whole.facts, offer } };
  const less = { ...offered, positions: { ...offered.positions, in: 8n } };
  assert.equal(refusedOf(less, { type: 'choose_continue', offer: offer.number }), 'choice_not_open');
  assert.equal(next(offered, { type: 'payin_reversed', payment: 'p', parts: 12n }).next.facts.offer, undefined);
});

test('a stopped payout needs the approvals of its sum, and at least one', () => {
  const transfer = { intent: 'i', kind: 'payout', parts: 18n, cost: 0n } as const;
  const queued = orderIn('paying', { transfer: 18n }, { exchange: EXCHANGED, transfer });
  for (const [people, needs] of [
    [0, 1],
    [1, 1],
    [2, 2],
  ] as const) {
    const stopped = next(queued, { type: 'stop' }, { approvalFor: () => ({ people }) }).next;
    assert.deepEqual(stopped.facts.approval, { people: needs });
  }
});

test('an event has the same actor in all its rows', () => {
  for (const { event, who } of ROWS) assert.equal(actorOf(event), who, event);
});

test('a receivable is written off with proof, or 180 days after the last reversal', () => {
  const done = orderIn('completed', {}, {}, [payment('final', 12n), { ...payment('final', 8n), id: 'q' }]);
  const once = next(done, { type: 'payin_reversed', payment: 'p', parts: 12n }, { now: START }).next;
  const owing = next(once, { type: 'payin_reversed', payment: 'q', parts: 8n }, { now: new Date(DAY) }).next;
  const off = (evidence: string) => ({ type: 'write_off', evidence }) as const;
  const after = (days: number) => ({ now: new Date(days * DAY) });
  assert.equal(refusedOf(owing, off(''), after(180)), 'action_not_open');
  assert.equal(refusedOf(owing, off('  '), after(180)), 'action_not_open');
  assert.equal(next(owing, off(''), after(181)).next.positions.loss, 20n);
  assert.equal(next(owing, off('bankrupt'), after(1)).next.positions.loss, 20n);
});

describe('a reversal by the rail', () => {
  const [some, more] = [payment('final', 12n), { ...payment('seen', 8n), id: 'q' }];
  const taken = (order: OrderView, parts: bigint) => next(order, { type: 'payin_reversed', payment: 'p', parts }).next;

  test('leaves a waiting order at its rate; with nothing left or on its way the order is over', () => {
    const waiting = orderIn('seen', { in: 12n, reserve: 18n }, { isLate: false }, [some, more]);
    for (const parts of [5n, 12n]) {
      const { state, facts, positions } = taken(waiting, parts);
      assert.deepEqual([state, facts.isLate, positions.in, positions.reserve], ['seen', false, 12n - parts, 18n], `${parts}`);
    }
    const { state, facts, positions } = taken({ ...waiting, payments: [some] }, 12n);
    assert.deepEqual([state, facts.isLate, facts.lateFor, positions], ['reversed', true, 'undone', EMPTY]);
  });

  test('ends the locked rate of an order whose customer chooses, even if money is left', () => {
    const choosing = orderIn('choosing', { in: 12n, reserve: 18n }, { isLate: false }, [some]);
    const { state, facts, positions } = taken(choosing, 5n);
    assert.deepEqual([state, facts.isLate, facts.lateFor, positions], ['choosing', true, 'undone', { ...EMPTY, in: 7n }]);
  });

  test('adds to an existing debt, and leaves money that came back since', () => {
    const owing = orderIn('choosing', { in: 12n, receivable: 5n }, {}, [some]);
    const { state, facts, positions } = taken(owing, 12n);
    assert.deepEqual([state, facts.owedSince, positions], ['choosing', NOW, { ...EMPTY, in: 12n, receivable: 17n }]);
  });

  test('that is undone settles the debt; the rest becomes a final payment of its own', () => {
    const charged = orderIn('charged_back', { receivable: 15n }, { ended: 'completed' }, [payment('reversed')]);
    const won = next(charged, { type: 'dispute_won', payment: 'p', parts: 20n });
    const [opened] = won.effects.flatMap((one) => (one.do === 'open_unallocated' ? one.pieces : []));
    assert.deepEqual([won.next.state, won.next.positions], ['completed', EMPTY]);
    assert.deepEqual([opened?.parts, opened?.status], [5n, 'final']);
    assert.deepEqual(
      won.next.payments.map(({ parts, status }) => [parts, status]),
      [[15n, 'final']],
    );
  });
});

describe('the outcome of a transfer', () => {
  const exchange = EXCHANGED;
  const payout = { intent: 'i', kind: 'payout', parts: 18n, cost: 0n } as const;
  const refund = { intent: 'i', kind: 'refund', parts: 20n, cost: 0n } as const;
  const paying = (facts: Partial<OrderView['facts']> = {}) =>
    orderIn('paying', { transfer: 18n }, { exchange, transfer: payout, tries: 0, ...facts });
  const refunding = orderIn('refunding', { transfer: 20n }, { transfer: refund, tries: 0 });

  test('failed: its money returns to the order, and the try is counted up to the maximum', () => {
    const { rules } = CONTEXT;
    for (const [tries, then] of [
      [0, 1],
      [rules.retries - 1, rules.retries],
      [rules.retries, rules.retries],
    ] as const) {
      const failed = next(paying({ tries }), { type: 'transfer_failed', isTransient: true }).next;
      assert.deepEqual([failed.state, failed.facts.tries, failed.facts.isTransient], ['undelivered', then, true]);
      assert.deepEqual(failed.positions, { ...EMPTY, out: 18n });
    }
    const back = next(refunding, { type: 'transfer_failed', isTransient: false }).next;
    assert.deepEqual([back.positions, back.facts.isTransient], [{ ...EMPTY, in: 20n }, false]);
  });

  test('final: the order ends by the transfer’s kind; with a debt it is charged back', () => {
    const sentAs = (order: OrderView): OrderView => {
      const { transfer, ...facts } = order.facts;
      return {
        ...order,
        positions: { ...order.positions, transfer: 0n },
        facts: { ...facts, ...(transfer && { sent: transfer }) },
      };
    };
    const end = (order: OrderView) => next(sentAs(order), { type: 'transfer_final' }).next;
    for (const [order, ended] of [
      [paying({ tries: 2 }), 'completed'],
      [refunding, 'refunded'],
    ] as const) {
      const over = end(order);
      assert.deepEqual([over.state, over.facts.ended, over.facts.tries], [ended, ended, 0]);
      const owes = end({ ...order, positions: { ...order.positions, receivable: 5n } });
      assert.deepEqual([owes.state, owes.facts.ended], ['charged_back', ended]);
    }
  });

  test('stopped: a payout waits for approval, and a refund is held', () => {
    const stopped = next(paying({ approved: 1 }), { type: 'stop' }).next;
    assert.deepEqual([stopped.state, stopped.facts.approved, stopped.facts.isStopped], ['approving', undefined, true]);
    const held = next(refunding, { type: 'stop' }).next;
    assert.deepEqual([held.state, held.facts.hold?.cause, held.positions.in], ['holding', 'soft', 20n]);
  });
});

describe('a payment that is seen, or dropped', () => {
  const seen = (order: OrderView): OrderView => next(order, { type: 'payin_seen', payment: payment('seen') }).next;
  const gone = (order: OrderView, context: Partial<Context> = {}) =>
    next(order, { type: 'payin_dropped', payment: 'p' }, context).next;
  const fresh = orderIn('awaiting', { reserve: 18n }, { isLate: false }, []);
  const { lockUntil } = fresh.pinned;

  test('reopens a finished order, as late', () => {
    assert.deepEqual([seen(fresh).state, seen(fresh).facts.isLate, seen(fresh).payments.length], ['seen', false, 1]);
    for (const state of ['expired', 'cancelled', 'reversed'] as const) {
      const again = seen({ ...fresh, state, positions: EMPTY });
      assert.deepEqual([again.state, again.facts.isLate, again.payments.length], ['seen', true, 1], state);
    }
  });

  test('when dropped, leaves its order waiting until the lock ends, then expired; other money is the customer’s choice', () => {
    const before = new Date(lockUntil.getTime() - 1);
    const open = gone(seen(fresh), { now: before });
    assert.deepEqual([open.state, open.facts.isLate, open.payments, open.positions.reserve], ['awaiting', false, [], 18n]);
    const over = gone(seen(fresh), { now: lockUntil });
    assert.deepEqual([over.state, over.facts.isLate, over.positions], ['expired', true, EMPTY]);
    const other = { ...payment('final', 12n), id: 'q' };
    const some = gone({ ...seen(fresh), payments: [other, payment('seen', 8n)], positions: { ...EMPTY, in: 12n } });
    assert.deepEqual([some.state, some.payments], ['choosing', [other]]);
    const another = gone({ ...seen(fresh), payments: [payment('seen'), { ...payment('seen'), id: 'q' }] });
    assert.deepEqual([another.state, another.payments.length], ['seen', 1], 'another is on its way');
  });
});

test('a freeze holds all of an order’s money, which is later held again, or surrendered', () => {
  const exchanged = orderIn('approving', { out: 18n }, { exchange: EXCHANGED, isLate: false });
  const frozen = next(exchanged, { type: 'freeze' }).next;
  assert.deepEqual([frozen.state, frozen.positions, frozen.facts.lateFor], ['frozen', { ...EMPTY, frozen: 20n }, 'checked']);
  const held = next(frozen, { type: 'unfreeze' }).next;
  assert.deepEqual([held.state, held.positions, held.facts.hold?.cause], ['holding', { ...EMPTY, in: 20n }, 'hard']);
  const given = next(frozen, { type: 'surrender' }).next;
  assert.deepEqual([given.state, given.positions, given.facts.ended], ['surrendered', EMPTY, 'surrendered']);
});
