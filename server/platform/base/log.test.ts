import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '@kurs/contract';
import { alsoAbout, configureLog, libraryLog, log, logAbout, requestId } from './log.ts';
import { redact, redactText } from './redact.ts';

describe('a log', () => {
  let text = '';
  const lines = (): Record<string, unknown>[] =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  beforeEach(() => {
    text = '';
    configureLog({ sink: (line) => void (text += line), level: 'info', fields: {} });
  });
  after(() => configureLog({ sink: (line) => void process.stdout.write(line), level: 'info', fields: {} }));

  test('a line is one JSON object; errors are whole, bigints are text', () => {
    configureLog({ fields: { process: 'test' } });
    log.debug('not seen');
    log.info('stored', { parts: 12n });
    log.alarm('look', { error: new Problem('unavailable', { cause: new Error('deep') }) });
    const [stored, poll, ...more] = lines();
    assert.deepEqual(more, []);
    const { at, ...rest } = stored ?? {};
    assert.deepEqual(rest, { level: 'info', process: 'test', parts: '12', words: 'stored' });
    assert.equal(new Date(String(at)).toISOString(), at);
    assert.equal(poll?.['alarm'], true);
    assert.match((poll!['error'] as { cause: { stack: string } }).cause.stack, /deep/);
  });

  test('writes lines of the configured level and above', () => {
    configureLog({ level: 'error' });
    log.warn('not seen');
    log.error('seen');
    configureLog({ level: 'debug' });
    log.debug('seen too');
    assert.deepEqual(
      lines().map(({ words }) => words),
      ['seen', 'seen too'],
    );
  });

  test('each line carries the ids of its own work, those added on the way too, and none of another', async () => {
    const work = (id: string) =>
      logAbout({ requestId: id }, async () => {
        await sleep(1);
        alsoAbout({ orderId: `of ${id}` });
        log.info('first');
        await sleep(1);
        log.info('second', { payoutId: ['a', 'b'] });
        assert.equal(requestId(), id);
      });
    await Promise.all([work('1'), work('2')]);
    alsoAbout({ orderId: 'nobody’s' });
    log.info('outside');
    const seen = lines().map(({ words, requestId: request, orderId, payoutId }) => [words, request, orderId, payoutId]);
    const expected = ['1', '2'].flatMap((id) => [
      ['first', id, `of ${id}`, undefined],
      ['second', id, `of ${id}`, ['a', 'b']],
    ]);
    assert.deepEqual(seen.slice(0, -1).toSorted(), expected.toSorted());
    assert.deepEqual(seen.at(-1), ['outside', undefined, undefined, undefined]);
    assert.equal(requestId(), undefined);
  });

  test('repeated warnings are written once, and then once a minute with their count', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const turn = (source: string, error: string): void =>
      log.warn('rate source failed', { source, error: new Error(error), failures: 1 });
    for (let at = 0; at < 90; at += 1) {
      turn('kraken', `no answer ${at}`);
      turn('coinbase', 'refused');
      if (at === 10) log.alarm('payouts wait for float', { rail: 'evm' });
      if (at > 10) log.alarm('payouts wait for float', { rail: 'bitcoin' });
      t.mock.timers.tick(1_000);
    }
    for (let at = 0; at < 200; at += 1) t.mock.timers.tick(1_000);
    const said = (what: string): unknown[] =>
      lines().flatMap((line) => ((line['source'] ?? line['rail']) === what ? [line['repeated']] : []));
    assert.deepEqual(said('kraken'), [undefined, 59, 30]);
    assert.deepEqual(said('coinbase'), [undefined, 59, 30]);
    assert.deepEqual([said('evm'), said('bitcoin')], [[undefined], [undefined, 59, 19]], 'each of its own rail');
    assert.match((lines().at(-1)!['error'] as Error | undefined)?.message ?? 'no answer 89', /no answer 89|refused/);
    turn('kraken', 'again');
    assert.deepEqual(said('kraken'), [undefined, 59, 30, undefined], 'what was over is said at once');
  });

  test('repeats that were counted for one sink are not written to the next', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    for (const tries of [1, 2]) log.warn('a delivery was not taken', { tries });
    configureLog({ sink: (line) => void (text += line) });
    text = '';
    t.mock.timers.tick(120_000);
    assert.equal(text, '');
  });

  test('writes each line that differs: another subject, another request', () => {
    for (const id of ['1', '2']) logAbout({ requestId: id }, () => log.warn('call failed', { problem: 'unavailable' }));
    for (const payoutId of ['a', 'b', 'a']) log.warn('payouts may not leave', { payoutId, reasons: ['debt'] });
    log.warn('payouts may not leave', { payoutId: 'a', reasons: ['frozen'] });
    for (const deaths of [1, 2]) log.error('a process ended and is started again', { child: 'api', deaths });
    for (const n of [1, 2]) log.info('done', { orderId: `${n > 0}` });
    assert.equal(lines().length, 2 + 2 + 1 + 2 + 2);
  });

  test('an alarm is reported with its rail and its reason', () => {
    const reported: string[] = [];
    configureLog({ onAlarm: (words, { sentence }) => void reported.push(words, sentence) });
    log.alarm('a rail is not set up', { rail: 'payeer', reason: 'key: required' });
    log.alarm('payouts wait for float', { rail: 'evm', currency: 'ETH' });
    log.alarm('a timer failed', { error: new Problem('unavailable', { cause: new Error('at postgres://kurs:s3cret@db/x') }) });
    configureLog({ onAlarm: () => {} });
    assert.deepEqual(reported, [
      ...['a rail is not set up', 'a rail is not set up (payeer): key: required'],
      ...['payouts wait for float', 'payouts wait for float (evm, ETH)'],
      ...['a timer failed', 'a timer failed: at postgres://kurs:[hidden]@db/x'],
    ]);
  });

  test('a library that logs by pino’s own calls writes lines of the same form, and no secret either', () => {
    class Reply {
      readonly socket = this;
    }
    libraryLog().warn(
      { err: new Error('at /track?token=x7Kq9vLmZp3RtYw2'), res: new Reply() },
      'Reply of /a?token=x7Kq9vLmZp3RtYw2 was sent',
    );
    const [line] = lines();
    assert.equal(line!['words'], 'Reply of /a?token=[hidden] was sent');
    assert.deepEqual([line!['level'], line!['res'], (line!['err'] as Error).name], ['warn', '[Reply]', 'Error']);
    assert.equal(text.includes('x7Kq9vLmZp3RtYw2'), false);
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
    log.error('failed', fields);
    assert.equal(text.includes(word), false);
    assert.equal(redactText('/track?id=KX-1&t=secret#x'), '/track?id=KX-1&t=[hidden]#x');
  });
});

