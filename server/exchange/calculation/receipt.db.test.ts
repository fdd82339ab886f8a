import assert from 'node:assert/strict';
import { createPublicKey, randomBytes, verify } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Output, POLICY_VERSION, type Routes, routes } from '@kurs/contract';
import type { Receipt, ReceiptKey, ReceiptTerms } from '@kurs/contract/receipt';
import { type Context, putSetting, signaturesFrom, watchSettings } from '../../platform/index.ts';
import { freely, testSealer } from '../../platform/testing.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { orderReceipt, receiptKeys } from './receipt.ts';
import { exchangeRoutes } from '../routes.ts';
import { rules } from '../machine/settings.ts';
import { type World, openWorld } from '../scenarios/world.testing.ts';

/** Returns a receipt's terms after checking its signature as any outsider would: with WebCrypto, over the received bytes. */
async function proven({ payload, signature, key_id }: Receipt, keys: readonly ReceiptKey[]): Promise<ReceiptTerms> {
  const key = keys.find((one) => one.key_id === key_id);
  assert.ok(key, 'the key is listed');
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
  const imported = await crypto.subtle.importKey('raw', bytes(key.public_key), 'Ed25519', false, ['verify']);
  assert.ok(await crypto.subtle.verify('Ed25519', imported, bytes(signature), bytes(payload)), 'the signature fits');
  // The same steps as docs/receipts.md recommends to programs.
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key.public_key }, format: 'jwk' });
  assert.ok(verify(null, bytes(payload), publicKey, bytes(signature)));
  return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as ReceiptTerms;
}

