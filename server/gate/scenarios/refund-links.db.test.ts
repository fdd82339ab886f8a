// The link of a refund claims its money, so the calls of a store show it only to the refund's maker and to the owner.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { routes } from '@kurs/contract';
import type { Context } from '../../platform/index.ts';
import type { RefundMaker } from '../refunds/machine/refund.ts';
import { refundRoutes } from '../refunds/routes.ts';
import { type RefundWorld, openRefundWorld } from './refund-world.testing.ts';

let world: RefundWorld;
let bound: ReturnType<typeof refundRoutes>;
before(async () => {
  world = await openRefundWorld();
  bound = refundRoutes({ db: world.db, sender: world.sender });
});
after(() => world.close());

/** Returns the context of a call by a member, or by an API key with permissions. */
function callOf({ kind, id }: RefundMaker, permissions: readonly string[] = []): Context {
  const common = { db: world.db, locale: 'en', ip: '203.0.113.9' };
  if (kind === 'member') return { ...common, user: { id }, principal: { kind: 'user', id } } as unknown as Context;
  const grants = [{ on: { kind: 'store', id: world.store.id }, permissions }];
  return { ...common, principal: { kind, id, grants } } as unknown as Context;
}

const another = (kind: RefundMaker['kind']): RefundMaker => ({ kind, id: randomUUID(), isProposed: false });

test('the owner sees the link of every refund, its maker that of their own, and nobody else sees any', async () => {
  const [manager, key] = [another('member'), another('key')];
  const callers: readonly (readonly [RefundMaker, Context])[] = [
    [world.ownerOfStore, callOf(world.ownerOfStore)],
    [manager, callOf(manager)],
    [key, callOf(key, ['refunds.create', 'invoices.read'])],
    [another('member'), callOf(another('member'))],
    [another('key'), callOf(another('key'), ['invoices.read'])],
  ];
  for (const maker of [world.ownerOfStore, manager, key]) {
    const { id } = await world.refund({ amount: '5.00' }, maker);
    for (const [caller, context] of callers) {
      const seen = await bound.storeRefund({ store: world.store.id, id }, context);
      assert.deepEqual(routes.storeRefund.output.parse(seen), seen);
      const maySee = caller.id === maker.id || caller === world.ownerOfStore;
      assert.equal(seen.url?.includes('token=') ?? false, maySee, `${caller.kind} sees the refund of a ${maker.kind}`);
      assert.equal(JSON.stringify(seen).includes('token='), maySee);
    }
  }
});

test('the call that makes a refund answers with its link, and a decision about a claim doesn’t', async () => {
  const [manager, context] = [another('member'), callOf(world.ownerOfStore)];
  const made = await bound.refundMake({ store: world.store.id, amount: '5.00' }, context);
  assert.match(made.url ?? '', /token=/);
  const waiting = await world.refund({ amount: '5.00' }, another('key'));
  await world.claim(waiting);
  const [claim = assert.fail()] = (await world.look(waiting)).claims;
  const refused = await bound.claimRefuse({ store: world.store.id, id: claim.id }, callOf(manager));
  assert.deepEqual([refused.claims[0]?.status, refused.url], ['refused', undefined]);
});

test('claims that wait for a member are listed in pages, the oldest first and each once', async () => {
  const waiting = await world.refund({ amount: '5.00' }, { ...world.ownerOfStore, isProposed: true });
  for (const amount of ['1.00', '2.00', '1.50']) await world.claim(waiting, { amount, method: 'USDT_TRC20' });
  const seen: string[] = [];
  let after: string | undefined;
  do {
    const input = { store: world.store.id, page: 1, per_page: 2, ...(after !== undefined && { after }) };
    const { data, meta } = await bound.refundClaims(input, callOf(world.ownerOfStore));
    assert.equal(meta.total, 3);
    seen.push(...data.map(({ claimed }) => claimed.amount));
    after = meta.next;
  } while (after !== undefined);
  assert.deepEqual(seen, ['1.00', '2.00', '1.50']);
});
