// Refunds never pay by a row that SQL changed, never pay twice after a crash, and never give out more than came in.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Db, type Statements, type Tx } from '../../platform/index.ts';
import { refusal } from '../../platform/testing.ts';
import { isFullRun } from '../../../tools/runner/full-run.ts';
import { accounts, balances } from '../../ledger/index.ts';
import { setCap } from '../refunds/actions/caps.ts';
import { claimRefund } from '../refunds/actions/claim-refund.ts';
import { refundSecret } from '../refunds/refund-secret.ts';
import { capsOf } from '../refunds/rows/cap-rows.ts';
import { CLAIMANT, type RefundWorld, openRefundWorld, usdt } from './refund-world.testing.ts';

let world: RefundWorld;
before(async () => {
  world = await openRefundWorld('9000');
});
after(() => world.close());

/** Runs SQL that no application can run. */
const tamper = (sql: string, ...values: readonly unknown[]): Promise<void> =>
  world.owner.tx(async (tx) => {
    await tx.run('set local session_replication_role = replica');
    await tx.run(sql, values);
  });

test('a claim whose account was changed by SQL sends nothing, and the night accuses it', async () => {
  const refund = await world.refund({ amount: '40.00', invoice: (await world.paid()).view.id });
  await world.claim(refund);
  const [claim] = (await world.look(refund)).claims;
  assert.ok(claim);
  const { address } = world.rails.USDT_ERC20.receiver();
  await tamper(
    `update store_refund_claim set body = jsonb_set(body, '{to,address}', to_jsonb($2::text)) where id = $1`,
    claim.id,
    address,
  );
  await world.send();
  const [row] = await world.db.rows<{ status: string }>('select status from payout where id = $1', [claim.id]);
  assert.equal(row?.status, 'stopped');
  assert.ok(
    (await world.prove()).some((words) => words.startsWith(claim.id)),
    'accused',
  );
  await tamper(
    `update store_refund_claim set body = jsonb_set(body, '{to,address}', to_jsonb($2::text)) where id = $1`,
    claim.id,
    claim.to['address'],
  );
  await world.send();
  assert.equal((await world.look(refund)).claims[0]?.state, 'approving');
  assert.deepEqual(await world.prove(), []);
});

test('a refund whose sum was changed by SQL is claimed by nobody, and a changed cap counts as 0', async () => {
  const refund = await world.refund({ amount: '40.00', invoice: (await world.paid()).view.id });
  const was = refund.rests[0]?.parts ?? 0n;
  const set = (parts: bigint) =>
    tamper(
      `update store_refund set body = jsonb_set(body, '{rests,0,parts}', to_jsonb($2::text)) where id = $1`,
      refund.id,
      `${parts}n`,
    );
  await set(was * 10n);
  assert.equal(await refusal(() => world.claim(refund)), 'record_altered');
  assert.ok((await world.prove()).some((words) => words.startsWith(refund.id)));
  await set(was);
  assert.deepEqual(await world.prove(), []);
  await setCap(world.db, { store: world.store.id, cap: '10' }, world.store.holderId);
  await tamper('update store_refund_cap set usd = 1000000');
  assert.deepEqual(await capsOf(world.db, world.store.id), []);
  assert.ok((await world.prove()).some((words) => words.startsWith(world.store.id)));
  await tamper('update store_refund_cap set usd = 1000');
  assert.equal((await capsOf(world.db, world.store.id))[0]?.usd, 1_000n);
});

test('claims of one dollar cost the desk nothing, however many there are', async () => {
  const count = isFullRun ? 1_000 : 25;
  const amount = (count * 1.2).toFixed(2);
  const refund = await world.refund({ amount, invoice: (await world.paid(amount)).view.id });
  const own = async (): Promise<bigint> => {
    const [fee = 0n, spent = 0n, fuel = 0n] = await balances(world.db, [
      accounts.income('fee', 'USDT'),
      accounts.spent('network', 'TRX'),
      accounts.spent('network', 'ETH'),
    ]);
    // A TRX costs at most 0.30 USD in these tests, and an ETH at most 4 000 USD.
    return fee - (spent * 3n) / 10n - (fuel * 4_000n) / 10n ** 12n;
  };
  await world.turn();
  const before = await own();
  for (let at = 0; at < count; at += 1) {
    const outcome = await refusal(() => world.claim(refund, { method: 'USDT_TRC20', amount: '1' }));
    assert.equal(outcome, 'done', `claim ${at}`);
    if (at % 10 === 0) await world.turn();
  }
  await world.send();
  assert.ok((await own()) >= before, 'the claimants bear the cost of sending');
  assert.deepEqual(await world.prove(), []);
});

