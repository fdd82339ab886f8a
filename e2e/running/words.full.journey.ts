// Recovers from the 24 words alone. A system received money on every chain, and its folder with keys and ledger is lost. The
// words yield the same addresses, and the coins are found, booked by two operators and moved.

import assert from 'node:assert/strict';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { randomUUID } from 'node:crypto';
import type { Client } from '@kurs/contract/client';
import { type Chains, openChains, partsOf, unitOf } from '../customers/chains.ts';
import { type Wish, pay, place, reaches } from '../customers/customer.ts';
import { deskOf } from '../harness/desk.ts';
import { type System, freshFolder, initialiseFromWords, startSystem, toolIn, until } from '../harness/system.ts';

const RAILS: Readonly<Record<string, readonly string[]>> = {
  bitcoin: ['BTC'],
  evm: ['USDT_ERC20', 'ETH'],
  bsc: ['USDT_BEP20', 'BNB'],
  tron: ['USDT_TRC20', 'TRX'],
};
const DONE: readonly Wish[] = [
  { from: 'BTC', to: 'ETH', amount: '0.003' },
  { from: 'ETH', to: 'BTC', amount: '0.1' },
];
const LEFT: readonly Wish[] = [
  { from: 'BTC', to: 'USDT_BEP20', amount: '0.005' },
  { from: 'USDT_ERC20', to: 'BTC', amount: '250' },
  { from: 'ETH', to: 'BTC', amount: '0.1' },
  { from: 'USDT_BEP20', to: 'BTC', amount: '250' },
  { from: 'BNB', to: 'USDT_BEP20', amount: '0.5' },
  { from: 'USDT_TRC20', to: 'BTC', amount: '250' },
];
/** Caps of the signer, high enough that all bitcoin can be sent at once. */
const CAPS = 'BTC=1000, USDT_ERC20=1000000, USDT_BEP20=1000000, ETH=500, BNB=1500, USDT_TRC20=1000000, TRX=1000000';
const reason = 'the words were put back';
const key = () => ({ idempotencyKey: randomUUID() });

let data: string;
let system: System;
let chains: Chains;
let words = '';
/** Address and amount of the earlier deposits by currency. */
const lies = new Map<string, { readonly address: string; readonly amount: string }>();
const handedOut = new Set<string>();

before(async () => {
  data = await freshFolder();
  system = await startSystem({ data });
});
after(async () => {
  await system?.stop();
  await rm(data, { recursive: true, force: true });
});

/** Requests an action that requires two people, and approves it as the second one if necessary. */
async function byTwo(ask: (desk: Client) => Promise<{ status: string; request?: string | undefined }>): Promise<void> {
  const answer = await ask(await deskOf(system, 'olga'));
  if (answer.status === 'done') return;
  assert.ok(answer.request, JSON.stringify(answer));
  await (await deskOf(system, 'oleg')).operatorConsent({ id: answer.request, reason });
}

test('receiving addresses of every chain hold money, and the folder is lost', async () => {
  const client = system.client();
  for (const wish of DONE) {
    const exchange = await place(client, wish);
    await pay(client, exchange.order);
    await reaches(client, exchange.order, 'done');
    handedOut.add((exchange.order.pay as { address: string }).address);
  }
  const exchanges = await Promise.all(LEFT.map((wish) => place(client, wish)));
  // Payouts are off, so nothing is swept meanwhile.
  await (await deskOf(system, 'olga')).operatorPayouts({ on: false, reason });
  chains = await openChains(system);
  for (const { order } of exchanges) {
    const { address, currency } = order.pay as { address: string; currency: string };
    await pay(client, order);
    await until(`the ${currency} of the order`, 60_000, async () => (await chains.holds(currency, address)) > 0n);
    lies.set(currency, { address, amount: order.give.amount });
    handedOut.add(address);
  }
  words = (await readFile(join(data, 'keys/seed'), 'utf8')).trim();
  await system.stop();
  // The chains continue, and nothing of the product remains.
  const next = await freshFolder();
  await cp(join(data, 'sandbox'), join(next, 'sandbox'), { recursive: true });
  await rm(data, { recursive: true });
  data = next;
});

test('the words restore the seed in an empty folder, and the addresses without any system', async () => {
  const typed = words.split(' ').map((word, at) => `${at + 1}. ${word.toUpperCase()}`);
  const { code, output } = await initialiseFromWords(data, `${typed.join('\n')}\n`);
  assert.equal(code, 0, output);
  assert.equal((await readFile(join(data, 'keys/seed'), 'utf8')).trim(), words);
  const offline = new Set<string>();
  for (const [currency = ''] of Object.values(RAILS)) {
    const { code: ended, output: shown } = await toolIn(data, 'keys.ts', 'addresses', currency, '60');
    assert.equal(ended, 0, shown);
    for (const [, address = ''] of shown.matchAll(/^receiving \d+ +m\S+ +(\S+)$/gm)) offline.add(address);
  }
  assert.deepEqual(
    [...handedOut].filter((address) => !offline.has(address)),
    [],
  );
});

