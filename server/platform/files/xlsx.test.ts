// Workbooks, read by the archive's directory, with the sizes and checksums in it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, inflateRawSync } from 'node:zlib';
import { type Cell, xlsx } from './xlsx.ts';

async function all(pieces: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const found: Buffer[] = [];
  for await (const piece of pieces) found.push(piece);
  return found;
}

async function workbook(rows: readonly (readonly Cell[])[], maxRows?: number): Promise<Buffer> {
  const groups = async function* () {
    for (let at = 0; at < rows.length; at += 2) yield rows.slice(at, at + 2);
  };
  return Buffer.concat(await all(xlsx('Orders', groups(), [20], maxRows)));
}

/** Returns the files of an archive, by its directory. */
function filesOf(archive: Buffer): Map<string, string> {
  const end = archive.length - 22;
  assert.equal(archive.readUInt32LE(end), 0x06054b50);
  const files = new Map<string, string>();
  let at = archive.readUInt32LE(end + 16);
  for (let index = 0; index < archive.readUInt16LE(end + 10); index += 1) {
    const [packed, length, offset] = [
      archive.readUInt32LE(at + 20),
      archive.readUInt16LE(at + 28),
      archive.readUInt32LE(at + 42),
    ];
    const start = offset + 30 + archive.readUInt16LE(offset + 26);
    const text = inflateRawSync(archive.subarray(start, start + packed));
    assert.deepEqual([archive.readUInt32LE(at + 16), archive.readUInt32LE(at + 24)], [crc32(text), text.length]);
    files.set(archive.toString('utf8', at + 46, at + 46 + length), text.toString());
    at += 46 + length;
  }
  return files;
}

const sheetOf = async (rows: readonly (readonly Cell[])[]): Promise<string> =>
  filesOf(await workbook(rows)).get('xl/worksheets/sheet1.xml') ?? '';

test('writes a text as a string, whatever it begins with: no text becomes a formula', async () => {
  for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', "=cmd|'/C calc'!A0"])
    assert.match(
      await sheetOf([['head'], [text]]),
      /<row r="2"><c r="A2" t="inlineStr"><is><t xml:space="preserve">[^<]+<\/t><\/is><\/c><\/row>/,
    );
  assert.doesNotMatch(await sheetOf([['=1'], ['=2']]), /<f[ >]/);
  assert.match(await sheetOf([['a<b>&"\u0000\ud800']]), />a&lt;b&gt;&amp;"</);
});

test('writes an amount as a number if a spreadsheet holds all its digits, else as text', async () => {
  const of = async (amount: string) => /<row r="2">(.*)<\/row>/.exec(await sheetOf([['head'], [{ amount }]]))?.[1];
  assert.equal(await of('-350.000000'), '<c r="A2"><v>-350.000000</v></c>');
  assert.equal(await of('0.00000001'), '<c r="A2"><v>0.00000001</v></c>');
  assert.equal(await of('123456789012345'), '<c r="A2"><v>123456789012345</v></c>');
  for (const amount of ['1234567890.123456', '0.123456789012345678', '=1'])
    assert.equal(await of(amount), `<c r="A2" t="inlineStr"><is><t xml:space="preserve">${amount}</t></is></c>`);
});

test('continues rows beyond the limit of a sheet in the next one', async () => {
  const rows = Array.from({ length: 5 }, (_, at) => [`row ${at}`]);
  const names = (archive: Buffer) => [...filesOf(archive).keys()].filter((path) => path.includes('sheet')).length;
  assert.equal(names(await workbook(rows, 5)), 1);
  assert.equal(names(await workbook(rows, 2)), 3);
  assert.match(filesOf(await workbook(rows, 2)).get('xl/worksheets/sheet3.xml') ?? '', /row 4/);
});

test('an error while rows are read fails the file and closes the source of rows', async () => {
  let stopped = false;
  const rows = async function* (): AsyncGenerator<Cell[][]> {
    try {
      yield [['one']];
      throw new Error('the database went away');
    } finally {
      stopped = true;
    }
  };
  await assert.rejects(all(xlsx('Orders', rows())), /went away/);
  assert.ok(stopped);
});
