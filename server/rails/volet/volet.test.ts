// The rail against its counterpart in the sandbox, over real HTTP.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, it, test } from 'node:test';
import { type Beside, prepareFor, preparedFor } from '../provider/beside.testing.ts';
import { forgedThenTrue } from '../provider/messages.testing.ts';
import { CODES, voletBeside } from './world.testing.ts';

describe('volet', () => {
  let world: Beside;
  before(async () => {
    world = await voletBeside({}, '100.00');
  });
  after(() => world.close());
  const received = async (account: string, currency = 'VOLET_USD'): Promise<string> =>
    world.counterpart.balance(currency, account);

  it('has a currency for each wallet, and is down if a wallet isn’t the account’s', async () => {
    assert.deepEqual(
      world.rail.currencies.map(({ code }) => code),
      CODES,
    );
    assert.deepEqual((await world.rail.health()).isUp, true);
    const only = await voletBeside({ wallets: { EUR: (world.settings['wallets'] as Record<string, string>)['EUR'] } });
    try {
      assert.deepEqual(
        only.rail.currencies.map(({ code }) => code),
        ['VOLET_EUR'],
      );
      assert.equal((await only.rail.health()).isUp, false, 'a wallet that isn’t the account’s');
    } finally {
      await only.close();
    }
  });

  it('shows no payment before it is paid, then its exact amount, in each currency', async () => {
    for (const currency of CODES) {
      const opening = await world.open(currency, 2550n);
      assert.deepEqual(await world.rail.payin.observe([opening.reference]), []);
      const { txid, from } = await world.pay(opening);
      const [seen, another] = await world.rail.payin.observe([opening.reference]);
      assert.ok(seen && !another);
      assert.deepEqual(
        { currency: seen.currency, to: seen.to, parts: seen.parts, txid: seen.txid, from: seen.from },
        { currency, to: opening.reference.to, parts: 2550n, txid, from: [from] },
      );
      assert.ok(seen.key.includes(txid));
      assert.ok(seen.status.at === 'block' && seen.status.isFinalised);
      assert.deepEqual(seen.source, { fields: { account: from }, key: from });
    }
  });

  it('receives a proven message about a payment, whose form can’t be paid twice', async () => {
    const opening = await world.open('VOLET_USD', 700n);
    await world.pay(opening);
    await until(() => world.messages.some(({ proof }) => proof.to === opening.reference.to));
    await assert.rejects(world.pay(opening), /paid already/);
  });

  it('refuses messages with a wrong signature, and proves them when they are sent again with the right one', async () => {
    let paidTo = '';
    const { forged, believed } = await forgedThenTrue(world, async () => {
      const opening = await world.open('VOLET_USD', 800n);
      paidTo = opening.reference.to;
      await world.pay(opening);
      return ({ raw }) => Buffer.from(raw).includes(`ac_order_id=${paidTo}`);
    });
    assert.ok(forged.length >= 2);
    assert.deepEqual(
      believed.map(({ proof }) => proof.isProven && proof.to),
      [paidTo, paidTo],
    );
  });

  it('is paid by the order in its form, and refuses a form of another order', async () => {
    const opening = await world.open('VOLET_USD', 300n);
    await assert.rejects(world.pay({ ...opening, reference: { ...opening.reference, to: '0123456789ABCDEF' } }), /another order/);
    await world.pay({ ...opening, reference: { ...opening.reference, to: '' } });
    assert.equal((await world.rail.payin.observe([opening.reference])).length, 1);
  });

  it('shows a held payment as pending, then as booked, then as taken back', async () => {
    await world.trick('hold');
    const opening = await world.open('VOLET_USD', 900n);
    await world.pay(opening);
    await world.trick('hold', { on: false });
    const status = async () => (await world.rail.payin.observe([opening.reference]))[0]?.status.at;
    assert.equal(await status(), 'mempool');
    await world.trick('release', { to: opening.reference.to });
    assert.equal(await status(), 'block');
    await world.trick('chargeback', { to: opening.reference.to });
    assert.equal(await status(), 'taken_back');
  });

  it('does not show a cancelled payment that was never completed', async () => {
    await world.trick('hold');
    const opening = await world.open('VOLET_USD', 900n);
    await world.pay(opening);
    await world.trick('hold', { on: false });
    await world.trick('chargeback', { to: opening.reference.to });
    assert.deepEqual(await world.rail.payin.observe([opening.reference]), []);
  });

  it('shows the provider’s fee for a payment', async () => {
    await world.trick('commission', { parts: '25' });
    const opening = await world.open('VOLET_USD', 1000n);
    await world.pay(opening);
    await world.trick('commission', { parts: '0' });
    const [seen] = await world.rail.payin.observe([opening.reference]);
    assert.deepEqual([seen?.parts, seen?.fee], [1000n, 25n]);
  });

  it('rejects a poll if the provider fails', async () => {
    const opening = await world.open('VOLET_USD', 1000n);
    world.counterpart.faults.set({ errors: 1 });
    await assert.rejects(world.rail.payin.observe([opening.reference]));
    world.counterpart.faults.set({});
  });

  it('checks accounts by their form, and gives all spellings of one account the same key', () => {
    const check = (currency: string, account: string) => world.rail.payin.checkAccount(currency, { account });
    const good = check('VOLET_USD', ' u 1234 5678 9012 ');
    assert.deepEqual(good, { ok: true, fields: { account: 'U123456789012' }, key: 'U123456789012' });
    assert.deepEqual(check('VOLET_RUB', 'R123456789012').ok, true);
    assert.deepEqual(check('VOLET_USD', 'Someone@Mail.Example '), {
      ok: true,
      fields: { account: 'someone@mail.example' },
      key: 'someone@mail.example',
    });
    const own = (world.settings['wallets'] as Record<string, string>)['USD'] ?? '';
    for (const ours of [own, own.toLowerCase(), String(world.settings['account']).toUpperCase()])
      assert.deepEqual(check('VOLET_USD', ours), { ok: false, field: 'account', problem: 'unusable' });
    for (const bad of ['', '  ', 'E123456789012', 'U12345678901', 'U1234567890123', 'a@b', 'a b@c.example', '@x.example'])
      assert.equal(check('VOLET_USD', bad).ok, false, bad);
  });

  it('sends an attempt once despite repeated calls, to a wallet or to an e-mail, and finds it', async () => {
    const account = await world.counterpart.address('VOLET_USD');
    const attempt = await preparedFor(world, 'one', 'VOLET_USD', 1234n, { account });
    assert.equal(await received(account), '0.00');
    assert.deepEqual(await world.rail.payout.find(attempt), { outcome: 'absent', isConclusive: false });
    const sent = await Promise.all([world.rail.payout.send(attempt), world.rail.payout.send(attempt)]);
    assert.deepEqual(
      sent.map(({ outcome }) => outcome),
      ['accepted', 'accepted'],
    );
    assert.equal((await world.rail.payout.send(attempt)).outcome, 'accepted');
    const found = await world.rail.payout.find(attempt);
    assert.ok(found.outcome === 'mined' && found.ok && found.isFinalised && found.confirmations === 1);
    assert.deepEqual(await world.rail.payout.find({ ...attempt, txid: found.txid }), found, 'also by Volet’s id');
    assert.equal(await received(account), '12.34');

    const opening = await world.open('VOLET_USD', 500n);
    await world.pay(opening);
    const [seen] = await world.rail.payin.observe([opening.reference]);
    const refund = await preparedFor(world, 'refund', 'VOLET_USD', 500n, seen?.source?.fields ?? {});
    assert.equal((await world.rail.payout.send(refund)).outcome, 'accepted');
    assert.equal(await received(seen?.from[0] ?? ''), '5.00');
  });

  it('posts nothing if it can’t look for an earlier send', async () => {
    const account = await world.counterpart.address('VOLET_EUR');
    const attempt = await preparedFor(world, 'unlooked', 'VOLET_EUR', 100n, { account });
    await world.trick('strangers');
    assert.equal((await world.rail.payout.send(attempt)).outcome, 'unknown', 'an earlier send may have got through');
    await world.trick('strangers', { on: false });
    assert.equal(await received(account, 'VOLET_EUR'), '0.00');
  });

  it('reports a send to an unknown payee as refused, and a returned send as failed', async () => {
    for (const account of ['U999999999999', 'nobody@mail.example']) {
      const attempt = await preparedFor(world, `to ${account}`, 'VOLET_USD', 100n, { account });
      const sent = await world.rail.payout.send(attempt);
      assert.equal(sent.outcome, 'refused', account);
    }
    const account = await world.counterpart.address('VOLET_USD');
    const attempt = await preparedFor(world, 'returned', 'VOLET_USD', 100n, { account });
    await world.rail.payout.send(attempt);
    await world.trick('return', { id: 'returned' });
    const found = await world.rail.payout.find(attempt);
    assert.ok(found.outcome === 'mined' && !found.ok && found.isFinalised);
  });

  it('prepares nothing if the float is short or the provider silent, and can send the whole balance', async () => {
    const [usd] = await world.rail.reserve();
    assert.ok(usd);
    const account = await world.counterpart.address('VOLET_USD');
    const short = await prepareFor(world, 'short', 'VOLET_USD', usd.parts + 1n, { account });
    assert.ok(!short.ok && short.reason === 'no_float');
    world.counterpart.faults.set({ errors: 1 });
    const silent = await prepareFor(world, 'silent', 'VOLET_USD', 1n, { account });
    world.counterpart.faults.set({});
    assert.ok(!silent.ok && silent.reason === 'unavailable');
    const all = await preparedFor(world, 'all', 'VOLET_USD', usd.parts, { account });
    assert.equal((await world.rail.payout.send(all)).outcome, 'accepted');
    assert.equal((await world.rail.reserve())[0]?.parts, 0n);
  });
});

