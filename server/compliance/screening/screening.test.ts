import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configureLog } from '../../platform/index.ts';
import { configureCompliance } from '../configure.ts';
import type { Screener } from './screener.ts';
import { screen, screens } from './screening.ts';

configureLog({ sink: () => {} });
const use = (screener?: Screener): void =>
  configureCompliance({ botKey: 'k', isLoopbackCounted: true, ...(screener && { screener }) });
const accounts = [
  { currency: 'BTC', fields: { address: 'a' } },
  { currency: 'USDT_ERC20', fields: { address: 'b' } },
];

test('without a configured service nothing is held, and the outcome says so', async () => {
  use();
  assert.equal(screens(), false);
  assert.deepEqual(await screen(accounts), { outcome: 'none' });
});

test('a score at the threshold is a soft hold, a hard label a hard one', async () => {
  use(async () => [{ score: 39 }, { score: 0 }]);
  assert.equal(screens(), true);
  assert.deepEqual(await screen(accounts), { outcome: 'clear' });
  use(async () => [{ score: 0 }, { score: 40 }]);
  assert.deepEqual(await screen(accounts), { outcome: 'held', cause: 'score', isSoft: true });
  use(async () => [{ score: 90 }, { score: 1, labels: [{ name: 'sanctions', kind: 'hard' }] }]);
  assert.deepEqual(await screen(accounts), { outcome: 'held', cause: 'label', isSoft: false });
});

test('service and desk decide the effect of a label: an unknown one is a soft hold, a harmless one is none', async () => {
  const labelled = (name: string, kind: 'hard' | 'soft') =>
    use(async () => [{ score: 0 }, { score: 0, labels: [{ name, kind }] }]);
  labelled('whatever', 'hard');
  assert.deepEqual(await screen(accounts), { outcome: 'held', cause: 'label', isSoft: false });
  labelled(' Sanctions ', 'soft');
  assert.deepEqual(await screen(accounts), { outcome: 'held', cause: 'label', isSoft: false }, 'the desk says that it is hard');
  labelled('mixer', 'soft');
  assert.deepEqual(await screen(accounts), { outcome: 'held', cause: 'label', isSoft: true });
  labelled('Exchange', 'soft');
  assert.deepEqual(await screen(accounts), { outcome: 'clear' });
  labelled('exchange', 'hard');
  assert.deepEqual(await screen(accounts), { outcome: 'held', cause: 'label', isSoft: false }, 'what the service calls hard is');
});

test('silence of a configured service holds: an error, a malformed answer, or a timeout', { timeout: 10_000 }, async () => {
  const silent = { outcome: 'held', cause: 'silent', isSoft: false };
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
  // A timeout alone doesn't keep the process alive.
  const alive = setTimeout(() => {}, 10_000);
  assert.deepEqual(await screen(accounts), silent);
  clearTimeout(alive);
  assert.equal(aborted, true, 'the service is told that nobody waits any more');
});
