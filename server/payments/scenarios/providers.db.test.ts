import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { accounts } from '../../ledger/index.ts';
import { testSealer } from '../../platform/testing.ts';
import type { ObservedPayment } from '../../rails/rail.ts';
import { takeWebhook } from '../payins/webhook.ts';
import { enterVoucher } from '../polls/entries.ts';
import { fundDesk } from '../balances/capital.ts';
import { voucherState, showVoucher } from '../payouts/vouchers.ts';
import { recallRail } from '../sending/recall-payouts.ts';
import { dropRequests } from '../payins/request-store.ts';
import { newId } from '../../platform/index.ts';
import { type Desk, events, openDesk } from './world.testing.ts';

const PARTS = 100_000n;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

async function withProvider(by: 'redirect' | 'voucher', work: (desk: Desk) => Promise<void>): Promise<void> {
  const desk = await openDesk({ id: 'provider', provider: { hasDedupe: false, by } }, { callMs: 5_000 });
  try {
    await work(desk);
  } finally {
    await desk.close();
  }
}

const message = (about: object): { raw: Uint8Array; headers: Record<string, string> } => ({
  raw: new TextEncoder().encode(JSON.stringify(about)),
  headers: { 'content-type': 'application/json', authorization: 'a secret that came by mistake' },
});

describe('a payment that its provider prepares', () => {
  it('is prepared once, and published with the way to pay it', () =>
    withProvider('redirect', async (desk) => {
      const { order, to } = await desk.open();
      await desk.turn();
      await desk.turn();
      assert.deepEqual(
        (await desk.ways(order)).map(({ event, way }) => [event, way]),
        [['ready', { kind: 'redirect', method: 'POST', url: 'memory:pay', fields: { to } }]],
      );
      assert.equal(desk.world.opened.get(to), 1);
    }));

  it('is requested again under the same reference if the answer was lost', () =>
    withProvider('redirect', async (desk) => {
      const { order, to } = await desk.open();
      desk.world.inject('open', { kind: 'lost' });
      await desk.turn();
      assert.deepEqual(await desk.ways(order), []);
      await desk.pass(MINUTE);
      await desk.turn();
      await desk.pass(MINUTE);
      await desk.turn();
      assert.deepEqual(events(await desk.ways(order)), ['ready']);
      assert.equal(desk.world.opened.get(to), 2);
    }));

  it('is published once if the provider refuses it; it is not requested if nobody waits for it', () =>
    withProvider('redirect', async (desk) => {
      const refused = await desk.open();
      desk.world.inject('open', { kind: 'refuse' });
      await desk.turn();
      await desk.pass(MINUTE);
      await desk.turn();
      assert.deepEqual(events(await desk.ways(refused.order)), ['refused']);

      const cancelled = await desk.open();
      await desk.db.tx((tx) => dropRequests(tx, { kind: 'order', id: cancelled.order }));
      await desk.turn();
      assert.deepEqual(await desk.ways(cancelled.order), []);
      assert.equal(desk.world.opened.get(cancelled.to), undefined);
    }));

  it('is final when the provider has booked it, with its sender and the provider’s fee', () =>
    withProvider('redirect', async (desk) => {
      await desk.db.tx((tx) => fundDesk(tx, [{ id: newId(), currency: 'BTC', place: 'hot', parts: 1_000_000n }]));
      const hot = accounts.custody('BTC', 'hot', 'BTC');
      const before = await desk.balance(hot);
      const { order, to } = await desk.open();
      desk.world.keeps = 349n;
      desk.world.pay(to, PARTS, { from: ['payer'] });
      await desk.turn();
      assert.deepEqual(events(await desk.payins(order)), ['seen']);
      desk.world.mine();
      await desk.pass(MINUTE);
      await desk.turn();
      await desk.pass(MINUTE);
      await desk.turn();
      const final = (await desk.payins(order)).at(-1);
      assert.deepEqual(
        [final?.event, final?.retained, final?.source],
        ['final', '349', { fields: { address: 'payer' }, key: 'payer' }],
      );
      assert.equal(before - (await desk.balance(hot)), 349n, 'posted once');
    }));

  it('is handed to its rail as awaited, until the time to pay is over', () =>
    withProvider('redirect', async (desk) => {
      const { to } = await desk.open();
      const { payin } = desk.rail;
      assert.ok(payin);
      const { observe } = payin;
      let handed: (boolean | undefined)[] = [];
      payin.observe = (addresses, ...more) => {
        handed = addresses.filter((address) => address.to === to).map(({ isWanted }) => isWanted);
        return observe.call(payin, addresses, ...more);
      };
      await desk.pass(MINUTE);
      await desk.turn();
      assert.deepEqual(handed, [true]);
      handed = [];
      await desk.pass(2 * DAY);
      await desk.turn();
      assert.deepEqual(handed, [false]);
    }));

  it('is reversed at once by the webhook of a chargeback, months later', () =>
    withProvider('redirect', async (desk) => {
      const { order, to } = await desk.open();
      desk.world.pay(to, PARTS);
      desk.world.mine();
      await desk.turn();
      await desk.pass(170 * DAY);
      await desk.turn();
      const [tx] = desk.world.paying(to);
      desk.world.reorg(1, true);
      assert.deepEqual(await takeWebhook(desk.db, 'provider', message({ isProven: true, to })), {
        ...{ status: 200, type: 'text/plain', body: 'taken' },
      });
      await desk.turn();
      assert.deepEqual(events(await desk.payins(order)), ['final', 'reversed']);
      assert.equal((await desk.payins(order)).at(-1)?.reason, 'chargeback');
      // The dispute is won.
      if (tx) desk.world.restore(tx);
      desk.world.mine();
      await takeWebhook(desk.db, 'provider', message({ isProven: true, to, again: true }));
      // On a busy machine a webhook that arrives as a turn begins is read by the next.
      for (let turn = 0; turn < 2; turn += 1) await desk.turn();
      assert.deepEqual(events(await desk.payins(order)).slice(0, 2), ['final', 'reversed']);
      assert.deepEqual([(await desk.payins(order)).at(-1)?.event, (await desk.payins(order)).at(-1)?.isBack], ['final', true]);
    }));
});