describe('volet’s pages', () => {
  let world: Beside;
  before(async () => {
    world = await voletBeside({}, '100.00');
  });
  after(() => world.close());
  const post = (path: string, fields: Readonly<Record<string, string>>): Promise<Response> =>
    fetch(`${world.base}${path}`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  const billOf = async (page: Response): Promise<string> => / name="bill" value="([^"]+)"/.exec(await page.text())?.[1] ?? '';

  it('let a customer log in, confirm and return, and pay nothing after a cancellation', async () => {
    const opening = await world.open('VOLET_USD', 1500n);
    const bill = await billOf(await post('/sci/', opening.way.fields));
    const login = await post('/sci/login', { bill, email: 'payer@volet.example', password: 'sandbox' });
    assert.match(await login.text(), /15\.00 USD[\s\S]*Confirm/);
    const done = await post('/sci/confirm', { bill, email: 'payer@volet.example' });
    assert.deepEqual([done.status, done.headers.get('location')], [303, opening.way.fields['ac_success_url']]);
    assert.equal((await world.rail.payin.observe([opening.reference])).length, 1);
    assert.match(await (await fetch(`${world.base}/`)).text(), new RegExp(opening.reference.to));

    const other = await world.open('VOLET_USD', 1500n);
    const cancelled = await post('/sci/cancel', { bill: await billOf(await post('/sci/', other.way.fields)) });
    assert.equal(cancelled.headers.get('location'), other.way.fields['ac_fail_url']);
    assert.deepEqual(await world.rail.payin.observe([other.reference]), []);
  });

  it('show an error for a form with a wrong field', async () => {
    const { way } = await world.open('VOLET_USD', 1500n);
    const sign = (way.fields['ac_sign'] ?? '').replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
    for (const change of [{ ac_sign: sign }, { ac_amount: '1.00' }, { ac_currency: 'EUR' }, { ac_sci_name: 'Other' }]) {
      const page = await post('/sci/', { ...way.fields, ...change });
      assert.equal(page.status, 400, JSON.stringify(change));
      assert.match(await page.text(), /class="error"/);
    }
  });
});

test('the counterpart shows the same payments, sends and balances after a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kurs-volet-'));
  const before = await voletBeside({}, '100.00', folder);
  const opening = await before.open('VOLET_USD', 1500n);
  const { txid } = await before.pay(opening);
  const to = { account: await before.counterpart.address('VOLET_USD') };
  const attempt = await preparedFor(before, 'kept', 'VOLET_USD', 100n, to);
  await before.rail.payout.send(attempt);
  const held = await before.rail.reserve();
  await before.close();

  const later = await voletBeside({}, '100.00', folder);
  try {
    assert.deepEqual(
      (await later.rail.payin.observe([opening.reference])).map(({ key }) => key),
      [txid],
    );
    assert.equal((await later.rail.payout.find(attempt)).outcome, 'mined');
    const [was, is] = [held, await later.rail.reserve()].map(([first]) => first?.parts ?? 0n);
    assert.equal(is, (was ?? 0n) + 10_000n);
  } finally {
    await later.close();
    rmSync(folder, { recursive: true });
  }
});

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 750 && !isSo(); tries += 1) await sleep(20);
  assert.ok(isSo());
}
