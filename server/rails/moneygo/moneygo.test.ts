// Features of MoneyGo beyond the provider contract: the page, the token, the settings.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, test } from 'node:test';
import { type Beside, type Opening, preparedFor } from '../provider/beside.testing.ts';
import { settings as shape } from './config.ts';
import { CODES, moneyGoBeside } from './world.testing.ts';

test('a form’s secret that two ways of writing JSON would sign differently is refused under the name of its field', () => {
  const given = { clientId: 'a', clientSecret: 'b', formSecret: 'c0ffee', wallets: { USD: 'U378031' } };
  assert.equal(shape.safeParse(given).success, true);
  for (const formSecret of ['a/b', 'a"b', 'a\\b', 'ключ', 'a b', '']) {
    const parsed = shape.safeParse({ ...given, formSecret });
    assert.equal(parsed.success, false, formSecret);
    assert.deepEqual(parsed.error?.issues[0]?.path, ['formSecret']);
  }
  assert.equal(shape.safeParse({ ...given, wallets: {} }).success, false);
  assert.equal(shape.safeParse({ ...given, wallets: { USD: 'E378031' } }).success, false);
});

describe('moneygo', () => {
  let world: Beside;
  before(async () => {
    world = await moneyGoBeside();
  });
  after(() => world.close());
  const open = async (currency: string, parts: bigint): Promise<Opening> =>
    world.open(currency, parts, { account: await world.counterpart.address(currency) });

  it('takes payments in each currency from the requested wallet, and names it as the account for a refund', async () => {
    assert.deepEqual(
      world.rail.currencies.map(({ code }) => code),
      CODES,
    );
    assert.ok(world.rail.currencies.every(({ payerFields }) => payerFields?.[0]?.name === 'account'));
    for (const currency of CODES) {
      const account = await world.counterpart.address(currency);
      const opening = await world.open(currency, 2550n, { account: ` ${account.toLowerCase()}` });
      await world.pay(opening);
      const [seen] = await world.rail.payin.observe([opening.reference]);
      assert.deepEqual([seen?.parts, seen?.from, seen?.source?.key], [2550n, [account], account]);
      await assert.rejects(world.pay(opening), /made already/);
    }
  });

  it('refuses our own wallet as a customer’s account', () => {
    const account = String((world.settings['wallets'] as Record<string, string>)['USD']);
    const checked = world.rail.payin.checkAccount('MONEYGO_USD', { account });
    assert.deepEqual(checked, { ok: false, field: 'account', problem: 'unusable' });
  });

  it('prepares nothing without the payer’s wallet, or for one that can’t pay', async () => {
    for (const account of ['', 'E1234567', 'U9999999', String((world.settings['wallets'] as Record<string, string>)['USD'])])
      await assert.rejects(world.open('MONEYGO_USD', 100n, { account }), /"refused"/, account);
    world.counterpart.faults.set({ errors: 1 });
    await assert.rejects(world.open('MONEYGO_USD', 100n, { account: 'U1234567' }), /"unavailable"/);
    world.counterpart.faults.set({});
  });

  it('signs its requests: MoneyGo refuses one signed with another secret', async () => {
    const wrong = await moneyGoBeside({ formSecret: 'another' });
    try {
      const account = await wrong.counterpart.address('MONEYGO_USD');
      await assert.rejects(wrong.open('MONEYGO_USD', 100n, { account }), /refused/);
    } finally {
      await wrong.close();
    }
  });

  it('requests a new token when the old one has expired, and is down if none is issued', async () => {
    await world.trick('tokens', { seconds: 0 });
    const short = await moneyGoBeside({ ...world.settings });
    try {
      assert.equal((await short.rail.health()).isUp, false, 'a token that is over at once');
      await world.trick('tokens', { seconds: 3600 });
      assert.equal((await short.rail.health()).isUp, true);
    } finally {
      await short.close();
    }
    const wrong = await moneyGoBeside({ clientSecret: 'another' });
    try {
      assert.deepEqual(await wrong.rail.health(), { isUp: false, detail: 'MoneyGo says no (401)' });
      await assert.rejects(wrong.rail.payin.observe([(await open('MONEYGO_USD', 100n)).reference]));
    } finally {
      await wrong.close();
    }
  });

  it('sends a payout once, with a new token, after the old one was revoked', async () => {
    const account = await world.counterpart.address('MONEYGO_RUB');
    const attempt = await preparedFor(world, 'revoked', 'MONEYGO_RUB', 300n, { account });
    await world.trick('revoke');
    assert.equal((await world.rail.payout.send(attempt)).outcome, 'accepted');
    assert.equal(await world.counterpart.balance('MONEYGO_RUB', account), '3.00');
  });

  it('shows the fee that the provider keeps of a payment', async () => {
    await world.trick('commission', { parts: '25' });
    const opening = await open('MONEYGO_USD', 1000n);
    await world.pay(opening);
    await world.trick('commission', { parts: '0' });
    const [seen] = await world.rail.payin.observe([opening.reference]);
    assert.deepEqual([seen?.parts, seen?.fee], [1000n, 25n]);
  });

  it('shows no payment that reached another wallet of ours, in another currency', async () => {
    const opening = await open('MONEYGO_USD', 1000n);
    await world.pay(opening);
    assert.deepEqual(await world.rail.payin.observe([{ ...opening.reference, currency: 'MONEYGO_EUR' }]), []);
  });

  it('lets a customer log in, confirm and come back; cancelling pays nothing', async () => {
    const [opening, other] = [await open('MONEYGO_USD', 1500n), await open('MONEYGO_USD', 1500n)];
    const post = (url: string): Promise<Response> =>
      fetch(url, { method: 'POST', body: new URLSearchParams({ password: 'sandbox' }), redirect: 'manual' });
    assert.match(await (await fetch(opening.way.url)).text(), /15\.00[\s\S]*Log in/);
    assert.match(await (await post(`${opening.way.url}/login`)).text(), /Confirm/);
    const done = await post(`${opening.way.url}/confirm`);
    assert.equal(done.status, 303);
    assert.match(done.headers.get('location') ?? '', /success$/);
    assert.equal((await world.rail.payin.observe([opening.reference])).length, 1);
    assert.match(await (await fetch(`${world.base}/`)).text(), new RegExp(`payment ${opening.reference.to}`));
    assert.match((await post(`${other.way.url}/cancel`)).headers.get('location') ?? '', /fail$/);
    assert.deepEqual(await world.rail.payin.observe([other.reference]), []);
    assert.equal((await post(`${opening.way.url}/confirm`)).status, 400);
  });
});

test('the counterpart remembers payments, payouts and balances after a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kurs-moneygo-'));
  const before = await moneyGoBeside({}, folder);
  const opening = await before.open('MONEYGO_USD', 1500n, { account: await before.counterpart.address('MONEYGO_USD') });
  const { txid } = await before.pay(opening);
  const to = { account: await before.counterpart.address('MONEYGO_USD') };
  const attempt = await preparedFor(before, 'kept', 'MONEYGO_USD', 100n, to);
  await before.rail.payout.send(attempt);
  const held = await before.rail.reserve();
  await before.close();

  const later = await moneyGoBeside({}, folder);
  try {
    assert.deepEqual(
      (await later.rail.payin.observe([opening.reference])).map(({ key }) => key),
      [txid],
    );
    assert.equal((await later.rail.payout.find(attempt)).outcome, 'mined');
    const [was, is] = [held, await later.rail.reserve()].map(([first]) => first?.parts ?? 0n);
    assert.equal(is, (was ?? 0n) + 100_000n);
  } finally {
    await later.close();
    rmSync(folder, { recursive: true });
  }
});