describe('a payment that a provider no longer shows', () => {
  it('does not count as taken back: the provider would report that', () =>
    withProvider('redirect', async (desk) => {
      const { order, to } = await desk.open();
      desk.world.pay(to, PARTS);
      desk.world.mine();
      await desk.turn();
      for (let poll = 0; poll < 4; poll += 1) {
        desk.world.inject('observe', { kind: 'drop' });
        await takeWebhook(desk.db, 'provider', message({ isProven: true, to, poll }));
        await desk.pass(MINUTE);
        await desk.turn();
      }
      assert.deepEqual(events(await desk.payins(order)), ['final']);
    }));

  it('belongs to one address: a payment known elsewhere counts there, and the others go on', () =>
    withProvider('redirect', async (desk) => {
      const [first, second, third] = [await desk.open(), await desk.open(), await desk.open()];
      desk.world.payMany([{ to: first.to, parts: PARTS }]);
      desk.world.mine();
      await desk.turn();
      const { key } = (await desk.db.row<{ key: string }>('select key from payin')) ?? { key: '' };
      // The provider shows the same payment at another address, too.
      const observe = desk.rail.payin.observe;
      const doubled: typeof observe = async (addresses) => {
        const seen = await observe(addresses);
        return [...seen, { ...(seen[0] ?? observedPayment(key)), key, to: second.to }];
      };
      Object.assign(desk.rail.payin, { observe: doubled });
      desk.world.pay(third.to, PARTS);
      desk.world.mine();
      await takeWebhook(desk.db, 'provider', message({ isProven: true, to: second.to }));
      await takeWebhook(desk.db, 'provider', message({ isProven: true, to: third.to }));
      await desk.turn();
      assert.deepEqual(events(await desk.payins(second.order)), []);
      assert.deepEqual(events(await desk.payins(third.order)), ['final']);
    }));
});

