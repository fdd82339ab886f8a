import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Problem } from '@kurs/contract';
import { configureLog, flushLog, log } from './log.ts';
import { redact, redactText } from './redact.ts';

test('a line is one JSON object; errors are whole, bigints are text', () => {
  let text = '';
  configureLog({ sink: (part) => void (text += part), level: 'info', fields: { process: 'test' } });
  log.debug('not seen');
  log.info('stored', { parts: 12n });
  log.alarm('look', { error: new Problem('unavailable', { cause: new Error('deep') }) });
  flushLog();
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.equal(lines.length, 2);
  assert.deepEqual([lines[0].words, lines[0].parts, lines[0].process], ['stored', '12', 'test']);
  assert.equal(lines[1].alarm, true);
  assert.match(lines[1].error.cause.stack, /deep/);
  configureLog({ fields: {} });
});

test('no secret reaches a log', () => {
  const word = 'x7Kq9vLmZp3RtYw2';
  const fields = {
    token: word,
    nested: { password: word, list: [{ apiKey: word }] },
    headers: { authorization: `Bearer ${word}`, cookie: word },
    url: `/En/order?id=KX-1&token=${word}&x=1`,
    text: `Authorization: Bearer ${word}`,
    error: new Error(`connect postgres://kurs:${word}@127.0.0.1/kurs`),
    mnemonic: word,
    code: word,
  };
  assert.equal(JSON.stringify(redact(fields)).includes(word), false);
  assert.equal(redactText('/track?id=KX-1&t=secret#x'), '/track?id=KX-1&t=[hidden]#x');
});

test('what is no secret stays', () => {
  const fields = { id: 'KX-7F3Q-2M8C', amount: '1.5', at: '2026-01-01', count: 3, error: { code: '40P01' } };
  assert.deepEqual(redact({ id: fields.id, amount: fields.amount, count: 3 }), { id: fields.id, amount: '1.5', count: 3 });
  assert.equal(redactText('/En?from=BTC&to=USDT_ERC20'), '/En?from=BTC&to=USDT_ERC20');
});

test('behind a line that a full disk cut off the next one is whole', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kurs-log-'));
  const file = join(folder, 'log');
  // Its files may have 512 bytes at most; then there is room again, as once somebody has made some.
  const script = `
    import { flushLog, log } from ${JSON.stringify(new URL('./log.ts', import.meta.url).href)};
    import { truncateSync } from 'node:fs';
    log.error('first ' + 'x'.repeat(300));
    log.error('second ' + 'x'.repeat(300));
    truncateSync(${JSON.stringify(file)}, 400);
    log.error('third');`;
  const command = 'ulimit -f 1; exec "$0" --input-type=module -e "$1" >> "$2"';
  execFileSync('sh', ['-c', command, process.execPath, script, file]);
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  assert.equal(lines.length, 3);
  assert.match(JSON.parse(lines[0]!).words, /^first/);
  assert.equal(JSON.parse(lines[2]!).words, 'third');
  rmSync(folder, { recursive: true });
});