test('never more goes out than came in: full, partial and repeated refunds, with costs on either side', async () => {
  const invoice = await world.paid('60.00', 'BTC');
  const [refunds, sums] = [[] as bigint[], ['60.00', '20.00', '39.00', '15.00', '1.50', '60.00']];
  for (const amount of sums) {
    const made = await world.refund({ amount, invoice: invoice.view.id }).catch(() => undefined);
    if (!made) continue;
    refunds.push(made.taken.parts);
    await world.claim(made, { amount: '1.7', method: 'PAYEER_USD' }).catch(() => undefined);
    await world.claim(made, { method: refunds.length % 2 === 0 ? 'BTC' : 'USDT_ERC20' }).catch(() => undefined);
    await world.send();
    const { claims, refund } = await world.look(made);
    const out = claims.reduce((sum, claim) => sum + claim.from.parts, 0n);
    assert.equal(out + (refund.rests[0]?.parts ?? 0n), made.taken.parts);
    for (const claim of claims) assert.ok(claim.unit !== 'USDT' || claim.parts < claim.from.parts, 'the claimant bears the cost');
  }
  const sum = refunds.reduce((all, one) => all + one, 0n);
  assert.ok(sum <= usdt('60.10'), 'together at most what was paid');
  assert.deepEqual(await world.prove(), []);
});

class Killed extends Error {}

/** Returns a database whose process dies before, or after, its n-th statement or commit. */
function mortal(db: Db, point: number): Db {
  let left = point;
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    if (left-- === 0) throw new Killed();
    const result = await work();
    if (left-- === 0) throw new Killed();
    return result;
  };
  const over = <S extends Statements>(inner: S): S => ({
    ...inner,
    rows: (...args: Parameters<Statements['rows']>) => guarded(() => inner.rows(...args)),
    row: (...args: Parameters<Statements['row']>) => guarded(() => inner.row(...args)),
    run: (...args: Parameters<Statements['run']>) => guarded(() => inner.run(...args)),
  });
  return {
    ...over(db),
    tx: (work, options) => guarded(() => db.tx((tx: Tx) => work(over(tx)), options)),
    now: () => guarded(() => db.now()),
  };
}

test('a process that dies at any moment of a claim leaves it made as a whole or not at all, and it is paid once', async () => {
  const step = isFullRun ? 1 : 9;
  let isOver = false;
  for (let point = 0; !isOver; point += step) {
    const refund = await world.refund({ amount: '5.00', invoice: (await world.paid('6.00', 'USDT_TRC20')).view.id });
    const to = world.rails.USDT_TRC20.receiver();
    const input = { id: refund.id, token: refundSecret(world.sender.tokens, refund.id), method: 'USDT_TRC20', to };
    await claimRefund({ db: mortal(world.db, point), sender: world.sender }, input, CLAIMANT).then(
      () => void (isOver = true),
      (error: unknown) => assert.ok(error instanceof Killed, String(error)),
    );
    await world.send();
    const { refund: now, claims } = await world.look(refund);
    assert.equal(claims.length, now.rests.length === 0 ? 1 : 0, `dead at ${point}`);
    const paid = await world.db.rows(`select from payout where id = any ($1) and status = 'final'`, [claims.map(({ id }) => id)]);
    assert.equal(paid.length, claims.length);
    await world.claim(refund, { method: 'USDT_TRC20' }).catch(() => undefined);
    await world.send();
    assert.equal((await world.look(refund)).refund.state, 'paid');
  }
  assert.deepEqual(await world.prove(), []);
});
