// Tests the rail with its counterpart, over real HTTP.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, it, test } from 'node:test';
import { type Beside, prepareFor, preparedFor } from '../provider/beside.testing.ts';
import { CODES, webMoneyBeside } from './world.testing.ts';
import { feeOf, tranidOf } from './payout.ts';

test('turns a reference into a stable positive number below 2^53, and computes fees by the price list', () => {
  // Made by Python: int(sha256(text).hexdigest()[:13], 16) + 1
  assert.equal(tranidOf('0198f5a0-0000-7000-8000-000000000001'), '2375319581453985');
  for (let index = 0; index < 1000; index += 1) assert.ok(BigInt(tranidOf(`${index}`)) < 2n ** 53n);
  assert.deepEqual([1n, 100n, 10_000n, 10_001n, 10_000_000n].map(feeOf), [1n, 1n, 80n, 81n, 5_000n]);
});

describe('webmoney', () => {
  let world: Beside;
  before(async () => {
    world = await webMoneyBeside({}, '100.00');
  });
  after(() => world.close());
  const received = (account: string): Promise<string> => world.counterpart.balance('WMZ', account);

  it('has a currency for each purse, and is down with a wrong token', async () => {
    assert.deepEqual(
      world.rail.currencies.map(({ code }) => code),
      CODES,
    );
    assert.equal((await world.rail.health()).isUp, true);
    const { WMZ } = world.settings['purses'] as Record<string, Record<string, string>>;
    const wrong = await webMoneyBeside({ purses: { WMZ: { ...WMZ, token: 'another' } } });
    try {
      assert.deepEqual(
        wrong.rail.currencies.map(({ code }) => code),
        ['WMZ'],
      );
      assert.deepEqual(await wrong.rail.health(), { isUp: false, detail: 'WebMoney says 401' });
    } finally {
      await wrong.close();
    }
  });

  it('numbers references from the first number to WebMoney’s largest', () => {
    const to = (index: number) => world.rail.payin.instruct('WMZ', index).to;
    assert.deepEqual([to(0), to(41)], ['1000000', '1000041']);
    assert.equal(to(2_147_483_647 - 1_000_000), '2147483647');
    assert.throws(() => to(2_147_483_648 - 1_000_000), /used up/);
  });

  it('sees each payment’s exact amount in each currency, and nothing before it', async () => {
    for (const currency of CODES) {
      const opening = await world.open(currency, 2550n);
      assert.deepEqual(await world.rail.payin.observe([opening.reference]), []);
      const { txid, from } = await world.pay(opening);
      const [seen, another] = await world.rail.payin.observe([opening.reference]);
      assert.ok(seen && !another);
      const { key, to, parts, source, status } = seen;
      assert.deepEqual({ key, to, parts, from: seen.from }, { key: txid, to: opening.reference.to, parts: 2550n, from: [from] });
      assert.deepEqual(source, { fields: { account: from }, key: from });
      assert.ok(status.at === 'block' && status.isFinalised);
      assert.ok(Math.abs(status.minedAt.getTime() - Date.now()) < 60_000, 'WebMoney’s time is read as Moscow’s');
    }
  });

  it('gets a question before a payment and a notice after it', async () => {
    const opening = await world.open('WMZ', 700n);
    await world.pay(opening);
    const reported = () =>
      world.messages
        .filter(({ proof }) => proof.to === opening.reference.to)
        .map(({ raw, proof }) => [Buffer.from(raw).toString().includes('LMI_PREREQUEST=1'), proof.isProven]);
    await until(() => reported().length >= 2);
    assert.deepEqual(reported(), [
      [true, true],
      [false, true],
    ]);
    await assert.rejects(world.pay(opening), /made already/);
  });

  it('refuses a payment with a changed form, even if WebMoney’s signature is valid', async () => {
    const opening = await world.open('WMZ', 700n);
    const fields = { ...opening.way.fields, KURS_UNTIL: '2030-01-01T00:00:00.000Z' };
    await assert.rejects(world.pay({ ...opening, way: { ...opening.way, fields } }), /does not take/);
    assert.deepEqual(await world.rail.payin.observe([opening.reference]), []);
  });

  it('follows a held payment, released or rejected', async () => {
    await world.trick('hold', { days: 3 });
    const [one, other] = [await world.open('WMZ', 900n), await world.open('WMZ', 900n)];
    await world.pay(one);
    await world.pay(other);
    await world.trick('hold', { on: false });
    const status = async ({ reference }: typeof one) => (await world.rail.payin.observe([reference]))[0]?.status.at;
    assert.equal(await status(one), 'mempool');
    await world.trick('release', { to: one.reference.to });
    assert.equal(await status(one), 'block');
    await world.trick('return', { to: other.reference.to });
    assert.equal(await status(other), undefined);
  });

  it('concludes nothing while the provider fails or rejects the key', async () => {
    const opening = await world.open('WMZ', 1000n);
    world.counterpart.faults.set({ errors: 1 });
    await assert.rejects(world.rail.payin.observe([opening.reference]));
    world.counterpart.faults.set({});
    const { WMZ } = world.settings['purses'] as Record<string, Record<string, string>>;
    const wrong = await webMoneyBeside({ purses: { WMZ: { ...WMZ, secretKey: 'another' } } });
    try {
      await assert.rejects(wrong.rail.payin.observe([opening.reference]), /X18 says/);
    } finally {
      await wrong.close();
    }
  });

  it('checks accounts by their form: a purse of the currency, never a WMID', () => {
    const check = (currency: string, account: string) => world.rail.payin.checkAccount(currency, { account });
    assert.deepEqual(check('WMZ', ' z1234 5678 9012 '), { ok: true, fields: { account: 'Z123456789012' }, key: 'Z123456789012' });
    assert.equal(check('WME', 'E123456789012').ok, true);
    for (const bad of [
      '',
      ' ',
      '123456789012',
      'E123456789012',
      'R123456789012',
      'Z12345678901',
      'Z1234567890123',
      'a@b.example',
    ])
      assert.equal(check('WMZ', bad).ok, false, bad);
  });

  it('pays once even if sent several times, and finds the transfer with its fee', async () => {
    const account = await world.counterpart.address('WMZ');
    const attempt = await preparedFor(world, 'one', 'WMZ', 1050n, { account });
    assert.equal(await received(account), '0.00');
    assert.deepEqual(await world.rail.payout.find(attempt), { outcome: 'absent', isConclusive: false });
    const sent = await Promise.all([world.rail.payout.send(attempt), world.rail.payout.send(attempt)]);
    assert.deepEqual(
      sent.map(({ outcome }) => outcome),
      ['accepted', 'accepted'],
    );
    assert.equal((await world.rail.payout.send(attempt)).outcome, 'accepted');
    const found = await world.rail.payout.find(attempt);
    assert.ok(found.outcome === 'mined' && found.ok && found.isFinalised && found.fee === 9n);
    assert.deepEqual(attempt.fee, { currency: 'WMZ', parts: 9n, isMaximum: true });
    assert.equal(await received(account), '10.50');
  });

  it('finds a transfer with a lost answer, even if it is shown late', async () => {
    const account = await world.counterpart.address('WMZ');
    const attempt = await preparedFor(world, 'lost', 'WMZ', 500n, { account });
    await world.trick('lose', { operation: 'Transact' });
    assert.equal((await world.rail.payout.send(attempt)).outcome, 'unknown');
    await world.trick('lag');
    assert.equal((await world.rail.payout.send(attempt)).outcome, 'exists', 'the number was used, and no transfer is shown');
    await world.trick('lag', { on: false });
    assert.equal((await world.rail.payout.find(attempt)).outcome, 'mined');
    assert.equal((await world.rail.payout.send(attempt)).outcome, 'accepted');
    assert.equal(await received(account), '5.00');
  });

  it('sends nothing after a list that ends in an error', async () => {
    const account = await world.counterpart.address('WMZ');
    const attempt = await preparedFor(world, 'partial', 'WMZ', 100n, { account });
    await world.trick('break');
    await assert.rejects(world.rail.payout.find(attempt), /says -1/);
    assert.equal((await world.rail.payout.send(attempt)).outcome, 'unknown');
    await world.trick('break', { on: false });
    assert.equal(await received(account), '0.00');
  });

  it('takes no other transfer with the same number as its own', async () => {
    const account = await world.counterpart.address('WMZ');
    const attempt = await preparedFor(world, 'shared', 'WMZ', 100n, { account });
    await world.trick('occupy', { currency: 'WMZ', tranid: tranidOf('shared'), to: await world.counterpart.address('WMZ') });
    assert.deepEqual(await world.rail.payout.find(attempt), { outcome: 'absent', isConclusive: false });
    assert.equal((await world.rail.payout.send(attempt)).outcome, 'exists');
    assert.equal(await received(account), '0.00');
  });

  it('refuses a payee that doesn’t exist or doesn’t accept transfers, and follows a returned transfer', async () => {
    const closed = await world.counterpart.address('WMZ');
    await world.trick('close', { purse: closed });
    for (const account of ['Z999999999999', closed, await world.counterpart.address('WME')]) {
      const attempt = await preparedFor(world, `to ${account}`, 'WMZ', 100n, { account });
      assert.equal((await world.rail.payout.send(attempt)).outcome, 'refused', account);
    }
    const account = await world.counterpart.address('WMZ');
    const attempt = await preparedFor(world, 'returned', 'WMZ', 100n, { account });
    await world.rail.payout.send(attempt);
    await world.trick('return', { id: 'returned' });
    const found = await world.rail.payout.find(attempt);
    assert.ok(found.outcome === 'mined' && !found.ok && found.isFinalised);
  });

  it('prepares nothing if the balance is below sum and fee, or the provider is silent', async () => {
    const [wmz] = await world.rail.reserve();
    assert.ok(wmz);
    const account = await world.counterpart.address('WMZ');
    const short = await prepareFor(world, 'short', 'WMZ', wmz.parts, { account });
    assert.ok(!short.ok && short.reason === 'no_float');
    world.counterpart.faults.set({ errors: 1 });
    const silent = await prepareFor(world, 'silent', 'WMZ', 1n, { account });
    world.counterpart.faults.set({});
    assert.ok(!silent.ok && silent.reason === 'unavailable');
  });
});

