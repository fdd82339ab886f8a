// Uses the desk tool as its people do: every action goes through the operator's API and must appear in the audit.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Chains, openChains, partsOf } from '../customers/chains.ts';
import { signUp } from '../customers/signed.ts';
import { SELL_BTC, BUY_BTC, awaits, freshAddress, look, pay, place, reaches } from '../customers/customer.ts';
import { type Person, deskOf, deskTool } from '../harness/desk.ts';
import { type System, startSystem, until } from '../harness/system.ts';

let system: System;
let chains: Chains;
/** Actions that were done or requested. Each must have a row in the audit. */
const acted: string[] = [];

before(async () => {
  system = await startSystem();
  chains = await openChains(system);
});
after(() => system?.stop());

const desk = <T>(...words: string[]): Promise<T> => deskTool<T>(system, ...words);

type ActionResult = { readonly status: string; readonly state: string };

/** Runs an action with a reason as one of the desk's people. */
async function act(as: Person, ...words: string[]): Promise<ActionResult> {
  const done = await desk<ActionResult>(...words, '--as', as, '--reason', `journey: ${words.join(' ')}`);
  acted.push(words[0] as string);
  return done;
}

/** Asserts that an action is refused with this code, and that nothing else happens. */
async function refused(code: string, as: Person, ...words: string[]): Promise<void> {
  const { code: exit, output } = await system.tool('desk.ts', ...words, '--as', as, '--reason', 'journey: must be refused');
  assert.equal(exit, 1, output);
  assert.ok(output.includes(`(${code})`), `desk ${words.join(' ')}: ${output}`);
}

test('the keys of two operators and two compliance officers work, an unknown key opens nothing', async () => {
  const keys = await desk<{ name: string; role: string; key: string }[]>('keys');
  assert.deepEqual(
    keys.map(({ name, role }) => `${name} ${role}`),
    ['olga operator', 'oleg operator', 'clara compliance', 'karl compliance'],
  );
  const { code, output } = await system.tool('desk.ts', 'waiting', '--key', 'kurs_op_nobody');
  assert.deepEqual([code, /\(unauthorised\)/.test(output)], [1, true], output);
});

describe('orders that need a person', { concurrency: 4 }, () => {
  test('a large order waits and is approved', async () => {
    const client = system.client();
    const { client: as } = await signUp(system, { level: 2 });
    const { order, receive } = await place(client, { ...SELL_BTC, amount: '0.05', as });
    await pay(client, order);
    await reaches(client, order, 'checking');
    await refused('forbidden', 'olga', 'release', order.id);
    assert.equal((await act('oleg', 'approve', order.id)).state, 'queued');
    const done = await reaches(client, order, 'done');
    assert.equal(await chains.holds('USDT_ERC20', receive), partsOf('USDT_ERC20', done.get?.amount ?? ''));
  });

  test('an order held by an operator and released by compliance without questions keeps its rate', async () => {
    const client = system.client();
    const { client: as } = await signUp(system, { level: 2 });
    const { order, receive } = await place(client, { ...SELL_BTC, amount: '0.04', as, askMe: true });
    await pay(client, order);
    const before = await reaches(client, order, 'checking');
    assert.deepEqual([before.reason, before.late], ['approval', false]);
    await refused('forbidden', 'clara', 'hold', order.id);
    assert.equal((await act('olga', 'hold', order.id)).state, 'holding');
    const held = await look(client, order);
    assert.deepEqual([held.status, held.reason, held.choices], ['checking', 'check', []]);
    assert.ok(held.deadline, 'papers and limits end by themselves');
    await refused('forbidden', 'olga', 'release', order.id);
    assert.equal((await act('clara', 'release', order.id)).state, 'approving');
    const released = await look(client, order);
    assert.deepEqual([released.status, released.reason, released.late], ['checking', 'approval', false]);
    await act('olga', 'approve', order.id);
    await reaches(client, order, 'done');
    assert.equal(await chains.holds('USDT_ERC20', receive), partsOf('USDT_ERC20', before.get?.amount ?? ''));
  });

  test('two compliance officers freeze an order by law, and two release it', async () => {
    const client = system.client();
    const { order, refund } = await place(client, { ...SELL_BTC, askMe: true });
    await pay(client, order, { amount: '0.002' });
    await reaches(client, order, 'choose');
    await refused('forbidden', 'olga', 'freeze', order.id);
    assert.equal((await act('clara', 'freeze', order.id)).status, 'awaiting_second');
    await refused('same_person', 'clara', 'freeze', order.id);
    const requests = await desk<{ action: string; subject: string; by: string }[]>('requests');
    assert.deepEqual(
      requests.filter(({ subject }) => subject === order.id).map(({ action: name, by }) => `${name} ${by}`),
      ['freeze clara'],
    );
    assert.deepEqual(await act('karl', 'freeze', order.id), { status: 'done', state: 'frozen' });
    const frozen = await look(client, order);
    assert.deepEqual(
      [frozen.status, frozen.choices, frozen.deadline],
      ['checking', [], undefined],
      'no end is promised, nothing can be chosen',
    );
    assert.equal((await act('karl', 'unfreeze', order.id)).status, 'awaiting_second');
    await refused('same_person', 'karl', 'unfreeze', order.id);
    assert.deepEqual(await act('clara', 'unfreeze', order.id), { status: 'done', state: 'holding' });
    await act('karl', 'decide_refund', order.id);
    const back = await reaches(client, order, 'refunded');
    const sent = back.transfers.find(({ kind }) => kind === 'refund')?.money.amount ?? '';
    assert.equal(await chains.holds('BTC', refund), partsOf('BTC', sent));
  });

  test('an operator refunds an order that waits for its customer’s choice', async () => {
    const client = system.client();
    const { order, refund } = await place(client, { ...BUY_BTC, askMe: true });
    await pay(client, order, { amount: '300' });
    await reaches(client, order, 'choose');
    await refused('forbidden', 'clara', 'refund', order.id);
    await act('oleg', 'refund', order.id);
    await reaches(client, order, 'refunded');
    assert.ok((await chains.holds('USDT_ERC20', refund)) > 0n);
  });
});

