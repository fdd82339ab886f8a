// Restores a backup after a payout has been sent: nothing may be paid twice. The copy holds its payouts and says so. Two
// operators book what the original has sent and end this mode, and then the copy pays again.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openChains, partsOf } from '../customers/chains.ts';
import { type Exchange, SELL_BTC, awaits, look, pay, place, reaches } from '../customers/customer.ts';
import { type Person, actAs, deskOf } from '../harness/desk.ts';
import { type System, freshFolder, startSystem, until } from '../harness/system.ts';

const run = promisify(execFile);
/** Time in ms in which a worker that checks for payouts each second would have sent one. */
const TURNS_MS = 4_000;
const reason = 'journey: all is booked';
const evidence = 'the explorer shows it, and the journal of the old machine';

let system: System;
let data: string;
let backup: string;
let cluster: string;
/** Order whose payout is queued in the backup. */
let queued: Exchange;
/** Order that was placed and paid after the backup. */
let later: Exchange;
/** Transactions of the original's payouts. */
const txids = { queued: '', later: '' };

after(async () => {
  await system?.stop();
  for (const folder of [data, backup]) await rm(folder, { recursive: true, force: true });
});

const received = async ({ receive }: Exchange): Promise<bigint> => (await openChains(system)).holds('USDT_ERC20', receive);
const promised = ({ order }: Exchange): bigint => partsOf('USDT_ERC20', order.get?.amount ?? '');

/** Switches all payouts, or requests it. Doesn't use the tool, whose output also contains a banner. */
const payouts = async (as: Person, on: boolean): Promise<unknown> => (await deskOf(system, as)).operatorPayouts({ on, reason });

test('the original queues a payout, its stopped database is copied, and then it pays', async () => {
  [data, backup] = await Promise.all([freshFolder(), freshFolder()]);
  system = await startSystem({ data });
  const client = system.client();
  queued = await place(client, SELL_BTC);
  await actAs(system, 'olga', 'payouts', 'off');
  await pay(client, queued.order);
  await awaits(client, queued.order, 'to be credited', ({ transfers }) => transfers.some(({ status }) => status === 'queued'));
  ({ cluster } = await system.run());
  await system.stop();
  await run('cp', ['-a', cluster, `${backup}/postgresql`]);

  system = await startSystem({ data, isPaused: true });
  await payouts('olga', true);
  await payouts('oleg', true);
  await reaches(system.client(), queued.order, 'done', 90_000);
  await until('directions to open', 20_000, async () =>
    (await system.client().directions({})).directions.some(({ open }) => open),
  );
  later = await place(system.client(), SELL_BTC);
  await pay(system.client(), later.order);
  await reaches(system.client(), later.order, 'done', 90_000);
  assert.deepEqual([await received(queued), await received(later)], [promised(queued), promised(later)]);
  for (const [name, { order }] of [
    ['queued', queued],
    ['later', later],
  ] as const)
    txids[name] = (await look(system.client(), order)).transfers.find(({ kind }) => kind === 'payout')?.txid ?? '';
  await system.stop();
});

test('the copy with the newest keys pays nothing out, and every answer to the desk gives the reason', async () => {
  await rm(cluster, { recursive: true });
  await run('cp', ['-a', `${backup}/postgresql`, cluster]);
  system = await startSystem({ data, isPaused: true });
  const client = system.client();
  assert.equal((await look(client, queued.order)).status, 'paying');
  await payouts('olga', true);
  await payouts('oleg', true);
  await pause(TURNS_MS);
  assert.deepEqual([await received(queued), await received(later)], [promised(queued), promised(later)], 'nobody is paid twice');
  assert.equal((await look(client, queued.order)).status, 'paying');
  const { output } = await system.tool('desk.ts', 'rails');
  assert.match(output, /^RESTORED MODE since \d{4}-/);
  const { code, output: refused } = await system.tool('desk.ts', 'approve', 'KX-0000-0000', '--reason', reason);
  assert.equal(code, 1);
  assert.match(refused, /RESTORED MODE/);
  const { restored, why } = await (await deskOf(system, 'olga')).operatorRestored({});
  assert.equal(restored, true);
  assert.match(why.join(' '), /By keys\/books\.seal the seal \d+/);
});

