// State that a process holds in memory: each variable is listed, with the reason why two processes need not share it.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');

/**
 * `let`, or a collection that is filled later, at the root of a module; also an alarm that is raised once and remembers its
 * subject.
 */
const STATE =
  /^(?:export )?(?:let |const [a-zA-Z]+(?:: [^=\n]+)? = (?:new (?:Map|Set|WeakMap|WeakSet|Recent|EventEmitter)(?:<[^(\n]*>)?\(\)|alarmOnce\())/m;

/** Set by the configuration when the process starts. */
const AS_IT_STARTS = [
  'compliance/configure',
  'ledger/chart/chart',
  'payments/rails/registry',
  'platform/http/callers/key-budgets',
  'platform/secrets/macs',
  'platform/secrets/secret-hashes',
];
/** Copies of data that is read again, or that never changes. */
const COPIES = [
  ...['platform/files/picture', 'ledger/chart/account-id', 'ledger/post/call', 'platform/db/settings'],
  ...['platform/http/request-context', 'pricing/feed/feed', 'pricing/feed/rate-history', 'pricing/known/view'],
  ...[
    'exchange/calculation/promised-time',
    'exchange/calculation/calculation-store',
    'exchange/order/store/order-mac',
    'exchange/order/store/order-store',
  ],
  ...['pricing/price/price-now', 'pricing/quotes/wire', 'rates/watch', 'referrals/clicks'],
];
/**
 * State of this process by its nature: its loops and log, hints to itself, its share, claims or turn, its notifications of
 * people.
 */
const OWN = [
  ...[
    'auth/accounts/holder-mac',
    'auth/factors/password',
    'gate/apply/due-invoices',
    'gate/links/link-rows',
    'gate/refunds/rows/refund-rows',
    'gate/rows/invoice-mac',
    'gate/settled/debt-rows',
    'gate/settlements/due-moves',
    'gate/stores/store-rows',
    'ledger/post/post',
    'ledger/seals/seal',
    'payments/balances/balance-time',
    'payments/balances/float',
    'payments/comparing/compare-sends',
  ],
  ...['payments/polls/held-claims', 'payments/polls/poll-budget', 'payments/rails/rail-state', 'payments/rails/rails-to-ask'],
  ...['payments/rails/wallet', 'platform/db/db', 'platform/db/wakes'],
  ...['payments/sending/follow-attempts', 'payments/sending/sweep', 'platform/base/id', 'platform/base/living-processes'],
  ...['platform/base/log', 'platform/base/ports', 'platform/base/sweeper', 'platform/db/setting-macs', 'platform/events/outbox'],
  ...['rails/bitcoin/observed-payments', 'rails/odd', 'rails/tron/sending'],
];

test('nothing that processes must share is kept in the memory of one', () => {
  const found = globSync('server/**/*.ts', { cwd: ROOT })
    .filter((path) => !/node_modules|\.(test|testing|contract|journey)\.ts$|\/testing\.ts$/.test(path))
    .filter((path) => !/^server\/(bin|simulation)\/|memory-rail/.test(path))
    .filter((path) => STATE.test(readFileSync(join(ROOT, path), 'utf8')))
    .map((path) => path.slice('server/'.length, -'.ts'.length));
  assert.deepEqual(found.toSorted(), [...AS_IT_STARTS, ...COPIES, ...OWN].toSorted());
});
