import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openPaypal } from '../../../sandbox/paypal/index.ts';
import type { Attempt, Fields, Found, ReceivingAddress } from '../rail.ts';
import { type Beside, type Opening, beside, prepareFor, preparedFor } from '../provider/beside.testing.ts';
import { provider } from './index.ts';
import { trick } from './trick.testing.ts';

const USD = 'PAYPAL_USD';
let world: Beside;
let ids = 0;
const nextId = (): string => `0192f0c1-0000-7000-8000-${String((ids += 1)).padStart(12, '0')}`;
const act = (name: string, input: Record<string, unknown>): Promise<unknown> => trick(world.counterpart, name, input);
const seen = (reference: ReceivingAddress) => world.rail.payin.observe([reference]);

before(async () => {
  world = await beside(() => openPaypal({ payoutMs: 20 }), provider, { immediate: false });
  for (const currency of [USD, 'PAYPAL_EUR']) await world.counterpart.fund({ currency, to: '', amount: '5000.00' });
});
after(async () => {
  await world?.close();
  assert.deepEqual(await act('flaws', {}), [], 'PayPal’s API files allow every answer');
});

/** Returns the same counterpart without its pages, for the rail of another account. */
const deaf = () => ({ ...world.counterpart, mount: () => {}, close: async () => {}, provider: () => world.settings });

/** Approves an order with an eCheck, or with a card that is declined. */
async function approve({ reference, way, amount }: Opening, funding: 'echeck' | 'declined'): Promise<void> {
  await act('approve', { currency: reference.currency, to: reference.to, way, amount, funding });
}

