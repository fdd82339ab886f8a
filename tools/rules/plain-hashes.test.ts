// Secrets that open something are stored as HMACs (server/platform/secrets/secret-hashes.ts). Each plain SHA-256 of the server's
// code is listed here, with the reason why nobody gains by putting such a hash into the database.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const ALLOWED: Readonly<Record<string, string>> = {
  'server/accounts/account-watch.ts': 'a change token of what a page shows',
  'server/auth/changes/email-change.ts': 'a short name for a new address; the code for it is an HMAC',
  'server/auth/google/google-store.ts': 'a nonce that anyone may have made; Google signs it',
  'server/compliance/bot/bot.ts': 'the name of a proof that was spent: a row refuses, and opens nothing',
  'server/earn/draw.ts': 'the promise of a seed, which is made to be compared by anyone',
  'server/edge/downloads/api-docs.ts': 'a page’s own style',
  'server/edge/files/ready-file.ts': 'a file’s own content',
  'server/ledger/chart/account-id.ts': 'the id of an account, made of its name',
  'server/ledger/proof/prove-entries.ts': 'the id of an account, compared in SQL',
  'server/moneyout/confirmation.ts': 'a name for what is confirmed; the code for it is an HMAC',
  'server/operator/people/people.ts': 'the fingerprint of a desk’s key, which people exchange; an HMAC of it is stored',
  'server/payments/polls/entries.ts': 'finds a voucher that was entered before; it refuses, and opens nothing',
  'server/payments/memory-names.ts': 'a chain in memory, for tests',
  'server/payments/payins/webhook.ts': 'finds a webhook that came before',
  'server/platform/base/id.ts':
    'ids of what a new installation begins with, of public names, and of actions by their callers’ keys of a call',
  'server/platform/db/migrate.ts': 'the content of a migration',
  'server/platform/http/callers/counters.ts': 'the name of a counter',
  'server/platform/http/callers/device.ts': 'the name of a browser, for counting; its cookie carries an HMAC',
  'server/platform/http/calls.ts': 'the name of a caller, for counting and for keys of calls',
  'server/platform/http/idempotency.ts': 'finds the same key with another request; answers are sealed',
  'server/platform/process/cluster.ts': 'the name of a folder',
  'server/platform/process/keys.ts': 'the fingerprint of a key file, which has 256 random bits',
  'server/platform/secrets/macs.ts': 'the HMAC itself, by hand',
  'server/platform/secrets/signatures.ts': 'the id of a public key',
  'server/supervisor/database-roles.ts': 'how PostgreSQL stores a password of its roles (SCRAM)',
  'server/support/ticket.ts': 'finds a message that was sent before',
  'server/terminal/commands/desk-people.ts': 'the fingerprint of a desk’s key',
};
const PLAIN = /createHash\('sha256'\)|\bhash\('sha256'|\bsha256\(/;

test('no secret is stored as a plain SHA-256: each use of one is listed with its reason', () => {
  const found = globSync('server/**/*.ts', {
    cwd: ROOT,
    exclude: ['**/node_modules/**', 'server/rails/**', 'server/simulation/**'],
  })
    .filter((file) => !/\.test\.ts$|\btesting\.ts$/.test(file) && PLAIN.test(readFileSync(join(ROOT, file), 'utf8')))
    .sort();
  assert.deepEqual(
    found.filter((file) => !(file in ALLOWED)),
    [],
    'if it opens something, use secretHash',
  );
  assert.deepEqual(
    Object.keys(ALLOWED).filter((file) => !found.includes(file)),
    [],
    'listed and not there any more',
  );
});
