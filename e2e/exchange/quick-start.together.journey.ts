// Runs the API's quick start against a sandbox, as copied from its page.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { before, describe, test } from 'node:test';
import { routes } from '@kurs/contract';
import { type System } from '../harness/system.ts';
import { sharedStage } from '../harness/stage.ts';

const PATIENCE_MS = 90_000;
const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'", '&amp;': '&' };

let system: System;

before(async () => {
  ({ system } = await sharedStage());
});

/** Returns the code samples of one language, joined in the page's order. */
async function shownCode(language: string): Promise<string> {
  const html = await (await fetch(`${system.url}/En/solutions/payment-gate`)).text();
  const figures = [...html.matchAll(new RegExp(`data-language="${language}".*?<code>(.*?)</code>`, 'gs'))];
  assert.equal(figures.length, 5);
  return figures
    .map(([, code = '']) => code.replace(/&(?:lt|gt|quot|#x27|amp);/g, (entity) => ENTITIES[entity] as string))
    .join('\n');
}

/** Runs a program from standard input and returns its output. Throws an error if it fails or takes too long. */
async function run(command: string, args: readonly string[], program: string): Promise<string> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], timeout: PATIENCE_MS });
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => printed.push(part.toString()));
  child.stdin.end(program);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  assert.equal(code, 0, printed.join(''));
  return printed.join('');
}

describe('the quick start', { concurrency: true }, () => {
  test('places, pays and follows an order with curl', async () => {
    const printed = await run('bash', ['-s'], await shownCode('curl'));
    assert.match(printed, /"reserve"/, 'the quote');
    assert.match(printed, /"id":"KX-[0-9A-Z-]+"/, 'the order');
    assert.match(printed, /"status":"done"/);
    assert.doesNotMatch(printed, /"code":"[a-z_]+","message"/, 'no call met a problem');
  });

  test('does the same in JavaScript', async () => {
    const printed = await run(process.execPath, ['--input-type=module', '-'], await shownCode('js'));
    assert.match(printed, /KX-[0-9A-Z-]+/);
    assert.match(printed, /^done$/m);
  });
});

test('the rules on pages match the contract, with every deposit and withdrawal', async () => {
  const rules = await system.client().rules({});
  assert.deepEqual(routes.rules.output.parse(rules), rules);
  const way = (code: string) => rules.ways.find(({ currency }) => currency === code);
  assert.equal(way('BTC')?.deposit?.kind, 'address');
  assert.ok(way('BTC')?.withdrawal);
  assert.equal(way('PAYPAL_USD')?.withdrawal?.percent, '2');
});