const observedPayment = (key: string): ObservedPayment => ({
  ...{ key, currency: 'BTC', to: '', parts: PARTS, txid: key, from: [] },
  status: { at: 'mempool', isReplaceable: false, isFeeOk: true },
});

describe('webhooks of a provider', () => {
  it('that are forged change nothing, are refused, and store no secret of their sender', () =>
    withProvider('redirect', async (desk) => {
      const { order, to } = await desk.open();
      desk.world.pay(to, PARTS);
      desk.world.mine();
      const answer = await takeWebhook(desk.db, 'provider', message({ isProven: false, to }));
      assert.deepEqual(answer, { status: 400, type: 'text/plain', body: 'no' });
      assert.equal(await takeWebhook(desk.db, 'nobody', message({ isProven: true })), 'no_rail');
      const stored = await desk.db.row<{ outcome: string; headers: object }>('select outcome, headers from callback');
      assert.deepEqual(stored, { outcome: 'not_proven', headers: { 'content-type': 'application/json' } });
      assert.deepEqual(await desk.payins(order), []);
    }));

  it('trigger the poll of a payment by the provider’s id, and of a send by our reference', () =>
    withProvider('redirect', async (desk) => {
      const { order, to } = await desk.open();
      await desk.turn();
      desk.world.pay(to, PARTS);
      desk.world.mine();
      await desk.turn();
      assert.deepEqual(await desk.payins(order), [], 'the next poll is not due yet');
      await takeWebhook(desk.db, 'provider', message({ isProven: true, id: `id of ${to}` }));
      await desk.turn();
      assert.deepEqual(events(await desk.payins(order)), ['final']);

      const id = await desk.request(PARTS);
      await desk.turn();
      desk.world.mine();
      await desk.pass(MINUTE);
      await desk.turn();
      assert.deepEqual(events(await desk.payouts(id)), ['send', 'accepted', 'final']);
      for (const tx of desk.world.carrying(id)) desk.world.revert(tx.id);
      await desk.turn();
      assert.equal((await desk.payouts(id)).at(-1)?.event, 'final', 'the next poll is not due yet');
      const attempt = await desk.db.row<{ reference: string }>('select reference from payment_attempt');
      await takeWebhook(desk.db, 'provider', message({ isProven: true, sent: attempt?.reference }));
      // In this turn, or in the next on a slow machine; without the webhook it isn't due yet.
      for (let turn = 0; turn < 5; turn += 1) await desk.turn();
      assert.equal((await desk.payouts(id)).at(-1)?.event, 'returned');
    }));

  it('are not needed: a finished send that comes back is found for a month', () =>
    withProvider('redirect', async (desk) => {
      const sooner = await desk.request(PARTS);
      await desk.turn();
      const never = await desk.request(PARTS);
      await desk.turn();
      desk.world.mine();
      await desk.pass(MINUTE);
      await desk.turn();
      assert.equal((await desk.payouts(never)).at(-1)?.event, 'final');
      const fees = await desk.balance(accounts.spent('rail', 'BTC'));
      for (const tx of desk.world.carrying(sooner)) desk.world.revert(tx.id);
      // At last it can't even be looked up: that says nothing about it, or about the rail.
      desk.world.inject('find', { kind: 'error' }, 2);
      for (let day = 0; day < 4; day += 1) {
        await desk.pass(DAY);
        await desk.turn();
      }
      assert.equal((await desk.payouts(sooner)).at(-1)?.event, 'returned');
      assert.equal((await desk.payouts(never)).at(-1)?.event, 'final');
      assert.equal(await desk.balance(accounts.spent('rail', 'BTC')), fees, 'this one keeps its fee');
      await desk.pass(31 * DAY);
      await desk.turn();
      for (const tx of desk.world.carrying(never)) desk.world.revert(tx.id);
      await desk.pass(31 * DAY);
      await desk.turn();
      assert.equal((await desk.payouts(never)).at(-1)?.event, 'final', 'no poll is scheduled any more');
    }));
});

