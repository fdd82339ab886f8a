// Workbooks, as third-party libraries read them.

import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import excel from 'exceljs';
import readExcelFile from 'read-excel-file/node';
import { type Cell, xlsx } from './xlsx.ts';

const ROWS: readonly (readonly Cell[])[] = [
  ['Номер', 'Sum', '', 'Note'],
  ['KX-7F3Q-2M8C', { amount: '0.01500000' }, '', '=1+1'],
  ['', { amount: '1234567890.12345678' }, 'Анна & Co', ''],
  Array.from({ length: 30 }, (_, at) => `column ${at + 1}`),
];

const workbook = async (maxRows?: number): Promise<Buffer> => {
  const groups = async function* () {
    for (const row of ROWS) yield [row];
  };
  return buffer(xlsx('Orders', groups(), [20], maxRows));
};

test('exceljs opens a workbook, each cell in its place', async () => {
  const book = new excel.Workbook();
  await book.xlsx.load((await workbook()) as never);
  const sheet = book.worksheets[0];
  assert.equal(sheet?.name, 'Orders');
  assert.equal(sheet?.rowCount, ROWS.length);
  assert.deepEqual([sheet?.getCell('A1').value, sheet?.getCell('A1').font.bold], ['Номер', true]);
  assert.deepEqual(
    ['A2', 'B2', 'C2', 'D2', 'B3', 'C3', 'AD4'].map((at) => sheet?.getCell(at).value),
    ['KX-7F3Q-2M8C', 0.015, null, '=1+1', '1234567890.12345678', 'Анна & Co', 'column 30'],
  );
});

test('exceljs finds rows beyond the limit of a sheet in the next one', async () => {
  const book = new excel.Workbook();
  await book.xlsx.load((await workbook(2)) as never);
  assert.deepEqual(
    book.worksheets.map(({ name, rowCount }) => [name, rowCount]),
    [
      ['Orders', 2],
      ['Orders 2', 2],
    ],
  );
  assert.equal(book.worksheets[1]?.getCell('C1').value, 'Анна & Co');
});

test('read-excel-file opens a workbook, each cell in its place', async () => {
  const [sheet] = await readExcelFile(await workbook());
  const wide = Array.from({ length: 30 }, (_, at) => `column ${at + 1}`);
  const filled = (row: readonly unknown[]): unknown[] => wide.map((_, at) => row[at] ?? null);
  assert.equal(sheet?.sheet, 'Orders');
  assert.deepEqual(sheet?.data, [
    filled(['Номер', 'Sum', null, 'Note']),
    filled(['KX-7F3Q-2M8C', 0.015, null, '=1+1']),
    filled([null, '1234567890.12345678', 'Анна & Co']),
    wide,
  ]);
});