describe('webmoney’s pages', () => {
  let world: Beside;
  before(async () => {
    world = await webMoneyBeside({}, '100.00');
  });
  after(() => world.close());
  const post = (path: string, fields: Readonly<Record<string, string>>): Promise<Response> =>
    fetch(`${world.base}${path}`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  const billOf = async (page: Response): Promise<string> => / name="bill" value="([^"]+)"/.exec(await page.text())?.[1] ?? '';

  it('lets a customer log in, confirm and come back; cancelling pays nothing', async () => {
    const opening = await world.open('WMZ', 1500n);
    const bill = await billOf(await post('/lmi/payment_utf.asp', opening.way.fields));
    const login = await post('/lmi/login', { bill, wmid: '100000000001', password: 'sandbox' });
    assert.match(await login.text(), /KU-1[\s\S]*Confirm/);
    const done = await post('/lmi/confirm', { bill, wmid: '100000000001' });
    assert.deepEqual([done.status, done.headers.get('location')], [303, opening.way.fields['LMI_SUCCESS_URL']]);
    assert.equal((await world.rail.payin.observe([opening.reference])).length, 1);
    assert.match(await (await fetch(`${world.base}/`)).text(), new RegExp(`payment ${opening.reference.to}`));

    const other = await world.open('WMZ', 1500n);
    const cancelled = await post('/lmi/cancel', { bill: await billOf(await post('/lmi/payment_utf.asp', other.way.fields)) });
    assert.equal(cancelled.headers.get('location'), other.way.fields['LMI_FAIL_URL']);
    assert.deepEqual(await world.rail.payin.observe([other.reference]), []);
  });

  it('shows an error for an invalid form', async () => {
    const { way } = await world.open('WMZ', 1500n);
    for (const change of [{ LMI_PAYMENT_AMOUNT: '1' }, { LMI_PAYMENT_AMOUNT: '15.00' }, { LMI_PAYEE_PURSE: 'Z999999999999' }]) {
      const page = await post('/lmi/payment_utf.asp', { ...way.fields, ...change });
      assert.equal(page.status, 400, JSON.stringify(change));
      assert.match(await page.text(), /class="error"/);
    }
  });
});

test('the counterpart has its payments and transfers after a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kurs-webmoney-'));
  const before = await webMoneyBeside({}, '100.00', folder);
  const opening = await before.open('WMZ', 1500n);
  const { txid } = await before.pay(opening);
  const to = { account: await before.counterpart.address('WMZ') };
  const attempt = await preparedFor(before, 'kept', 'WMZ', 100n, to);
  await before.rail.payout.send(attempt);
  const held = await before.rail.reserve();
  await before.close();

  const later = await webMoneyBeside({}, '100.00', folder);
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
