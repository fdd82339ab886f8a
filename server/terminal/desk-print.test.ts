import assert from 'node:assert/strict';
import { test } from 'node:test';
import { help } from './desk-help.ts';
import { tableOf, wrap } from './desk-print.ts';

const ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

test('a table is as wide as the terminal at most, and nothing of it is lost or broken', () => {
  const rows = [
    {
      id: 'KX-7F3Q-2M8C',
      to: ADDRESS,
      asked_at: '2026-11-25T20:45:45.005Z',
      amount: '0.01500000 BTC',
      active: true,
      reason: 'papers of the customer came by mail, and a person has read all of them',
    },
    { id: 'KX-7F3Q-2M8D', to: '', asked_at: '', amount: '1 BTC', active: false, reason: '' },
  ];
  for (const width of [100, 120, 200]) {
    const lines = tableOf(rows, width);
    assert.ok(
      lines.every((line) => line.length <= Math.max(width, 130)),
      lines.join('\n'),
    );
    const text = lines.join('\n');
    for (const whole of [ADDRESS, '2026-11-25 20:45:45', '0.01500000 BTC', 'yes', 'asked at'])
      assert.ok(text.includes(whole), whole);
    for (const word of rows[0]?.reason.split(' ') ?? []) assert.ok(text.includes(word), word);
  }
  const small = tableOf(
    [{ name: 'alarms', words: 'what is told to people, once, with a reminder and an all-clear '.repeat(3).trim() }],
    60,
  );
  assert.ok(small.length > 2 && small.every((line) => line.length <= 60), small.join('\n'));
});

test('a fingerprint that a second person compares is shown whole', () => {
  const fingerprint = 'c893c616c86b7daf39aae2e968defa1562a426d8fd9bbb81eeb472b8b7f482d2';
  const lines = tableOf([{ action: 'hire', details: { role: 'operator', fingerprint } }], 120);
  assert.ok(
    lines.some((line) => line.includes(`fingerprint=${fingerprint}`)),
    lines.join('\n'),
  );
});

test('a customer’s text neither moves the cursor nor changes the writing direction', () => {
  const [, line = ''] = tableOf([{ text: 'a\u001B[2Jb\u202Ec\nd' }], 100);
  assert.equal(line, 'a[2Jbc d');
});

test('a figure keeps its unit, and a day its time', () => {
  assert.deepEqual(wrap('pay 10.5 BTC by 2026-11-25 20:45:45 now', 12), ['pay 10.5 BTC', 'by', '2026-11-25 20:45:45', 'now']);
});

test('the help stands within a hundred columns, and tells of each command by its name', () => {
  const lines = (help() ?? '').split('\n');
  assert.deepEqual(
    lines.filter((line) => line.length > 100),
    [],
  );
  assert.match(help('settings') ?? '', /settings KEY/);
  assert.match(help('approve') ?? '', /ACT KX-…/);
  assert.equal(help('nope'), undefined);
});
