import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Attempt, Entry, Prepared, Redeemed, Sent } from '../rail.ts';
import { provider } from './index.ts';
import { type PerfectMoneyWorld, madeBy, perfectMoneyWorld } from './world.testing.ts';

const STATE = { spent: [] as string[], unconfirmed: [], indexes: [], changeIndex: 0 };

describe('Perfect Money with its counterpart', () => {
  let world: PerfectMoneyWorld;
  before(async () => {
    world = await perfectMoneyWorld();
  });
  after(() => world.close());

  let items = 0;
  const payout = () => world.sides.rail.payout;
  const prepare = (parts: bigint, spent: readonly string[] = []): Promise<Prepared> => {
    items += 1;
    return payout().prepare([{ id: `payout-${items}`, currency: 'PMV_USD', to: {}, parts }], { ...STATE, spent });
  };
  async function prepared(parts: bigint, spent: readonly string[] = []): Promise<Attempt> {
    const made = await prepare(parts, spent);
    assert.ok(made.ok, made.ok ? '' : made.detail);
    return made.attempt;
  }
  /** Opens the rail as after a restart of its process, with an empty memory. */
  const restarted = () => {
    const context = { reference: String, webhookUrl: '', siteUrl: (path: string) => path };
    return provider.open(provider.settings.parse(world.sides.settings), context);
  };
  const trick = (name: string, input: Readonly<Record<string, unknown>>) => world.sides.counterpart.tricks?.[name]?.(input);

  describe('creating vouchers', () => {
    it('returns number, code and fee', async () => {
      const attempt = await prepared(1_001n);
      const sent = await payout().send(attempt);
      assert.ok(sent.outcome === 'accepted');
      assert.match(sent.voucher?.['number'] ?? '', /^\d{10}$/);
      assert.match(sent.voucher?.['code'] ?? '', /^\d{16}$/);
      const found = await payout().find(attempt);
      // The fee is half a percent of 10.01, rounded up.
      assert.ok(found.outcome === 'mined' && found.fee === 6n && found.txid === sent.txid);
      const again = await restarted().payout?.find(attempt);
      assert.deepEqual(again, found, 'after a restart the lists show the same');
    });

    it('creates one voucher of a sum at a time, and others meanwhile', async () => {
      const first = await prepared(1_100n);
      const second = await prepare(1_100n, first.spends);
      assert.deepEqual([second.ok, !second.ok && second.reason], [false, 'busy']);
      await prepared(1_101n, first.spends);
      await prepared(1_100n);
    });

    it('recognizes no voucher after half an hour, and lets others of its sum be created later', async () => {
      const first = await prepared(1_150n);
      await world.payout?.sendUnheard(first);
      const older = (minutes: number): Attempt => {
        const raw = JSON.parse(first.raw) as { at: string };
        const at = new Date(new Date(raw.at).getTime() - minutes * 60_000);
        const [head = '', account = '', amount = ''] = (first.spends[0] ?? '').split(':');
        const spends = [[head, account, amount, at.getTime(), first.reference].join(':')];
        return { ...first, spends, raw: JSON.stringify({ ...raw, at: at.toISOString() }) };
      };
      assert.equal((await restarted().payout?.find(older(29)))?.outcome, 'mined');
      assert.equal((await restarted().payout?.find(older(31)))?.outcome, 'absent');
      assert.equal((await prepare(1_150n, older(39).spends)).ok, false);
      assert.equal((await prepare(1_150n, older(41).spends)).ok, true);
    });

    it('shows an unrecorded voucher, unless an attempt of its sum may still recognize it', async () => {
      const compare = (readTo: string | undefined, spent: readonly string[]) =>
        payout().ownSends?.({ state: { ...STATE, spent }, isFirst: false, ...(readTo !== undefined && { readTo }) });
      const begun = await compare(undefined, []);
      const attempt = await prepared(1_177n);
      await world.payout?.sendUnheard(attempt);
      const [spend = ''] = attempt.spends;
      const older = (minutes: number): string => {
        const [of = '', account, amount, at = '', ...rest] = spend.split(':');
        return [of, account, amount, `${Number.parseInt(at, 10) - minutes * 60_000}`, ...rest].join(':');
      };
      const shown = async (spent: string): Promise<unknown> =>
        (await compare(begun?.readTo, [spent]))?.sends.filter(({ pays: [pay] }) => pay?.parts === 1_177n).length;
      assert.deepEqual([await shown(spend), await shown(older(29)), await shown(older(31))], [0, 0, 1]);
    });

    it('tells two vouchers of the same sum apart by the earlier list, even without answers to the sends', async () => {
      const first = await prepared(1_200n);
      await world.payout?.sendUnheard(first);
      const firstFound = await restarted().payout?.find(first);
      const second = await prepared(1_200n);
      assert.deepEqual(await restarted().payout?.find(second), { outcome: 'absent', isConclusive: false });
      await world.payout?.sendUnheard(second);
      const secondFound = await restarted().payout?.find(second);
      assert.ok(firstFound?.outcome === 'mined' && secondFound?.outcome === 'mined');
      assert.notEqual(firstFound.voucher?.['number'], secondFound.voucher?.['number']);
    });

    it('leaves an attempt in doubt if two vouchers may be its own, and doesn’t send it again', async () => {
      const attempt = await prepared(1_300n);
      await world.payout?.sendUnheard(attempt);
      await trick('make', { currency: 'PMV_USD', amount: '13.00' });
      assert.deepEqual(await restarted().payout?.find(attempt), { outcome: 'absent', isConclusive: false });
      const sent = (await restarted().payout?.send(attempt)) as Sent;
      assert.equal(sent.outcome, 'unknown');
      assert.equal((await madeBy(world.sides, attempt)).length, 2, 'one with a lost answer and one by hand');
    });

    it('creates a voucher although the first call of the list failed', async () => {
      const attempt = await prepared(1_350n);
      world.sides.counterpart.faults.set({ errors: 0.5 });
      world.draws.push(0.1, 0.9, 0.9);
      const sent = await payout().send(attempt);
      world.sides.counterpart.faults.set({});
      assert.equal(sent.outcome, 'accepted');
    });

    it('reports a definite refusal, after which there is no voucher', async () => {
      const attempt = await prepared(50_000n);
      const { payable = 0n } = (await world.rail.reserve()).find(({ currency }) => currency === 'PMV_USD') ?? {};
      // Somebody else uses up the balance except for about 100.00.
      await trick('make', { currency: 'PMV_USD', amount: `${(payable - 10_000n) / 100n}.00` });
      assert.deepEqual(await payout().send(attempt), { outcome: 'refused', reason: 'Not enough money to pay' });
      await world.sides.counterpart.fund({ currency: 'PMV_USD', to: '', amount: '1000.00' });
    });

    it('writes the password into no attempt and no error', async () => {
      const attempt = await prepared(1_400n);
      const secret = String(world.sides.settings['passPhrase']);
      assert.ok(!JSON.stringify(attempt, (_key, value: unknown) => String(value)).includes(secret));
      const wrong = provider.settings.parse({ ...world.sides.settings, passPhrase: 'wrong' });
      const { isUp, detail } = await provider
        .open(wrong, { reference: String, webhookUrl: '', siteUrl: (path: string) => path })
        .health();
      assert.equal(isUp, false);
      assert.match(detail, /^Can not login/);
    });
  });

  describe('taking vouchers back', () => {
    it('finds its own voucher among later ones of the same sum after a restart', async () => {
      const first = await prepared(1_500n);
      const sent = await payout().send(first);
      const second = await prepared(1_500n);
      await payout().send(second);
      const later = restarted();
      await later.payout?.recall?.(first);
      const found = await later.payout?.find(first);
      assert.ok(found?.outcome === 'mined' && !found.ok && found.isFinalised);
      const voucher = sent.outcome === 'accepted' ? sent.voucher : undefined;
      assert.deepEqual(
        (await madeBy(world.sides, first)).map(({ number, removed }) => [number === voucher?.['number'], removed]),
        [
          [true, true],
          [false, false],
        ],
      );
    });

    it('leaves an activated voucher unchanged', async () => {
      const attempt = await prepared(1_600n);
      const sent = await payout().send(attempt);
      assert.ok(sent.outcome === 'accepted');
      await trick('activate', { ...sent.voucher });
      await payout().recall?.(attempt);
      const found = await payout().find(attempt);
      assert.ok(found.outcome === 'mined' && found.ok);
    });
  });

  describe('taking vouchers', () => {
    const { payin } = { payin: () => world.sides.rail.payin };
    let entries = 0;
    const bought = async (amount: string, currency = 'PMV_USD'): Promise<Record<string, string>> => {
      const paid = await world.sides.counterpart.pay({ currency, to: '', amount, fee: 'normal', isReplaceable: false });
      return { ...paid.voucher };
    };
    const enter = (fields: Readonly<Record<string, string>>): Entry => {
      entries += 1;
      const { to } = payin().instruct('PMV_USD', 900 + entries);
      return { id: `entry-${entries}`, currency: 'PMV_USD', to, fields };
    };
    const redeem = async (entry: Entry): Promise<Redeemed> => (await payin().redeem?.(entry)) ?? assert.fail('takes no vouchers');
    const observe = (entry: Entry) => payin().observe([{ currency: 'PMV_USD', to: entry.to, sinceHeight: 0, entries: [entry] }]);

    it('counts a voucher’s own worth, and ignores spaces in its number and code', async () => {
      const { number = '', code = '' } = await bought('7.77');
      const entry = enter({ number: ` ${number.slice(0, 5)} ${number.slice(5)}`, code: code.replaceAll(/(\d{4})/g, '$1 ') });
      assert.deepEqual(await redeem(entry), { outcome: 'redeemed' });
      const [observedPayment] = await observe(entry);
      assert.deepEqual(
        [observedPayment?.parts, observedPayment?.key, observedPayment?.currency],
        [777n, `ev:${number}`, 'PMV_USD'],
      );
      assert.deepEqual(observedPayment?.source, { fields: {}, key: '' });
    });

    const wrong: readonly (readonly [string, (voucher: Record<string, string>) => Record<string, string>])[] = [
      ['a wrong code', ({ number = '' }) => ({ number, code: '0'.repeat(16) })],
      ['a wrong number', ({ code = '' }) => ({ number: '0'.repeat(10), code })],
      ['too few digits', ({ number = '', code = '' }) => ({ number: number.slice(1), code })],
      ['letters', ({ number = '' }) => ({ number, code: 'abcdabcdabcdabcd' })],
      ['nothing', () => ({})],
    ];
    for (const [why, change] of wrong) {
      it(`refuses ${why}, and takes nothing`, async () => {
        const voucher = await bought('5.00');
        const entry = enter(change(voucher));
        const redeemed = await redeem(entry);
        assert.deepEqual([redeemed.outcome, redeemed.outcome === 'refused' && redeemed.reason], ['refused', 'wrong']);
        assert.deepEqual(await observe(entry), []);
        assert.deepEqual(await redeem(enter(voucher)), { outcome: 'redeemed' });
      });
    }

    it('refuses a voucher of another currency, and leaves it to the customer', async () => {
      const redeemed = await redeem(enter(await bought('5.00', 'PMV_EUR')));
      assert.deepEqual([redeemed.outcome, redeemed.outcome === 'refused' && redeemed.reason], ['refused', 'foreign']);
    });

    it('repeats an activation that had no answer', async () => {
      const entry = enter(await bought('6.50'));
      world.sides.counterpart.faults.set({ errors: 0.5 });
      world.draws.push(0.1, 0.9);
      const redeemed = await redeem(entry);
      world.sides.counterpart.faults.set({});
      assert.deepEqual(redeemed, { outcome: 'redeemed' });
    });

    it('reports an activation as unknown if its answer was lost and the retry was refused', async () => {
      const entry = enter(await bought('6.60'));
      world.sides.counterpart.faults.set({ lost_replies: 0.5 });
      world.draws.push(0.1, 0.9, 0.9);
      const redeemed = await redeem(entry);
      world.sides.counterpart.faults.set({});
      assert.equal(redeemed.outcome, 'unknown');
      assert.equal((await observe(entry))[0]?.parts, 660n);
    });

    it('shows an activated voucher although the answer was lost', async () => {
      const entry = enter(await bought('6.00'));
      world.sides.counterpart.faults.set({ lost_replies: 1 });
      const redeemed = await redeem(entry);
      world.sides.counterpart.faults.set({});
      assert.equal(redeemed.outcome, 'unknown');
      assert.deepEqual(
        (await observe(entry)).map(({ parts }) => parts),
        [600n],
      );
    });

    it('takes a voucher that it has created itself, and credits nobody who knows only its number', async () => {
      const sent = await payout().send(await prepared(1_700n));
      assert.ok(sent.outcome === 'accepted');
      const entry = enter(sent.voucher ?? {});
      assert.deepEqual(await redeem(entry), { outcome: 'redeemed' });
      assert.deepEqual(
        (await observe(entry)).map(({ parts }) => parts),
        [1_700n],
      );
      assert.deepEqual(await observe(enter({ ...sent.voucher, code: '1'.repeat(16) })), []);
    });
  });
});
