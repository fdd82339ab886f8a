// The months of a shop with many sales, in several currencies, with reversals and a month's end: its entries add up to the books.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parse } from '@kurs/money';
import { accounts, balances, balancesAt } from '../../ledger/index.ts';
import { creditedOf } from '../invoices/invoice.ts';
import { decisionSteps } from '../scenarios/decisions.testing.ts';
import type { InvoiceWorld } from '../scenarios/invoice-world.testing.ts';
import type { EntryKind } from './entry-kinds.ts';
import { monthOf } from './month.ts';
import { entryPage, monthReport } from './report.ts';
import { type Shop, openShop } from './shop.testing.ts';

let world: InvoiceWorld;
let months: Shop['months'];
let made: Shop['made'];
before(async () => {
  ({ world, months, made } = await openShop());
});
after(() => world.close());

const store = (): string => world.store.id;
const parts = (unit: string, text: string): bigint =>
  text.startsWith('-') ? -parse(unit, text.slice(1)).parts : parse(unit, text).parts;

/** Returns all entries of a month, the newest first, read in pages of `per_page` movements. */
async function entriesIn(month: string, per_page = 100, kind?: EntryKind[]) {
  const all: Awaited<ReturnType<typeof entryPage>>['entries'] = [];
  for (let after: string | undefined, at = 0; at < 200; at += 1) {
    const page = await entryPage(world.db, {
      store: store(),
      month,
      per_page,
      ...(kind && { kind }),
      ...(after !== undefined && { after }),
    });
    all.push(...page.entries);
    if (page.next === undefined) return all;
    after = page.next;
  }
  return assert.fail('the pages never end');
}

test('a month adds up in each unit, and its closing is the ledger’s', async () => {
  const kinds = new Set<string>();
  let opened: ReadonlyMap<string, string> = new Map();
  for (const month of months) {
    const { units } = await monthReport(world.db, { store: store(), month });
    const { end } = await monthOf(world.db, world.store, month);
    const entries = await entriesIn(month);
    assert.ok(units.length > 0 && entries.length > 10, `${units.length} units, ${entries.length} entries`);
    for (const { currency: unit, ...accountsOf } of units) {
      const refs = [accounts.merchant(store(), unit), accounts.merchantReserve(store(), unit)];
      const ledger = await balancesAt(world.db, refs, new Date(end.getTime() - 1));
      for (const [at, account] of (['balance', 'reserve'] as const).entries()) {
        const { opening, net, closing } = accountsOf[account];
        const own = entries.filter((one) => one.currency === unit && one.account === account);
        const sum = own.reduce((total, one) => total + parts(unit, one.net), 0n);
        assert.equal(parts(unit, opening) + sum, parts(unit, closing), `${month} ${unit} ${account}`);
        assert.equal(sum, parts(unit, net));
        assert.equal(parts(unit, closing), ledger[at]);
        assert.equal(own[0]?.[account] ?? closing, closing, 'the newest entry shows the closing');
        const byKind = accountsOf.kinds?.filter((one) => one.account === account) ?? [];
        assert.equal(
          byKind.reduce((total, one) => total + parts(unit, one.net), 0n),
          sum,
        );
        if (opened.has(`${unit} ${account}`)) assert.equal(opening, opened.get(`${unit} ${account}`));
      }
      assert.equal(
        accountsOf.movements,
        new Set(entries.filter((one) => one.currency === unit).map(({ id }) => id.replace(/\.\d+$/, ''))).size,
      );
    }
    opened = new Map(
      units.flatMap((one) => (['balance', 'reserve'] as const).map((name) => [`${one.currency} ${name}`, one[name].closing])),
    );
    for (const { kind } of entries) kinds.add(kind);
  }
  for (const { currency: unit, balance } of (await monthReport(world.db, { store: store() })).units)
    assert.equal(parts(unit, balance.closing), (await balances(world.db, [accounts.merchant(store(), unit)]))[0]);
  assert.deepEqual([...kinds].toSorted(), ['cost', 'fee', 'reversal', 'sale', 'spread']);
  assert.deepEqual(await world.prove(), []);
});

test('each balance after an entry is the one before it and the entry’s net', async () => {
  for (const month of months) {
    const entries = (await entriesIn(month)).toReversed();
    const last = new Map<string, string>();
    for (const one of entries) {
      const { currency: unit, account } = one;
      const earlier = last.get(`${unit} ${account}`);
      if (earlier !== undefined) assert.equal(parts(unit, one[account]), parts(unit, earlier) + parts(unit, one.net), one.id);
      last.set(`${unit} ${account}`, one[account]);
    }
  }
});

