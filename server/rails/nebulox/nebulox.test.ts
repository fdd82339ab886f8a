import assert from 'node:assert/strict';
import { after, before, describe, it, test } from 'node:test';
import { parse } from '@kurs/money';
import type { ReceivingAddress } from '../rail.ts';
import { checkCoinAddress } from './address.ts';
import { type Coin, coinOf } from './config.ts';
import { plain, readExactly } from './exact-json.ts';
import { provider } from './index.ts';
import { type NebuloxWorld, nebuloxWorld } from './world.testing.ts';

test('reads amounts of a coin without rounding', () => {
  assert.deepEqual(readExactly('{"a":12345678.12345678,"b":["0.10",1e-8],"c":null}'), {
    ...{ a: '12345678.12345678', b: ['0.10', '1e-8'], c: null },
  });
  const table: readonly (readonly [string, string | undefined])[] = [
    ['0', '0'],
    ['0.10', '0.10'],
    ['1e-8', '0.00000001'],
    ['1.5e-7', '0.00000015'],
    ['1.25e2', '125'],
    ['12e0', '12'],
    ['-1', undefined],
    ['NaN', undefined],
    ['', undefined],
  ];
  for (const [text, expected] of table) assert.equal(plain(text), expected, text);
});

const LTC = { pkh: 'LPNE9GK3GenV8A2AUrSfmrSjfArUJ5N345', sh: 'MC3S7Uuch1iEm2JLXh7Jk6zJvBNMgvc1ii' };
const DOGE = { pkh: 'D9HNRJwrVQSiQMWc3JSw3bYaL6DVUzwBfr', sh: '9vaYYSZYoxjhrtPuqwnPAbNHJ49wikMDus' };
const SIGNATURE = '2aa0d44638920882549a3cca8c48dddf7a738b368a0bab4a36baabc26a9db356';

test('accepts refund addresses of its coins, and names the problem of others', () => {
  const of = (code: string, address: string) => {
    const checked = checkCoinAddress(coinOf(code) as Coin, { address });
    return checked.ok ? checked.key : checked.problem;
  };
  // Another program made these addresses from the prefixes of each chain.
  assert.equal(of('LTC', LTC.pkh), LTC.pkh);
  assert.equal(of('LTC', LTC.sh), LTC.sh);
  assert.equal(of('DOGE', DOGE.pkh), DOGE.pkh);
  assert.equal(of('DOGE', DOGE.sh), DOGE.sh);
  assert.equal(of('LTC', DOGE.pkh), 'wrong_network');
  assert.equal(of('DOGE', LTC.pkh), 'wrong_network');
  assert.equal(of('LTC', `${LTC.pkh.slice(0, -1)}1`), 'bad_checksum');
  assert.equal(of('DOGE', 'doge'), 'bad_format');
});

test('proves a message only by its exact bytes, against a signature from another program', async () => {
  const settings = provider.settings.parse({ apiKey: '3f0b2a44-9f0c-4a4e-9d3e-6f2f8a1b7c55' });
  const rail = provider.open(settings, { reference: String, webhookUrl: '', siteUrl: (path: string) => path });
  const raw = Buffer.from(
    '{"orderId":"TESTORDER1","txId":"ab","amount":"0.5","confirmations":3,"status":"COMPLETED","type":"INVOICE","coin":"LTC","network":"Litecoin","trackingCode":"t1","isWallet":false}',
  );
  const headers = { 'x-hash': SIGNATURE };
  assert.deepEqual(await rail.payin?.check?.({ raw, headers }), { isProven: true, to: 'TESTORDER1' });
  assert.equal((await rail.payin?.check?.({ raw: raw.subarray(1), headers }))?.isProven, false);
});