/** Polls until a payout has ended. */
async function settled(attempt: Attempt): Promise<Found> {
  for (let tries = 0; tries < 1000; tries += 1) {
    const found = await world.rail.payout.find(attempt);
    if (found.outcome === 'mined') return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('the payout is still pending');
}

describe('paypal: payments', () => {
  it('captures an approved and awaited order once, and shows PayPal’s fee', async () => {
    const opening = await world.open(USD, 10_000n);
    assert.deepEqual(await seen(opening.reference), []);
    const { from } = await world.pay(opening);
    assert.deepEqual(await seen({ ...opening.reference, isWanted: false }), [], 'approved is not paid');
    const [observedPayment, ...others] = await seen(opening.reference);
    assert.ok(observedPayment);
    assert.deepEqual(others, []);
    // The counterpart's fee: 3.49 % of 100.00, and 0.49.
    assert.deepEqual([observedPayment.to, observedPayment.parts, observedPayment.fee], [opening.reference.to, 10_000n, 398n]);
    assert.equal(observedPayment.status.at, 'block');
    assert.ok(observedPayment.from.includes(from) && observedPayment.from.length === 2);
    assert.deepEqual(observedPayment.source, {
      fields: { capture: observedPayment.txid },
      key: `capture:${observedPayment.txid}`,
    });
    assert.deepEqual(await seen({ ...opening.reference, isWanted: false }), [observedPayment]);
  });

  it('opens one order for one reference', async () => {
    const { rail } = world;
    const { to } = rail.payin.instruct(USD, 900);
    const request = {
      currency: USD,
      to,
      amount: { unit: USD, parts: 2_500n } as never,
      label: 'KU-900',
      back: { success: '/y', fail: '/n' },
      locale: 'ru',
      until: new Date(),
      payer: {},
    } as const;
    const first = await rail.payin.open(request);
    assert.ok(first.ok && first.id !== undefined);
    assert.deepEqual(await rail.payin.open(request), first);
  });

  it('shows an eCheck as pending, and removes one that bounced', async () => {
    const [good, bad] = [await world.open(USD, 5_000n), await world.open(USD, 5_000n)];
    for (const opening of [good, bad]) {
      await approve(opening, 'echeck');
      const [pending] = await seen(opening.reference);
      assert.equal(pending?.status.at, 'mempool');
    }
    await act('settle', { to: good.reference.to, ok: true });
    await act('settle', { to: bad.reference.to, ok: false });
    assert.equal((await seen(good.reference))[0]?.status.at, 'block');
    assert.deepEqual(await seen(bad.reference), []);
  });

  it('shows no payment for a declined card, and takes the next try', async () => {
    const opening = await world.open(USD, 5_000n);
    await approve(opening, 'declined');
    assert.deepEqual(await seen(opening.reference), []);
    await world.pay(opening);
    assert.equal((await seen(opening.reference))[0]?.status.at, 'block');
  });

  it('shows chargebacks and refunds by hand as taken back', async () => {
    for (const [name, more, parts] of [
      ['chargeback', {}, {}],
      ['refund', {}, {}],
      ['refund', { cents: 1 }, { parts: 1n }],
    ] as const) {
      const opening = await world.open('PAYPAL_EUR', 7_000n);
      await world.pay(opening);
      assert.equal((await seen(opening.reference))[0]?.status.at, 'block');
      await act(name, { to: opening.reference.to, ...more });
      assert.deepEqual((await seen(opening.reference))[0]?.status, { at: 'taken_back', reason: 'chargeback', ...parts }, name);
    }
  });

  it('captures and credits no order with another reference, currency or account', async (t) => {
    const opening = await world.open(USD, 3_000n);
    await world.pay(opening);
    const stranger = await beside(async () => deaf(), provider, { merchantId: '2222222222222' });
    t.after(() => stranger.close());
    assert.deepEqual(await stranger.rail.payin.observe([opening.reference]), [], 'not captured');
    assert.equal((await seen(opening.reference)).length, 1);
    const other = await world.open(USD, 3_000n);
    assert.deepEqual(await seen({ ...other.reference, id: opening.reference.id ?? '' }), []);
    assert.deepEqual(await seen({ ...opening.reference, currency: 'PAYPAL_EUR' }), []);
    assert.deepEqual(
      await stranger.rail.payin.observe([opening.reference]),
      [],
      'not credited once another rail has captured it',
    );
    assert.equal((await seen(opening.reference)).length, 1);
  });

  it('concludes nothing from an error', async () => {
    const opening = await world.open(USD, 3_000n);
    await world.pay(opening);
    world.counterpart.faults.set({ errors: 1 });
    await assert.rejects(seen(opening.reference));
    assert.equal((await world.rail.health()).isUp, false);
    world.counterpart.faults.set({});
    assert.equal((await seen(opening.reference)).length, 1);
    assert.deepEqual(await world.rail.health(), { isUp: true, detail: 'PayPal answers' });
  });
});

describe('paypal: without the disputes API', () => {
  it('says what to ask PayPal for, and takes payments; refunds wait', async (t) => {
    const fresh = await beside(() => openPaypal(), provider, { proof: 'offline' });
    t.after(() => fresh.close());
    await trick(fresh.counterpart, 'grant', { disputes: false });
    const { isUp, detail, lacks = '' } = await fresh.rail.health();
    assert.deepEqual([isUp, detail], [true, 'PayPal answers']);
    assert.match(lacks, /not granted its disputes API .* Ask PayPal to grant “Customer Disputes” to the app/);
    const opening = await fresh.open(USD, 5_000n);
    await fresh.pay(opening);
    const [payment] = await fresh.rail.payin.observe([opening.reference]);
    assert.equal(payment?.status.at, 'block');
    const source = payment?.source?.fields ?? {};
    await assert.rejects(async () => fresh.rail.payin.isDisputed?.(source), /Ask PayPal to grant/);
    const prepared = await prepareFor(fresh, nextId(), USD, 1_000n, source);
    assert.ok(!prepared.ok && prepared.reason === 'unavailable' && /Ask PayPal to grant/.test(prepared.detail ?? ''));
    await trick(fresh.counterpart, 'grant', {});
    assert.equal(await fresh.rail.payin.isDisputed?.(source), false);
    const again = await beside(() => openPaypal(), provider, { proof: 'offline' });
    t.after(() => again.close());
    assert.equal((await again.rail.health()).lacks, undefined);
  });
});

describe('paypal: delayed payments', () => {
  it('are taken only if the operator allows them', async (t) => {
    const strict = await beside(() => openPaypal(), provider);
    t.after(() => strict.close());
    const { reference, way, amount } = await strict.open(USD, 5_000n);
    const by = (funding: string) =>
      trick(strict.counterpart, 'approve', { currency: USD, to: reference.to, way, amount, funding });
    await assert.rejects(by('echeck'), /takes no eChecks/);
    await by('review');
    assert.equal((await strict.rail.payin.observe([reference]))[0]?.status.at, 'mempool', 'PayPal may still hold it');
  });
});

describe('paypal: payouts', () => {
  const receiver = async (): Promise<Fields> => ({ email: await world.counterpart.address(USD) });

  it('pays once even if sent twice, and reports the fee', async () => {
    const to = await receiver();
    const attempt = await preparedFor(world, nextId(), USD, 2_000n, to);
    assert.deepEqual(await world.rail.payout.find(attempt), { outcome: 'absent', isConclusive: false });
    const sent = await world.rail.payout.send(attempt);
    assert.equal(sent.outcome, 'accepted');
    assert.deepEqual(await world.rail.payout.send(attempt), sent, 'a repeated id is refused with a link to the original');
    const found = await settled(attempt);
    assert.deepEqual([found.outcome === 'mined' && found.ok, found.outcome === 'mined' && found.fee], [true, 40n]);
    assert.equal(await world.counterpart.balance(USD, to['email'] ?? ''), '20.00');
    assert.deepEqual(await act('done', { reference: attempt.reference }), { done: 1 });
  });

  it('finds a payout with a lost answer: by PayPal’s messages, by PayPal’s id, and by sending again', async () => {
    const attempt = await preparedFor(world, nextId(), USD, 1_000n, await receiver());
    await act('unheard', { count: 1 });
    assert.equal((await world.rail.payout.send(attempt)).outcome, 'unknown');
    const found = await settled(attempt);
    assert.ok(found.outcome === 'mined' && found.ok);
    const again = await world.rail.payout.send(attempt);
    assert.deepEqual(again, { outcome: 'accepted', txid: found.txid });
    assert.deepEqual(await act('done', { reference: attempt.reference }), { done: 1 });
  });

  it('costs a capped share of the sum, and no network fee', async () => {
    assert.deepEqual(await world.rail.payout.estimate(USD), { currency: USD, parts: 0n });
    const of = async (parts: bigint) => (await preparedFor(world, nextId(), USD, parts, await receiver())).fee;
    assert.deepEqual(await of(1_001n), { currency: USD, parts: 21n, isMaximum: true });
    assert.deepEqual(await of(50_000n), { currency: USD, parts: 100n, isMaximum: true }, 'capped');
  });

  it('pays no wrong payee, and no sum above the balance', async () => {
    const wrong = await preparedFor(world, nextId(), USD, 1_000n, { email: 'someone@nowhere.invalid' });
    const sent = await world.rail.payout.send(wrong);
    assert.ok(sent.outcome === 'refused' && /Receiver is invalid/.test(sent.reason), JSON.stringify(sent));
    const much = await prepareFor(world, nextId(), USD, 1_000_000_000n, await receiver());
    assert.ok(!much.ok && much.reason === 'no_float');
    const [usd] = await world.rail.reserve();
    assert.ok(usd && usd.payable > 0n);
    const all = await prepareFor(world, nextId(), USD, usd.payable, await receiver());
    assert.ok(!all.ok && all.reason === 'no_float', 'the balance must cover the fee too');
  });

  it('reports the time of a balance, hours ago if PayPal is so far behind', async () => {
    const usd = async () => (await world.rail.reserve())[0] ?? assert.fail();
    const hour = 3_600_000;
    const now = await usd();
    assert.ok(Math.abs(Date.now() - (now.asOf?.getTime() ?? 0)) < 60_000);
    await act('lag', { seconds: 3 * 3_600 });
    const then = await usd();
    assert.equal(then.parts, 0n, 'before the account was funded');
    assert.ok(Math.abs(Date.now() - (then.asOf?.getTime() ?? 0) - 3 * hour) < 60_000);
    await act('lag', { seconds: 0, says: null });
    assert.deepEqual(await usd(), { currency: USD, place: 'hot', parts: now.parts, payable: now.payable }, 'without a time');
    await act('lag', { seconds: 0 });
  });

  it('waits for a receiver, and takes back an unclaimed payout', async () => {
    const attempt = await preparedFor(world, nextId(), USD, 1_500n, { email: `unclaimed-${nextId()}@example.com` });
    const before = (await world.rail.reserve())[0]?.parts;
    await world.rail.payout.send(attempt);
    await new Promise((resolve) => setTimeout(resolve, 60));
    assert.equal((await world.rail.payout.find(attempt)).outcome, 'pending');
    await world.rail.payout.recall?.(attempt);
    const found = await settled(attempt);
    assert.ok(found.outcome === 'mined' && !found.ok && found.isFinalised);
    assert.equal((await world.rail.reserve())[0]?.parts, before);
    await world.rail.payout.recall?.(attempt);
  });

  for (const name of ['returned', 'blocked', 'failed', 'refunded', 'reversed', 'denied']) {
    it(`reports that a payout came back: ${name}`, async () => {
      const attempt = await preparedFor(world, nextId(), USD, 1_500n, { email: `${name}-${nextId()}@example.com` });
      await world.rail.payout.send(attempt);
      const found = await settled(attempt);
      assert.ok(found.outcome === 'mined' && !found.ok && found.isFinalised);
    });
  }

  it('refunds a payment to its source once, and recognizes its own refund', async () => {
    const opening = await world.open(USD, 4_000n);
    await world.pay(opening);
    const [observedPayment] = await seen(opening.reference);
    assert.ok(observedPayment?.source);
    const attempt = await preparedFor(world, nextId(), USD, 1_500n, observedPayment.source.fields);
    assert.deepEqual(await world.rail.payout.find(attempt), { outcome: 'absent', isConclusive: false });
    await act('unheard', { count: 1 });
    assert.equal((await world.rail.payout.send(attempt)).outcome, 'unknown');
    const found = await world.rail.payout.find(attempt);
    assert.ok(found.outcome === 'mined' && found.ok);
    assert.deepEqual(await world.rail.payout.send(attempt), { outcome: 'accepted', txid: found.txid });
    assert.deepEqual(await world.rail.payout.find(attempt), found);
    assert.deepEqual(await act('done', { reference: attempt.reference }), { done: 1 });
    assert.equal((await seen(opening.reference))[0]?.status.at, 'block', 'our refund is no chargeback');
    const rest = await preparedFor(world, nextId(), USD, 2_501n, observedPayment.source.fields);
    const sent = await world.rail.payout.send(rest);
    assert.ok(sent.outcome === 'refused' && /REFUND_AMOUNT_EXCEEDED/.test(sent.reason));
  });
});

describe('paypal: refunds', () => {
  it('are not sent for a payment that was charged back or refunded by hand', async () => {
    for (const [name, more] of [
      ['chargeback', {}],
      ['refund', {}],
      ['refund', { cents: 2_001 }],
    ] as const) {
      const opening = await world.open(USD, 4_000n);
      await world.pay(opening);
      const source = (await seen(opening.reference))[0]?.source?.fields ?? {};
      const ours = await preparedFor(world, nextId(), USD, 1_000n, source);
      assert.equal((await world.rail.payout.send(ours)).outcome, 'accepted');
      assert.ok((await prepareFor(world, nextId(), USD, 1_000n, source)).ok, 'our second partial refund');
      await act(name, { to: opening.reference.to, ...more });
      const later = await prepareFor(world, nextId(), USD, 1_000n, source);
      assert.equal(later.ok || later.reason, 'unavailable', name);
      const left = 'cents' in more ? 999n : 1n;
      assert.equal((await prepareFor(world, nextId(), USD, left, source)).ok, 'cents' in more, 'a refund of the rest');
    }
  });

  it('wait while the payer disputes the payment', async () => {
    const opening = await world.open(USD, 4_000n);
    await world.pay(opening);
    const { to } = opening.reference;
    const source = (await seen(opening.reference))[0]?.source?.fields ?? {};
    await act('dispute', { to });
    assert.equal((await seen(opening.reference))[0]?.status.at, 'block', 'a dispute alone takes nothing back');
    assert.deepEqual(await prepareFor(world, nextId(), USD, 1_000n, source), {
      ...{ ok: false, reason: 'unavailable', detail: 'the payer disputes the payment' },
    });
    await act('withdraw', { to });
    assert.ok((await prepareFor(world, nextId(), USD, 1_000n, source)).ok);
  });
});

describe('paypal: a provider that misbehaves', () => {
  it('pays and is paid once each despite lost, late, doubled and refused calls', async (t) => {
    let seed = 7;
    const chance = (): number => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
    const faulty = await beside(() => openPaypal({ payoutMs: 0, chance }), provider, { proof: 'offline' });
    t.after(() => faulty.close());
    const { rail, counterpart } = faulty;
    await counterpart.fund({ currency: USD, to: '', amount: '1000.00' });
    const openings = [];
    for (let count = 0; count < 8; count += 1) openings.push(await faulty.open(USD, 5_000n));
    const attempts = [];
    const to = { email: await counterpart.address(USD) };
    for (let count = 0; count < 8; count += 1) attempts.push(await preparedFor(faulty, nextId(), USD, 1_000n, to));
    counterpart.faults.set({ lost_replies: 0.2, duplicates: 0.2, errors: 0.1, stale: 0.1, wrong_signatures: 0.3 });
    for (const opening of openings) await faulty.pay(opening);
    const eventually = async (done: () => Promise<boolean>): Promise<void> => {
      for (let tries = 0; tries < 60; tries += 1) if (await done().catch(() => false)) return;
      assert.fail('it never ended');
    };
    for (const { reference } of openings) await eventually(async () => (await rail.payin.observe([reference])).length === 1);
    for (const attempt of attempts) {
      await eventually(async () => {
        if ((await rail.payout.find(attempt)).outcome === 'mined') return true;
        await rail.payout.send(attempt);
        return false;
      });
    }
    counterpart.faults.set({});
    for (const attempt of attempts) {
      assert.deepEqual(await trick(counterpart, 'done', { reference: attempt.reference }), { done: 1 });
    }
    // 8 payments of 50.00 less a fee of 2.24 each, and 8 payouts of 10.00 with a fee of 0.20 each.
    assert.equal((await rail.reserve())[0]?.parts, 100_000n + 8n * (5_000n - 224n) - 8n * 1_020n);
    assert.ok(faulty.messages.every(({ proof }) => proof.isProven || proof.to === undefined));
  });
});