test('payouts that the original sent are listed, and booked by two people', async () => {
  const [olga, oleg] = [await deskOf(system, 'olga'), await deskOf(system, 'oleg')];
  const listed = async () => (await olga.operatorRestored({})).sends;
  await until('both sends to be found', 90_000, async () => (await listed()).length >= 2);
  const isBooked = { queued: false, later: false };
  for (let turn = 0; turn < 10; turn += 1) {
    const [send] = await listed();
    if (!send) break;
    // A node without old states shows only that a nonce is used, not by which transaction.
    const isBare = /:\d+$/.test(send.reference);
    const which = send.reference === txids.queued || send.reference.endsWith(':0') ? 'queued' : 'later';
    const owners = send.payouts.map(({ owner }) => owner);
    assert.equal(isBooked[which], false, 'what the journal and the chain know of it is decided once');
    assert.equal(owners.includes(queued.order.id), which === 'queued' || (isBare && !isBooked.queued), JSON.stringify(send));
    const payout = send.payouts.find(({ owner }) => owner === queued.order.id);
    const amount = later.order.get?.amount ?? '';
    const actions = {
      queued: { action: 'sent', ...(isBare && { txid: txids.queued, payouts: [payout?.id ?? ''] }) },
      later: { action: 'unknown', ...(isBare && { currency: 'USDT_ERC20', amount }) },
    } as const;
    isBooked[which] = true;
    const said: Parameters<typeof olga.operatorRestoredBook>[0] = { id: send.id, ...actions[which], evidence, reason };
    assert.equal((await olga.operatorRestoredBook(said)).status, 'awaiting_second');
    await assert.rejects(olga.operatorRestoredBook(said), { code: 'same_person' });
    assert.equal((await oleg.operatorRestoredBook(said)).status, 'done');
  }
  assert.deepEqual([isBooked, await listed()], [{ queued: true, later: true }, []]);
  await reaches(system.client(), queued.order, 'done', 30_000);
});

test('after two people end the mode the copy pays again, nobody was paid twice, and the books are right', async () => {
  const [olga, oleg] = [await deskOf(system, 'olga'), await deskOf(system, 'oleg')];
  assert.equal((await olga.operatorRestoredEnd({ evidence, reason })).status, 'awaiting_second');
  assert.equal((await oleg.operatorRestoredEnd({ evidence, reason })).status, 'done');
  const client = system.client();
  await until('directions to open', 30_000, async () => (await client.directions({})).directions.some(({ open }) => open));
  const next = await place(client, SELL_BTC);
  await pay(client, next.order);
  await reaches(client, next.order, 'done', 90_000);
  assert.equal(await received(next), promised(next));
  assert.deepEqual([await received(queued), await received(later)], [promised(queued), promised(later)]);
  const { output } = await system.tool('desk.ts', 'rails');
  assert.doesNotMatch(output, /RESTORED/);
  for (const tool of ['verify.ts', 'verify-audit.ts']) {
    const { code, output: said } = await until(`${tool} to be right`, 30_000, async () => {
      const done = await system.tool(tool);
      return done.code === 0 && done;
    });
    assert.equal(code, 0, said);
  }
});

test('without its journal the signer signs nothing until a person declares it lost; the next order is paid', async () => {
  await system.stop();
  await rm(join(data, 'keys', 'signed.jsonl'));
  system = await startSystem({ data });
  const waiting = await place(system.client(), SELL_BTC);
  await pay(system.client(), waiting.order);
  await awaits(system.client(), waiting.order, 'to be credited', ({ transfers }) =>
    transfers.some(({ status }) => status === 'queued'),
  );
  await pause(TURNS_MS);
  assert.equal(await received(waiting), 0n);
  const { code, output } = await system.tool('keys.ts', 'journal-lost');
  assert.equal(code, 0, output);
  await system.kill('signer');
  await reaches(system.client(), waiting.order, 'done', 90_000);
  assert.equal(await received(waiting), promised(waiting));
  const verified = await system.tool('verify.ts');
  assert.equal(verified.code, 0, verified.output);
});