/** Time in ms in which a worker that checks for payouts each second would have sent one. */
const TWO_TURNS_MS = 2_000;

describe('switches', () => {
  test('with payouts off nothing leaves and payments are recorded; once approved and on again they are paid', async () => {
    const client = system.client();
    const [first, second] = await Promise.all([place(client, SELL_BTC), place(client, SELL_BTC)]);
    await act('olga', 'payouts', 'off');
    await Promise.all([pay(client, first.order), pay(client, second.order)]);
    for (const { order } of [first, second]) {
      const credited = await awaits(client, order, 'to be credited', ({ transfers }) =>
        transfers.some(({ status }) => status === 'queued'),
      );
      assert.deepEqual([credited.status, credited.transfers[0]?.status], ['paying', 'final']);
    }
    await until('the directions to make no new quotes', 1_500, async () =>
      (await client.directions({})).directions.every(({ open }) => !open),
    );
    await pause(TWO_TURNS_MS);
    assert.equal(await chains.holds('USDT_ERC20', first.receive), 0n);

    assert.equal((await act('oleg', 'stop', second.order.id)).state, 'approving');
    await act('olga', 'payouts', 'on');
    await act('oleg', 'payouts', 'on');
    await reaches(client, first.order, 'done');
    assert.equal((await look(client, second.order)).status, 'checking', 'what was stopped stays');
    await act('oleg', 'approve', second.order.id);
    await reaches(client, second.order, 'done');
    for (const { order, receive } of [first, second]) {
      assert.equal(await chains.holds('USDT_ERC20', receive), partsOf('USDT_ERC20', order.get?.amount ?? ''));
    }
  });

  test('with one rail’s payouts off the other pays', async () => {
    const client = system.client();
    const [sell, buy] = await Promise.all([place(client, SELL_BTC), place(client, BUY_BTC)]);
    await refused('not_found', 'olga', 'payouts', 'off', '--rail', 'nowhere');
    await act('olga', 'payouts', 'off', '--rail', 'evm');
    await Promise.all([pay(client, sell.order), pay(client, buy.order)]);
    await reaches(client, buy.order, 'done');
    await reaches(client, sell.order, 'paying');
    assert.equal(await chains.holds('USDT_ERC20', sell.receive), 0n);
    await act('olga', 'payouts', 'on', '--rail', 'evm');
    await act('oleg', 'payouts', 'on', '--rail', 'evm');
    await reaches(client, sell.order, 'done');
  });

  test('a direction that is off has no quotes within a second, and placed orders continue', async () => {
    const client = system.client();
    const { order } = await place(client, SELL_BTC);
    await act('olga', 'direction', 'BTC', 'USDT_ERC20', 'off');
    await until('the direction to close', 1_500, () =>
      client.calculate(SELL_BTC).then(
        () => false,
        ({ code }) => code === 'direction_closed',
      ),
    );
    const [sell, buy] = (await client.directions({})).directions;
    assert.deepEqual([sell?.open, sell?.reason, buy?.open], [false, 'switched_off', true]);
    await pay(client, order);
    await reaches(client, order, 'done');
    await act('olga', 'direction', 'BTC', 'USDT_ERC20', 'on');
    await until('the direction to open', 1_500, () =>
      client.calculate(SELL_BTC).then(
        () => true,
        () => false,
      ),
    );
  });
});