describe('vouchers that customers enter', () => {
  const enter = (desk: Desk, order: string, number: string) =>
    desk.db.tx((tx) => enterVoucher(tx, testSealer, { kind: 'order', id: order }, { number }));

  it('are used once and arrive by their own value, whatever was due', () =>
    withProvider('voucher', async (desk) => {
      desk.world.vouchers.set('1234', { parts: PARTS, isUsed: false });
      const { order } = await desk.open();
      await desk.turn();
      assert.equal(await enter(desk, order, '1234'), 'stored');
      await desk.turn();
      assert.deepEqual(events(await desk.ways(order)), ['ready', 'entry_taken']);
      assert.deepEqual(
        (await desk.payins(order)).map(({ event, parts }) => [event, parts]),
        [['final', `${PARTS}`]],
      );
      const row = await desk.db.row<{ fields: Buffer }>('select fields from payin_entry');
      assert.ok(!row?.fields.toString('latin1').includes('1234'), 'kept sealed');
    }));

  it('that are invalid take nothing; the same one may be tried again, and five in all', () =>
    withProvider('voucher', async (desk) => {
      const { order } = await desk.open();
      await desk.turn();
      assert.equal(await enter(desk, order, '0000'), 'stored');
      await desk.turn();
      assert.deepEqual((await desk.ways(order)).at(-1)?.reason, 'wrong');
      for (const number of ['0000', '0002', '0003', '0004']) assert.equal(await enter(desk, order, number), 'stored');
      assert.equal(await enter(desk, order, '0005'), 'too_many');
      assert.deepEqual(await desk.payins(order), []);
    }));

  it('can’t be used by anybody else, even at the same time', () =>
    withProvider('voucher', async (desk) => {
      desk.world.vouchers.set('1234', { parts: PARTS, isUsed: false });
      const [one, two] = [await desk.open(), await desk.open()];
      await desk.turn();
      const entered = await Promise.allSettled([enter(desk, one.order, '1234'), enter(desk, two.order, '1234')]);
      const stored = entered.filter((each) => each.status === 'fulfilled' && each.value === 'stored');
      assert.equal(stored.length, 1);
      await desk.turn();
      assert.equal((await desk.payins(one.order)).length + (await desk.payins(two.order)).length, 1);
    }));

  it('that were not found after an unclear answer may be entered again an hour later', () =>
    withProvider('voucher', async (desk) => {
      desk.world.vouchers.set('1234', { parts: PARTS, isUsed: false });
      const [one, two] = [await desk.open(), await desk.open()];
      await desk.turn();
      await enter(desk, one.order, '1234');
      desk.world.inject('redeem', { kind: 'error' });
      await desk.turn();
      assert.equal(await enter(desk, two.order, '1234'), 'used');
      await desk.pass(61 * MINUTE);
      await desk.turn();
      assert.equal(await enter(desk, two.order, '1234'), 'used', 'the address is polled first');
      await desk.turn();
      assert.equal(await enter(desk, two.order, '1234'), 'stored');
      await desk.turn();
      assert.deepEqual(events(await desk.payins(two.order)), ['final']);
    }));

  it('stay taken while no poll succeeds: an hour in which the provider was away proves nothing', () =>
    withProvider('voucher', async (desk) => {
      desk.world.vouchers.set('1234', { parts: PARTS, isUsed: false });
      const [one, two] = [await desk.open(), await desk.open()];
      await desk.turn();
      await enter(desk, one.order, '1234');
      desk.world.inject('redeem', { kind: 'lost' });
      desk.world.inject('observe', { kind: 'error' });
      await desk.turn();
      desk.world.health = { isUp: false, detail: 'away' };
      await desk.turn();
      await desk.pass(90 * MINUTE);
      await desk.turn();
      desk.world.health = { isUp: true, detail: 'up' };
      await desk.turn();
      assert.equal(await enter(desk, two.order, '1234'), 'used');
      await desk.pass(MINUTE);
      await desk.turn();
      assert.deepEqual(events(await desk.payins(one.order)), ['final']);
    }));

  for (const [name, fault] of [
    ['answer was lost', 'lost'],
    ['provider failed before', 'error'],
  ] as const) {
    it(`whose ${name} are never used again: a poll decides`, () =>
      withProvider('voucher', async (desk) => {
        desk.world.vouchers.set('1234', { parts: PARTS, isUsed: false });
        const { order } = await desk.open();
        await desk.turn();
        await enter(desk, order, '1234');
        desk.world.inject('redeem', { kind: fault });
        await desk.turn();
        await desk.pass(5 * MINUTE);
        await desk.turn();
        const arrived = fault === 'lost' ? ['final'] : [];
        assert.deepEqual(events(await desk.payins(order)), arrived);
        assert.equal(desk.world.vouchers.get('1234')?.isUsed, fault === 'lost');
        assert.deepEqual((await desk.ways(order)).at(-1)?.event, 'entry_taken', 'it is looked at');
      }));
  }
});