describe('Nebulox beside its counterpart', () => {
  let world: NebuloxWorld;
  before(async () => {
    world = await nebuloxWorld();
  });
  after(() => world.close());

  async function opened(currency = 'LTC', amount = '0.5'): Promise<ReceivingAddress & { url: string }> {
    const { to } = world.rail.payin.instruct(currency, world.nextIndex());
    const request = {
      currency,
      to,
      amount: parse(currency, amount),
      label: 'KU-1',
      back: { success: '/y', fail: '/n' },
      locale: 'en' as const,
      until: new Date(),
      payer: {},
    };
    const made = await world.rail.payin.open?.(request);
    assert.ok(made?.ok && made.way.kind === 'redirect' && made.id !== undefined);
    return { currency, to, id: made.id, sinceHeight: 0, isWanted: true, url: made.way.url };
  }
  const pay = async (reference: { to: string; url: string; currency: string }, amount: string) => {
    const way = { method: 'GET' as const, url: reference.url, fields: {} };
    await world.sides.counterpart.pay({
      currency: reference.currency,
      to: reference.to,
      way,
      amount,
      fee: 'normal',
      isReplaceable: false,
    });
  };
  const observe = async (reference: ReceivingAddress) => world.rail.payin.observe([reference]);

  it('counts a partial payment after its invoice has ended, with all that was paid', async () => {
    const reference = await opened();
    await pay(reference, '0.2');
    assert.deepEqual(await observe(reference), []);
    assert.deepEqual(await observe({ ...reference, isWanted: false }), [], 'it could still grow');
    await pay(reference, '0.25');
    await world.sides.trick('expire', { to: reference.to });
    const [observedPayment] = await observe(reference);
    assert.equal(observedPayment?.parts, 45_000_000n);
    await assert.rejects(pay(reference, '0.05'));
  });

  it('counts the paid amount, not the requested one', async () => {
    const reference = await opened('DOGE', '12345678.12345678');
    await pay(reference, '22345678.12345679');
    const [observedPayment] = await observe(reference);
    assert.deepEqual([observedPayment?.parts, observedPayment?.currency], [2_234_567_812_345_679n, 'DOGE']);
  });

  it('shows nothing of an invoice that ended unpaid', async () => {
    const reference = await opened();
    await world.sides.trick('expire', { to: reference.to });
    assert.deepEqual(await observe(reference), []);
  });

  it('rejects a poll if the invoice is of another order or coin', async () => {
    const [mine, other] = [await opened(), await opened('DOGE', '100')];
    await pay(mine, '0.5');
    await assert.rejects(observe({ ...other, id: mine.id as string }), /another order/);
    await assert.rejects(observe({ ...mine, currency: 'DOGE' }), /another coin/);
  });

  it('shows no payment of an invoice that Nebulox has lost, and fails if somebody waits for it', async () => {
    const gone = { ...(await opened()), id: '00000000-0000-4000-8000-000000000001' };
    assert.deepEqual(await observe({ ...gone, isWanted: false }), []);
    await assert.rejects(observe(gone));
  });

  it('opens another invoice after a lost answer, and then returns the same invoice for each repeated request', async () => {
    const { to } = world.rail.payin.instruct('LTC', world.nextIndex());
    const amount = parse('LTC', '0.5');
    const request = {
      currency: 'LTC',
      to,
      amount,
      label: 'KU-1',
      back: { success: '/y', fail: '/n' },
      locale: 'en' as const,
      until: new Date(),
      payer: {},
    };
    world.sides.counterpart.faults.set({ lost_replies: 1 });
    const lost = await world.rail.payin.open?.(request);
    world.sides.counterpart.faults.set({});
    assert.deepEqual(lost && !lost.ok && lost.reason, 'unavailable');
    const [first, second] = [await world.rail.payin.open?.(request), await world.rail.payin.open?.(request)];
    assert.ok(first?.ok);
    assert.deepEqual(second, first);
    assert.equal(await world.sides.counterpart.tricks?.['invoices']?.({ to }), 2, 'nobody has seen the first one');
  });

  it('is refused with a wrong key, and its errors don’t contain that key', async () => {
    const wrong = provider.settings.parse({ ...world.sides.settings, apiKey: '11111111-1111-4111-8111-111111111111' });
    const rail = provider.open(wrong, { reference: String, webhookUrl: '', siteUrl: (path: string) => path });
    const request = {
      currency: 'LTC',
      to: 'X',
      amount: parse('LTC', '0.5'),
      label: '',
      back: { success: '/y', fail: '/n' },
      locale: 'en' as const,
      until: new Date(),
      payer: {},
    };
    assert.deepEqual(await rail.payin?.open?.(request), {
      ...{ ok: false, reason: 'refused', detail: '406 This gateway is not active' },
    });
    assert.deepEqual(await rail.health(), { isUp: false, detail: '406 This gateway is not active' });
  });

  it('accepts the addresses of the sandbox’s customer', async () => {
    for (const currency of ['LTC', 'DOGE']) {
      const address = await world.sides.counterpart.address(currency);
      assert.ok(world.rail.payin.checkAccount(currency, { address }).ok, address);
    }
  });

  it('reports no balances and has no payouts', async () => {
    assert.deepEqual(await world.rail.reserve(), []);
    assert.equal(world.rail.payout, undefined);
  });
});
