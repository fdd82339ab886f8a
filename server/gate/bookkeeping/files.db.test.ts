// A store's files: they add up, hold what the filter names, and nothing that a spreadsheet would run.

import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { parse } from '@kurs/money';
import excel from 'exceljs';
import { accounts, balancesAt } from '../../ledger/index.ts';
import { type Cell, csvOf, xlsx } from '../../platform/index.ts';
import { entryRows } from './entry-rows.ts';
import { invoiceRows, paymentRows } from './invoice-rows.ts';
import { monthOf } from './month.ts';
import { type Shop, openShop } from './shop.testing.ts';

type Rows = AsyncIterable<readonly (readonly Cell[])[]>;
type Line = Readonly<Record<string, string>>;

let shop: Shop;
before(async () => {
  shop = await openShop();
});
after(() => shop.world.close());

const store = (): string => shop.world.store.id;

/** Returns the lines of a file by the names of its columns. */
async function linesOf(rows: Rows): Promise<Line[]> {
  const all: (readonly Cell[])[] = [];
  for await (const group of rows) all.push(...group);
  const texts = all.map((cells) => cells.map((cell) => (typeof cell === 'string' ? cell : cell.amount)));
  const [head = [], ...lines] = texts;
  return lines.map((cells) => {
    assert.equal(cells.length, head.length);
    return Object.fromEntries(cells.map((text, at) => [head[at] ?? '', text]));
  });
}

const csv = async (rows: Rows): Promise<string> => {
  let file = '';
  for await (const piece of csvOf(rows)) file += piece;
  return file;
};

const parts = (unit: string, text = ''): bigint =>
  text.startsWith('-') ? -parse(unit, text.slice(1)).parts : parse(unit, text).parts;

test('a month’s file has an opening, entries and a closing for each unit, which add up to the books', async () => {
  const { world, months } = shop;
  for (const month of months) {
    const lines = await linesOf(entryRows(world.db, { store: store(), month }));
    const { end } = await monthOf(world.db, world.store, month);
    const units = [...new Set(lines.map(({ currency = '' }) => currency))];
    assert.ok(units.length >= 2, units.join());
    for (const unit of units) {
      const own = lines.filter(({ currency }) => currency === unit);
      const [opening, closing] = [own[0], own.at(-1)];
      assert.deepEqual([opening?.['kind'], closing?.['kind']], ['opening', 'closing']);
      const net = own.slice(1, -1).reduce((sum, line) => sum + parts(unit, line['net']), 0n);
      assert.equal(parts(unit, opening?.['balance']) + net, parts(unit, closing?.['balance']));
      const [ledger] = await balancesAt(world.db, [accounts.merchant(store(), unit)], new Date(end.getTime() - 1));
      assert.equal(parts(unit, closing?.['balance']), ledger);
      for (const { time = '' } of own.slice(0, -1)) assert.equal(time.slice(0, 7), month, 'times are the store’s');
    }
    const [first] = units;
    const some = await linesOf(entryRows(world.db, { store: store(), month, currency: first }));
    assert.deepEqual(
      some,
      lines.filter(({ currency }) => currency === first),
    );
  }
});

test('invoices and payments are exported by the list’s filter', async () => {
  const { world, made } = shop;
  const all = await linesOf(invoiceRows(world.db, { store: store() }));
  assert.deepEqual(
    all.map(({ invoice }) => invoice).toReversed(),
    made.map(({ number }) => number),
  );
  const large = await linesOf(invoiceRows(world.db, { store: store(), min: '249.99', max: '249.99' }));
  assert.ok(large.length > 0 && large.length < all.length);
  assert.ok(large.every(({ amount }) => amount === '249.99'));
  assert.deepEqual(await linesOf(invoiceRows(world.db, { store: store(), min: '480.01' })), []);
  assert.deepEqual(await linesOf(invoiceRows(world.db, { store: store(), min: '480.000000001' })), []);
  const [one] = made;
  const paid = await linesOf(paymentRows(world.db, { store: store(), q: one?.number }));
  const { view } = await world.read(one ?? assert.fail());
  assert.deepEqual(
    paid.map(({ payment }) => payment),
    view.payments.map(({ id }) => id),
  );
  const found = await linesOf(paymentRows(world.db, { store: store(), q: paid[0]?.['txid'] }));
  assert.deepEqual(found, paid, 'by the transaction');
});

test('a file holds nothing that a spreadsheet would run', async () => {
  const { world, months } = shop;
  const files = [
    () => entryRows(world.db, { store: store(), month: months[0] }),
    () => invoiceRows(world.db, { store: store() }),
    () => paymentRows(world.db, { store: store() }),
  ];
  for (const rows of files) {
    const file = await csv(rows());
    assert.match(file, /,'=1\+\d+,/);
    assert.doesNotMatch(file, /,=1/);
    const book = new excel.Workbook();
    await book.xlsx.load((await buffer(xlsx('file', rows()))) as never);
    book.worksheets[0]?.eachRow((row) => row.eachCell((cell) => assert.notEqual(cell.type, excel.ValueType.Formula)));
    assert.equal(book.worksheets[0]?.rowCount, file.trimEnd().split('\r\n').length);
  }
});