describe('vouchers that customers buy', () => {
  it('are stored encrypted, shown first to one caller only, and each showing is stored', () =>
    withProvider('voucher', async (desk) => {
      const id = await desk.request(PARTS);
      await desk.turn();
      assert.equal(await voucherState(desk.db, id), 'unseen');
      const stored = await desk.db.row<{ voucher: Buffer }>('select voucher from payout_voucher');
      assert.ok(!stored?.voucher.toString('latin1').includes('code of'));
      const show = (as: 'unseen' | 'seen') => desk.db.tx((tx) => showVoucher(tx, testSealer, id, 'somebody', as));
      const shown = await Promise.all([show('unseen'), show('unseen')]);
      assert.equal(shown.filter(Boolean).length, 1, 'one of two is the first');
      assert.match(shown.find(Boolean)?.['code'] ?? '', /^code of /);
      assert.equal(await voucherState(desk.db, id), 'seen');
      assert.ok(await show('seen'));
      assert.equal((await desk.db.rows('select from payout_voucher_shown')).length, 2);
      const moved = await desk.request(PARTS);
      await desk.turn();
      await desk.db.run('update payout_voucher set voucher = (select voucher from payout_voucher where payout_id = $1)', [id]);
      const showing = desk.db.tx((tx) => showVoucher(tx, testSealer, moved, 'thief', 'unseen'));
      await assert.rejects(showing, { code: 'voucher_sealed' }, 'nobody reads another payout’s');
    }));

  it('that were not shown in 90 days are taken back', () =>
    withProvider('voucher', async (desk) => {
      const seen = await desk.request(PARTS);
      await desk.turn();
      const unseen = await desk.request(PARTS);
      await desk.turn();
      desk.world.mine();
      await desk.pass(MINUTE);
      await desk.turn();
      await desk.db.tx((tx) => showVoucher(tx, testSealer, seen, 'somebody', 'unseen'));
      await desk.pass(89 * DAY);
      await recallRail(desk.deps, desk.rail);
      await desk.turn();
      assert.equal((await desk.payouts(unseen)).at(-1)?.event, 'final');
      await desk.pass(2 * DAY);
      await recallRail(desk.deps, desk.rail);
      await desk.turn();
      assert.deepEqual(
        [(await desk.payouts(seen)).at(-1)?.event, (await desk.payouts(unseen)).at(-1)?.event],
        ['final', 'returned'],
      );
    }));
});

describe('a payout that waits for its receiver at the provider', () => {
  it('is not final, and is taken back after seven days', () =>
    withProvider('voucher', async (desk) => {
      const id = await desk.request(PARTS);
      await desk.turn();
      for (const days of [3, 3]) {
        await desk.pass(days * DAY);
        assert.equal(await recallRail(desk.deps, desk.rail), 0, 'they may still claim it');
        await desk.turn();
      }
      assert.deepEqual(events(await desk.payouts(id)), ['send', 'accepted']);
      await desk.pass(2 * DAY);
      assert.equal(await recallRail(desk.deps, desk.rail), 1);
      desk.world.mine();
      await desk.turn();
      assert.deepEqual(events(await desk.payouts(id)), ['send', 'accepted', 'returned']);
    }));
});