test('a new system from the words pays nothing out, and finds the money at the addresses', async () => {
  system = await startSystem({ data, isPaused: true, env: { KURS_SIGNER_CAPS: CAPS } });
  chains = await openChains(system);
  const desk = await deskOf(system, 'olga');
  const { restored, why } = await desk.operatorRestored({});
  assert.equal(restored, true);
  assert.match(why.join(), /restored from its words/);
  for (const rail of Object.keys(RAILS)) {
    const { code, output } = await system.tool('desk.ts', 'scan', rail, '--gap', '60', '--as', 'olga', '--reason', reason);
    assert.equal(code, 0, output);
    assert.match(output, /^RESTORED MODE/);
    for (const currency of RAILS[rail] ?? []) {
      const { address = '' } = lies.get(currency) ?? {};
      if (address === '') continue;
      const row = output.split('\n').find((line) => line.includes(` ${address} `)) ?? '';
      const found = new RegExp(`([\\d.]+) ${currency}\\b`).exec(row)?.[1] ?? '0';
      assert.equal(partsOf(currency, found), await chains.holds(currency, address), `${currency} at ${address}\n${output}`);
      if (currency !== 'BTC') assert.match(row, /taken now/);
    }
  }
});

test('two people book the found money, and the earlier sends that the chains show', async () => {
  const desk = await deskOf(system, 'olga');
  const codes = new Set(Object.values(RAILS).flat());
  await until('the books to be right about the chains', 240_000, async () => {
    let isRight = true;
    for (const { currency, places } of (await desk.operatorReserves({})).filter((one) => codes.has(one.currency))) {
      // The chain's coin also appears with its tokens, but is booked under its own currency.
      for (const { place: at, unit, difference = '0', rail } of places.filter((one) => one.unit === unitOf(currency))) {
        if (rail === undefined) isRight = false;
        if (!/[1-9]/.test(difference)) continue;
        isRight = false;
        const side = difference.startsWith('-') ? ('less' as const) : ('more' as const);
        const input = { currency, place: at as 'hot', side, amount: difference.replace('-', ''), reason };
        // A newer comparison may have replaced this difference meanwhile.
        await byTwo((by) => by.operatorDifference(input, key())).catch((error: unknown) =>
          assert.match(String(error), /difference/i, `${currency} ${at} ${unit}`),
        );
      }
    }
    // The earlier deposits must be found and booked. An unread balance is not sufficient.
    const books = (await desk.operatorReserves({})).filter(({ currency }) => lies.has(currency) && currency !== 'BTC');
    const isBooked = books.every(({ places }) =>
      places.some(({ place: at, books: sum }) => at === 'deposit' && /[1-9]/.test(sum)),
    );
    return isRight && isBooked;
  });
  for (const { currency, unexplained } of await desk.operatorReserves({}))
    if (codes.has(currency) && /[1-9]/.test(unexplained) && !unexplained.startsWith('-'))
      await byTwo((by) => by.operatorClear({ currency, amount: unexplained, to: 'free', reason }, key())).catch(() => {});
  const evidence = join(data, 'evidence.txt');
  await writeFile(evidence, reason);
  await until('every send of before to be explained', 180_000, async () => {
    for (const rail of new Set((await desk.operatorRestored({})).sends.map((send) => send.rail)))
      for (const person of ['olga', 'oleg']) {
        const said = ['--evidence', evidence, '--reason', reason, '--as', person];
        const { code, output } = await system.tool('desk.ts', 'explain-sends', rail, ...said);
        assert.equal(code, 0, output);
      }
    return (await desk.operatorRestored({})).sends.length === 0;
  });
  for (const [currency, { address }] of lies)
    assert.ok((await chains.holds(currency, address)) > 0n, `${currency} has not moved yet`);
  await byTwo((by) => by.operatorRestoredEnd({ evidence: reason, reason }, key()));
});

test('the coins are swept into the hot wallets, bitcoin leaves by a payout, and the books are right', async () => {
  const desk = await deskOf(system, 'olga');
  for (const [currency, { address, amount }] of lies) {
    if (currency === 'BTC') continue;
    const rest = partsOf(currency, amount) / 20n;
    await until(`${currency} to be swept`, 240_000, async () => {
      const { sends } = await desk.operatorRestored({});
      for (const { id } of sends)
        await byTwo((by) => by.operatorRestoredBook({ id, action: 'explained', evidence: reason, reason }, key()));
      return (await chains.holds(currency, address)) < rest;
    });
  }
  // Withdraw nearly everything, so that every coin is needed.
  const btc = lies.get('BTC')?.address ?? '';
  const free = (await desk.operatorReserves({})).find(({ currency }) => currency === 'BTC')?.free ?? '0';
  const amount = (Number(free) - 0.001).toFixed(8);
  const { address: to } = await system.client().sandboxAddress({ currency: 'BTC' });
  await byTwo((by) => by.operatorWithdraw({ currency: 'BTC', amount, to: { address: to }, rebalance: false, reason }, key()));
  await until('bitcoin of before to be spent', 120_000, async () => (await chains.holds('BTC', btc)) === 0n);
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
});