describe('the desk’s own money', () => {
  const free = async (): Promise<bigint> => {
    const reserves = await desk<{ currency: string; free: string }[]>('reserves');
    return partsOf('USDT_ERC20', reserves.find(({ currency }) => currency === 'USDT_ERC20')?.free ?? '');
  };

  test('money that arrived at the hot wallet is booked as capital', async () => {
    const client = system.client();
    const { evm } = JSON.parse(await readFile(join(system.data, 'keys/public.json'), 'utf8')) as { evm: { hot: string } };
    const before = await free();
    const paid = { currency: 'USDT_ERC20', to: evm.hot, amount: '1000' };
    const { txid } = await client.sandboxPay(paid, { idempotencyKey: 'capital' });
    await refused('forbidden', 'karl', 'fund', 'USDT_ERC20', '--txid', txid);
    await refused('validation', 'olga', 'fund', 'USDT_ERC20', '1000', '--reference', 'journey');
    await until('enough confirmations', 120_000, async () => {
      try {
        return (await act('olga', 'fund', 'USDT_ERC20', '--txid', txid)).status === 'done';
      } catch {
        return false;
      }
    });
    await refused('validation', 'olga', 'fund', 'USDT_ERC20', '--txid', txid);
    assert.equal((await free()) - before, 1_000_000_000n);
  });

  test('two people send some of it out', async () => {
    const client = system.client();
    const to = await freshAddress(client, 'USDT_ERC20');
    assert.equal((await act('olga', 'withdraw', 'USDT_ERC20', '500', '--to', to)).status, 'awaiting_second');
    await refused('same_person', 'olga', 'withdraw', 'USDT_ERC20', '500', '--to', to);
    await refused('request_differs', 'oleg', 'withdraw', 'USDT_ERC20', '5000', '--to', to);
    await refused('forbidden', 'clara', 'withdraw', 'USDT_ERC20', '500', '--to', to);
    assert.equal(await chains.holds('USDT_ERC20', to), 0n);
    assert.equal((await act('oleg', 'withdraw', 'USDT_ERC20', '500', '--to', to)).status, 'done');
    await until('the money on the chain', 60_000, async () => (await chains.holds('USDT_ERC20', to)) === 500_000_000n);
  });
});

test('every action is a row of the audit, with its person and reason', async () => {
  const { data } = await (await deskOf(system, 'olga')).operatorAudit({ per_page: '100' as never });
  // The sandbox created its operators at the console.
  const byPeople = data.filter(({ by }) => by !== 'console');
  assert.deepEqual([byPeople.length, data.length], [acted.length, acted.length + 4]);
  for (const { by, reason, subject, outcome } of byPeople) {
    assert.match(by, /^(olga|oleg|clara|karl)$/);
    assert.match(reason, /^journey: /);
    assert.ok(subject);
    assert.match(outcome, /^(done|asked)$/);
  }
  assert.equal(
    byPeople.filter(({ outcome }) => outcome === 'asked').length,
    5,
    'two freezes, a withdrawal, and payouts let go on twice',
  );
});

test('the books are right', async () => {
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
});
