import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { type PrizeRow, NUMBERS, checkDraw, drawText, numberOf, prizeAt } from './draw.ts';

const TABLE: readonly PrizeRow[] = [
  { prize: '0.005', weight: 600_000 },
  { prize: '0.01', weight: 250_000 },
  { prize: '0.05', weight: 100_000 },
  { prize: '0.20', weight: 40_000 },
  { prize: '0.50', weight: 10_000 },
];
const seeds = fc.uint8Array({ minLength: 32, maxLength: 32 });
const texts = fc.string({ minLength: 1, maxLength: 64, unit: 'grapheme-ascii' });
const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));

test('a number is the first 52 bits, and a prize the row that it falls into', () => {
  for (const [mac, number] of [
    ['00'.repeat(32), 0],
    ['ff'.repeat(32), 999_999],
    [`80${'00'.repeat(31)}`, 500_000],
    // Bits after the 52nd are ignored.
    [`${'00'.repeat(6)}0f${'ff'.repeat(25)}`, 0],
    // The smallest value that gives 1, and the one before it.
    [`000010c6f7a0bf${'ff'.repeat(25)}`, 0],
    [`000010c6f7a0c0${'00'.repeat(25)}`, 1],
  ] as const)
    assert.equal(numberOf(bytes(mac)), number, mac);
  const edges = [0, 599_999, 600_000, 849_999, 850_000, 949_999, 950_000, 989_999, 990_000, 999_999];
  assert.deepEqual(
    edges.map((number) => prizeAt(TABLE, number)),
    ['0.005', '0.005', '0.01', '0.01', '0.05', '0.05', '0.20', '0.20', '0.50', '0.50'],
  );
  assert.throws(() => prizeAt(TABLE, NUMBERS), RangeError);
});

test('a draw by hand', async () => {
  const seed = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f';
  const draw = { id: '01890000-0000-7000-8000-000000000001', clientSeed: 'my own words', seed, table: TABLE };
  const commit = createHash('sha256').update(bytes(seed)).digest('hex');
  assert.equal(commit, '630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd');
  const mac = createHmac('sha256', bytes(seed)).update('my own words:01890000-0000-7000-8000-000000000001').digest();
  const number = Number((BigInt(`0x${mac.toString('hex').slice(0, 13)}`) * 1_000_000n) / 2n ** 52n);
  const checked = await checkDraw({ ...draw, commit, prize: prizeAt(TABLE, number) });
  assert.deepEqual(checked, { isCommitted: true, number, prize: prizeAt(TABLE, number), isRight: true });
});

test('accepts a genuine draw and refuses any altered one', async () => {
  const made = fc.record({ seed: seeds, clientSeed: texts, id: fc.uuid() });
  await fc.assert(
    fc.asyncProperty(made, seeds, async ({ seed, clientSeed, id }, other) => {
      const hex = (of: Uint8Array): string => Buffer.from(of).toString('hex');
      const number = numberOf(createHmac('sha256', seed).update(drawText(clientSeed, id)).digest());
      assert.ok(Number.isInteger(number) && number >= 0 && number < NUMBERS);
      const commit = createHash('sha256').update(seed).digest('hex');
      const draw = { id, commit, seed: hex(seed), clientSeed, table: TABLE, prize: prizeAt(TABLE, number) };
      assert.ok((await checkDraw(draw)).isRight);
      assert.ok(!(await checkDraw({ ...draw, prize: '1.00' })).isRight, 'another prize');
      if (hex(other) !== hex(seed)) assert.ok(!(await checkDraw({ ...draw, seed: hex(other) })).isCommitted, 'another seed');
    }),
    { numRuns: 50 },
  );
});
