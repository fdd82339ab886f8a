import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configureLog } from '../../platform/index.ts';
import { configureCompliance } from '../configure.ts';
import type { Screener } from './screener.ts';
import { screen, screens } from './screening.ts';

configureLog({ sink: () => {} });
const use = (screener?: Screener): void =>
  configureCompliance({ botKey: 'k', countLoopback: true, ...(screener && { screener }) });
const accounts = [
  { currency: 'BTC', fields: { address: 'a' } },
  { currency: 'USDT_ERC20', fields: { address: 'b' } },
];

test('with none configured nothing is held, and it says so', async () => {
  use();
  assert.equal(screens(), false);
  assert.deepEqual(await screen(accounts), { outcome: 'none' });
});

test('a score from the threshold on holds softly, a label hard', async () => {
  use(async () => [{ score: 39 }, { score: 0 }]);
  assert.equal(screens(), true);
  assert.deepEqual(await screen(accounts), { outcome: 'clear' });
  use(async () => [{ score: 0 }, { score: 40 }]);
  assert.deepEqual(await screen(accounts), { outcome: 'held', cause: 'score', soft: true });
  use(async () => [{ score: 90 }, { score: 1, labels: [{ name: 'sanctions', kind: 'hard' }] }]);
  assert.deepEqual(await screen(accounts), { outcome: 'held', cause: 'label', soft: false });
});

test('a label holds by what the service says of it, or the desk: one that nobody knows softly, a harmless one not', async () => {
  const labelled = (name: string, kind: 'hard' | 'soft') =>
    use(async () => [{ score: 0 }, { score: 0, labels: [{ name, kind }] }]);
  labelled('whatever', 'hard');
  assert.deepEqual(await screen(accounts), { outcome: 'held', cause: 'label', soft: false });
  labelled(' Sanctions ', 'soft');
  assert.deepEqual(await screen(accounts), { outcome: 'held', cause: 'label', soft: false }, 'the desk says that it is hard');
  labelled('mixer', 'soft');
  assert.deepEqual(await screen(accounts), { outcome: 'held', cause: 'label', soft: true });
  labelled('Exchange', 'soft');
  assert.deepEqual(await screen(accounts), { outcome: 'clear' });
  labelled('exchange', 'hard');
  assert.deepEqual(await screen(accounts), { outcome: 'held', cause: 'label', soft: false }, 'what the service calls hard is');
});

test('silence of a configured service holds: an error, another answer, no answer in time', { timeout: 10_000 }, async () => {
  const silent = { outcome: 'held', cause: 'silent', soft: false };
  use(async () => {
    throw new Error('down');
  });
  assert.deepEqual(await screen(accounts), silent);
  use(async () => [{ score: 0 }]);
  assert.deepEqual(await screen(accounts), silent);
  use(async () => [{ score: 0 }, { score: 101 }]);
  assert.deepEqual(await screen(accounts), silent);
  let aborted = false;
  use((_, signal) => {
    signal.addEventListener('abort', () => (aborted = true));
    return new Promise(() => {});
  });
  // A timeout keeps no process alive by itself.
  const alive = setTimeout(() => {}, 10_000);
  assert.deepEqual(await screen(accounts), silent);
  clearTimeout(alive);
  assert.equal(aborted, true, 'the service is told that nobody waits any more');
});