test('pages of any size have the same entries, each once', async () => {
  for (const month of months) {
    const whole = (await entriesIn(month)).map(({ id }) => id);
    assert.equal(new Set(whole).size, whole.length);
    for (const size of [1, 3, 7])
      assert.deepEqual(
        (await entriesIn(month, size)).map(({ id }) => id),
        whole,
      );
    const some = (await entriesIn(month, 2, ['fee', 'reversal'])).map(({ id }) => id);
    const fitting = (await entriesIn(month)).filter(({ kind }) => kind === 'fee' || kind === 'reversal').map(({ id }) => id);
    assert.deepEqual(some, fitting);
  }
});

test('a sale says what the buyer paid, and a store that bears spread and costs gives them up by entries of their own', async () => {
  const all = [...(await entriesIn(months[1])), ...(await entriesIn(months[0]))];
  let [borne, buyers] = [0, 0];
  for (const invoice of made) {
    const { view } = await world.read(invoice);
    const own = all.filter((one) => one.invoice?.id === view.id);
    const sales = own.filter(({ kind }) => kind === 'sale');
    if (sales.length === 0) continue;
    assert.ok(own.some(({ kind }) => kind === 'fee'));
    for (const { currency: unit, gross, net, ...sale } of sales) {
      assert.equal(sale.order_id, invoice.orderId);
      assert.deepEqual([sale.invoice_currency, sale.tax], ['USD', '1.00']);
      if (view.terms.isBorneByStore) assert.equal(gross, net);
      else assert.ok(parts(unit, gross) >= parts(unit, net));
    }
    const given = own.filter(({ kind }) => kind === 'spread' || kind === 'cost');
    if (view.terms.isBorneByStore) borne += given.length;
    else assert.deepEqual([given, (buyers += 1) > 0], [[], true]);
    if (own.some(({ kind }) => kind === 'reversal')) continue;
    const worth = sales.reduce((sum, one) => sum + parse('USD', one.worth ?? '0').parts, 0n);
    assert.equal(worth, creditedOf(view), 'the worth of the sales is what the invoice was credited with');
  }
  assert.ok(borne > 3 && buyers > 3, `${borne} ${buyers}`);
});

test('a sale whose row was changed by SQL is one entry of what the books moved, and is accused', async () => {
  const [before] = (await entriesIn(months[1])).filter(({ kind }) => kind === 'sale');
  const journal = before?.id.split('.')[0] ?? assert.fail();
  await world.owner.run('update invoice_sale set gross = gross + 1, fee = fee + 1 where journal = $1', [journal]);
  const own = (await entriesIn(months[1])).filter(({ id }) => id.startsWith(journal));
  assert.deepEqual([...new Set(own.map(({ kind }) => kind))], ['sale']);
  assert.ok(own.every(({ gross, net }) => gross === net));
  assert.match((await world.prove()).join(), /the sales of the invoice are not what its store received/);
  await world.owner.run('update invoice_sale set gross = gross - 1, fee = fee - 1 where journal = $1', [journal]);
  assert.deepEqual(await world.prove(), []);
});

test('a payment that is taken back and given again is one sale of its month, with one fee', async () => {
  const { takeAway, bringBack } = decisionSteps(() => world);
  const invoice = await world.make({ amount: '100.00' });
  world.pay(await world.choose(invoice, 'BTC'));
  await world.mine();
  const figures = async () => {
    const { units } = await monthReport(world.db, { store: store(), month: months[1] });
    const { kinds, days, balance } = units.find(({ currency }) => currency === 'BTC') ?? assert.fail();
    const of = (...names: EntryKind[]) =>
      (kinds ?? []).filter(({ kind }) => names.includes(kind)).map(({ kind, gross, net }) => ({ kind, gross, net }));
    const reversed = of('reversal', 'reversal_undone').reduce((sum, { net }) => sum + parts('BTC', net), 0n);
    return { sales: of('sale', 'fee', 'spread', 'cost'), reversed, days, balance };
  };
  const before = await figures();
  const [payment = assert.fail()] = (await world.read(invoice)).view.payments;
  await takeAway(payment);
  assert.equal((await world.read(invoice)).view.state, 'invalid');
  await bringBack(payment);
  assert.equal((await world.read(invoice)).view.state, 'settled');
  assert.deepEqual(await figures(), before);
  const own = (await entriesIn(months[1])).filter(({ invoice: of }) => of?.id === invoice.view.id);
  assert.deepEqual(
    own.map(({ kind }) => kind),
    ['reversal_undone', 'reversal', 'fee', 'sale'],
  );
  const [undone, reversal] = own;
  for (const field of ['net', 'gross', 'worth'] as const) assert.equal(reversal?.[field], `-${undone?.[field]}`, field);
  assert.deepEqual([undone?.rate, undone?.balance], [reversal?.rate, before.balance.closing]);
  assert.deepEqual(await world.prove(), []);
});