describe('receipts', () => {
  let world: World;
  let settings: { stop(): Promise<void> };
  let bound: ReturnType<typeof exchangeRoutes>;
  let context: Context;
  before(async () => {
    world = await openWorld();
    settings = await watchSettings(world.db);
    bound = exchangeRoutes({ ...world.deps, sealer: testSealer, factors: testSealer, operators: async () => 2 });
    context = {
      db: world.db,
      locale: 'en',
      clientId: 'web',
      userAgent: '',
      ip: '203.0.113.9',
      deviceKey: 'd',
      ...freely,
    };
  });
  after(async () => {
    await settings.stop();
    await world.close();
  });

  type ShownOrder = Exclude<Output<Routes['trackOrder']>, { link_mailed: true }>;
  const track = async (order: StoredOrder): Promise<ShownOrder> =>
    (await bound.trackOrder({ id: order.number, token: world.token(order) }, context)) as ShownOrder;
  const keys = () => receiptKeys(world.deps.receipts);
  const termsOf = async (order: StoredOrder): Promise<ReceiptTerms> => {
    const { receipt } = await track(order);
    assert.ok(receipt);
    return proven(receipt, keys());
  };

  const setRules = async (hours: number, shortPercent: number): Promise<void> => {
    await world.db.tx(async (tx) => {
      await putSetting(tx, 'exchange.short_percent', shortPercent, 'test');
      await putSetting(tx, 'exchange.choice_hours', hours, 'test');
    });
    for (let poll = 0; poll < 60 && rules().choice !== hours * 3_600_000; poll += 1) await sleep(50);
    assert.equal(rules().choice, hours * 3_600_000);
  };

  test('a review carries its held quote, signed', async () => {
    const calculation = await world.calculate();
    const review = await bound.step3(calculation, context);
    assert.deepEqual(routes.step3.output.parse(review), review);
    const terms = await proven(review.receipt, (await bound.receiptKeys({}, context)).keys);
    const { give, get, rate, fees, exchanged, min, max, expires_at: expires, rates_version: version } = review.quote;
    assert.deepEqual(terms, {
      type: 'kurs-receipt',
      version: 1,
      kind: 'review',
      issuer: { name: 'Kurs', url: 'http://kurs.test' },
      id: review.id,
      quote_expires_at: expires,
      lock_minutes: 15,
      give,
      get,
      rate,
      rates_version: version,
      fees,
      exchanged,
      limits: { min, max },
      reserve_held: true,
      policy_version: POLICY_VERSION,
      rules: {
        late: { first_confirmation_minutes: 60, offer_seconds: 180, choose_hours: 72 },
        short: { goes_on_from: { amount: '0.00400000', currency: 'BTC' } },
        refund: { costs: review.refund_costs, smallest: review.smallest_refund },
        time: { minutes: 12, after_approval: false },
      },
    } satisfies ReceiptTerms);
    assert.deepEqual((await bound.step3(calculation, context)).receipt, review.receipt, 'the same while the quote stands');
  });

  test('an order’s receipt has the terms of its placing, and its bytes never change', async () => {
    const calculation = await world.calculate();
    const { quote } = await bound.step3(calculation, context);
    const placed = await bound.processOrder(calculation, context);
    assert.ok(placed.receipt);
    const terms = await proven(placed.receipt, keys());
    assert.deepEqual(
      [terms.kind, terms.id, terms.placed_at, terms.locked_until],
      ['order', placed.id, placed.created_at, placed.expires_at],
    );
    assert.deepEqual(
      [terms.give, terms.get, terms.rate, terms.fees, terms.exchanged, terms.limits],
      [quote.give, quote.get, quote.rate, quote.fees, quote.exchanged, { min: quote.min, max: quote.max }],
    );
    // 2 % of 0.005 BTC is 9 USD.
    assert.deepEqual(terms.rules.more, { up_to: { amount: '0.00010000', currency: 'BTC' } });
    assert.deepEqual(terms.rules.short, { goes_on_from: { amount: '0.00400000', currency: 'BTC' } });

    const order = { number: placed.id, view: { id: '' } } as StoredOrder;
    const stored = await world.order(order);
    await setRules(24, 95);
    const later = await termsOf(await world.place());
    assert.deepEqual(
      later.rules.short,
      { goes_on_from: { amount: '0.00475000', currency: 'BTC' } },
      'what is placed from now on',
    );
    await world.price('95000');
    world.pay(stored, '0.0045');
    await world.mine();
    assert.deepEqual((await track(stored)).receipt, placed.receipt);
    await world.pass(20);
    await world.mine(30);
    assert.notEqual((await track(stored)).get?.amount, terms.get.amount, 'less was exchanged than was asked for');
    assert.deepEqual((await track(stored)).receipt, placed.receipt);
    await setRules(72, 80);
  });

  test('the receipt for a reversible payment says how long the payout waits at most', async () => {
    const order = await world.place();
    const pinned = { ...order.view.pinned, receipt: { ...order.view.pinned.receipt, clearing: 72 * 3_600_000 } };
    const receipt = orderReceipt(world.deps.receipts, { ...order, view: { ...order.view, pinned } } as StoredOrder);
    assert.deepEqual((await proven(receipt as Receipt, keys())).rules.payout, { waits_hours: 72 });
    assert.equal((await termsOf(order)).rules.payout, undefined);
  });

  test('a customer who wants to be asked is promised no exchange of an underpayment', async () => {
    assert.deepEqual((await termsOf(await world.place({ askMe: true }))).rules.short, {});
  });

  test('an unallocated payment has no receipt; the order made of it has the terms of its offer', async () => {
    const order = await world.place();
    world.pay(order);
    await world.mine(2);
    world.pay(order, '0.003');
    await world.mine(2);
    const [unallocated] = await world.unallocatedPayments(order);
    assert.ok(unallocated);
    const shown = await track(unallocated);
    assert.equal(shown.receipt, undefined);
    const offer = shown.choices.find(({ choice }) => choice === 'new_order');
    assert.ok(offer);
    const { handle } = await bound.orderGetOtp({ id: unallocated.number, token: world.token(unallocated) }, context);
    const otp = await world.code(unallocated);
    const key = { id: unallocated.number, token: world.token(unallocated) };
    await bound.orderChoose({ ...key, otp, handle, choice: 'new_order', offer: offer.offer as number }, context);
    const [became] = (await track(unallocated)).related.filter(({ id }) => id !== order.number);
    const terms = await termsOf(await world.order({ number: became?.id } as StoredOrder));
    assert.deepEqual([terms.get, terms.locked_until, terms.rules.more], [offer.money, undefined, undefined]);
    assert.equal(terms.give.amount, '0.00300000');
  });

  test('a key rotation leaves an order’s receipt unchanged; new ones are signed with the new key', async () => {
    const order = await world.place();
    const before = orderReceipt(world.deps.receipts, order);
    assert.ok(before);
    const [old, fresh] = [randomBytes(32), randomBytes(32)];
    const issuer = { name: 'Other name', url: 'http://other.test' };
    const first = { signatures: signaturesFrom([old]), issuer };
    const pinned = { ...order.view.pinned, receipt: { ...order.view.pinned.receipt, key: first.signatures.newest } };
    const stored = { ...order, view: { ...order.view, pinned } } as StoredOrder;
    const rotated = { signatures: signaturesFrom([old, fresh]), issuer };
    const again = orderReceipt(rotated, stored);
    assert.deepEqual(again, orderReceipt(first, stored));
    assert.equal((await proven(again as Receipt, receiptKeys(rotated))).issuer.url, 'http://kurs.test');
    assert.equal(orderReceipt({ signatures: signaturesFrom([fresh]), issuer }, stored), undefined);
    assert.notEqual(rotated.signatures.newest, first.signatures.newest);
  });

  test('one changed letter invalidates the signature', async () => {
    const { receipt } = await track(await world.place());
    const forged = Buffer.from(receipt?.payload ?? '', 'base64url')
      .toString()
      .replace(/"get":\{"amount":"\d/, '"get":{"amount":"9');
    const payload = Buffer.from(forged).toString('base64url');
    assert.notEqual(payload, receipt?.payload);
    await assert.rejects(proven({ ...(receipt as Receipt), payload }, keys()), /the signature fits/);
  });
});
