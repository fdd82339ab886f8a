import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { csvLine, csvOf } from './csv.ts';

test('quotes fields with commas, quotation marks and line breaks, and no others', () => {
  assert.equal(csvLine(['KX-1', 'a,b', 'say "x"', 'two\nlines', '']), 'KX-1,"a,b","say ""x""","two\nlines",\r\n');
});

test('exports no formulas', () => {
  for (const text of ['=1+1', '+1', '-1+1', '@SUM(A1)', '\t=1', '\tx', '\rx', ' =1', '＝1', '=HYPERLINK("http://x","y")'])
    assert.match(csvLine([text]), /^"?'/, text);
  assert.equal(csvLine(['-12.50', '0.1']), '-12.50,0.1\r\n');
});

test('exports no formulas after characters that some programs treat as the end of a field', () => {
  for (const separator of [',', ';', '|', '\t', '\n', '\r\n', '"', '"",', '; '])
    for (const sign of ['=', '+', '-', '@', '＝']) {
      const line = csvLine([`Ann${separator}${sign}cmd|'/C calc'!A0`]);
      assert.doesNotMatch(line, /[,;|\t\r\n"] *[=+\-@＝]/, JSON.stringify([separator, sign]));
    }
  assert.equal(csvLine(['a;=1+1']), "a;'=1+1\r\n");
  assert.equal(csvLine(['Ann-Marie; 2-3 @ 4 = x']), 'Ann-Marie; 2-3 @ 4 = x\r\n', 'what begins no field stands as it is');
});

test('a file begins with one byte order mark, empty or not: Excel needs it for Russian words', async () => {
  const file = async (...groups: string[][][]) => (await buffer(csvOf(ReadableStream.from(groups)))).toString('utf8');
  assert.equal(await file([['Номер'], ['KX-1']], [['KX-2']]), '\ufeffНомер\r\nKX-1\r\nKX-2\r\n');
  assert.equal(await file(), '\ufeff');
});
