import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parse } from '@kurs/money';
import type { Attempt, PayoutItem, ReceivingAddress } from '../rail.ts';
import { forgedThenTrue } from '../provider/messages.testing.ts';
import { type PayeerWorld, payeerWorld } from './world.testing.ts';

const STATE = { spent: [], unconfirmed: [], indexes: [], changeIndex: 0 };

describe('Payeer with its counterpart', () => {
  let world: PayeerWorld;
  before(async () => {
    world = await payeerWorld();
  });
  after(() => world.close());

  const trick = (name: string, input: Readonly<Record<string, unknown>>) => world.sides.counterpart.tricks?.[name]?.(input);

  async function paidPlace(): Promise<ReceivingAddress> {
    const { to } = world.rail.payin.instruct('PAYEER_USD', world.nextIndex());
    const amount = parse('PAYEER_USD', '25.50');
    const request = {
      currency: 'PAYEER_USD',
      to,
      amount,
      label: 'KU-1',
      back: { success: '/y', fail: '/n' },
      locale: 'en' as const,
      until: new Date(),
      payer: {},
    };
    const opened = await world.rail.payin.open?.(request);
    assert.ok(opened?.ok);
    await world.pay({ to, way: opened.way, parts: 2_550n });
    return { currency: 'PAYEER_USD', to, sinceHeight: 0 };
  }

  async function prepared(id: string, to?: string): Promise<Attempt> {
    const account = to ?? (await world.payout?.receiver())?.['account'] ?? '';
    const item: PayoutItem = { id, currency: 'PAYEER_USD', to: { account }, parts: 700n };
    const made = await world.rail.payout?.prepare([item], STATE);
    assert.ok(made?.ok);
    return made.attempt;
  }

  it('shows the fee that Payeer kept of a payment', async () => {
    await trick('fee', { hundredths: 95 });
    const reference = await paidPlace();
    await trick('fee', { hundredths: 0 });
    const [observedPayment] = await world.rail.payin.observe([reference]);
    // 0.95 % of 25.50, rounded up to whole cents.
    assert.deepEqual([observedPayment?.parts, observedPayment?.fee], [2_550n, 25n]);
  });

  it('shows a payment once if the look-up lists it twice', async () => {
    const reference = await paidPlace();
    world.sides.counterpart.faults.set({ duplicates: 1 });
    const seen = await world.rail.payin.observe([reference]);
    world.sides.counterpart.faults.set({});
    assert.equal(seen.length, 1);
  });

  it('believes the two true messages of a payment, and none of the forged ones before them', async () => {
    let paidTo = '';
    const { forged, believed } = await forgedThenTrue(world.sides, async () => {
      paidTo = (await paidPlace()).to;
      return ({ raw }) => Buffer.from(raw).includes(`m_orderid=${paidTo}`);
    });
    assert.ok(forged.length >= 2, 'forged messages are refused');
    assert.deepEqual(
      believed.map(({ proof }) => proof.isProven && proof.to),
      [paidTo, paidTo],
    );
  });

  it('prepares no payout to an e-mail, to our own account, or to an account that Payeer doesn’t know', async () => {
    for (const account of ['new@example.com', String(world.sides.settings['account']), 'P99999999']) {
      const item: PayoutItem = { id: 'x', currency: 'PAYEER_USD', to: { account }, parts: 700n };
      const made = await world.rail.payout?.prepare([item], STATE);
      assert.deepEqual([account, made?.ok, made && !made.ok && made.reason], [account, false, 'refused']);
      if (account.includes('@')) assert.equal(made && !made.ok && made.detail, 'no Payeer account', 'Payeer isn’t even asked');
    }
  });

  it('prepares a transfer in one currency, with our reference and without secrets in the stored bytes', async () => {
    const { raw } = await prepared('payout-1', await fresh());
    const stored = JSON.parse(raw) as Record<string, string>;
    assert.deepEqual([stored['curIn'], stored['curOut'], stored['sumOut']], ['USD', 'USD', '7.00']);
    assert.deepEqual([stored['comment'], stored['referenceId']], ['payout-1', 'payout-1']);
    for (const name of ['apiPass', 'secret']) assert.ok(!raw.includes(String(world.sides.settings[name])));
  });

  const fresh = async (): Promise<string> => (await world.payout?.receiver())?.['account'] ?? '';

  it('sends nothing while it can’t look up an earlier send', async () => {
    const attempt = await prepared('payout-3');
    world.sides.counterpart.faults.set({ lost_replies: 1 });
    const sent = await world.rail.payout?.send(attempt);
    world.sides.counterpart.faults.set({});
    assert.equal(sent?.outcome, 'unknown');
    assert.equal(await world.payout?.timesDone(attempt), 0);
  });

  it('returns a definite refusal if the money was spent after the payout was prepared', async () => {
    const attempt = await prepared('payout-4');
    const { payable = 0n } = (await world.rail.reserve()).find(({ currency }) => currency === 'PAYEER_USD') ?? {};
    const rest: PayoutItem = { id: 'payout-5', currency: 'PAYEER_USD', to: { account: await fresh() }, parts: payable };
    const all = await world.rail.payout?.prepare([rest], STATE);
    assert.ok(all?.ok);
    await world.rail.payout?.send(all.attempt);
    assert.deepEqual(await world.rail.payout?.send(attempt), { outcome: 'refused', reason: 'balanceError' });
    await world.sides.counterpart.fund({ currency: 'PAYEER_USD', to: '', amount: '1000.00' });
  });

  it('is down with a wrong key, and shows the key to nobody', async () => {
    const { provider } = await import('./index.ts');
    const said = provider.settings.parse({ ...world.sides.settings, apiPass: 'not the key' });
    const rail = provider.open(said, { reference: String, webhookUrl: '', siteUrl: (path: string) => path });
    const health = await rail.health();
    assert.equal(health.isUp, false);
    assert.doesNotMatch(health.detail, /not the key/);
    const made = await rail.payout?.prepare(
      [{ id: 'y', currency: 'PAYEER_USD', to: { account: await fresh() }, parts: 1n }],
      STATE,
    );
    assert.deepEqual(made && !made.ok && made.reason, 'unavailable');
  });
});