test('leaves everything that is no secret', () => {
  const fields = { id: 'KX-7F3Q-2M8C', amount: '1.5', at: '2026-01-01', count: 3, error: { code: '40P01' } };
  assert.deepEqual(redact({ id: fields.id, amount: fields.amount, count: 3 }), { id: fields.id, amount: '1.5', count: 3 });
  assert.equal(redactText('/En?from=BTC&to=USDT_ERC20'), '/En?from=BTC&to=USDT_ERC20');
});

test('resumes a line that a full disk cut off once there is room, and later lines are whole', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kurs-log-'));
  const file = join(folder, 'log');
  // The script may write files of 512 bytes at most. Later it raises the limit, as if somebody had freed disk space.
  const script = `
    import { execFileSync } from 'node:child_process';
    import { log } from ${JSON.stringify(new URL('./log.ts', import.meta.url).href)};
    log.error('first ' + 'x'.repeat(300));
    log.error('second ' + 'x'.repeat(300));
    execFileSync('prlimit', ['--pid', String(process.pid), '--fsize=1048576']);
    log.error('third');`;
  const command = 'ulimit -S -f 1; exec "$0" --input-type=module -e "$1" >> "$2"';
  execFileSync('sh', ['-c', command, process.execPath, script, file]);
  const words = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { words: string }).words);
  assert.deepEqual(
    words.map((one) => one.slice(0, 5)),
    ['first', 'secon', 'third'],
  );
  assert.equal(words[1]?.length, 307);
  rmSync(folder, { recursive: true });
});
