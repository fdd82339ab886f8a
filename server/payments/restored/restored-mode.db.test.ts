import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newId } from '../../platform/index.ts';
import { openMemoryRail } from '../memory-rail.ts';
import { openPayin } from '../payins/open-payin.ts';
import { type Desk, events, openDesk } from '../scenarios/world.testing.ts';
import { useRails } from '../rails/registry.ts';
import { type RestoreCause, endRestored, enterRestored, openRestore } from './restored-mode.ts';
import { sendingRails } from '../rails/settings.ts';
import { noteUnrecorded, settleUnrecordedSend } from '../unrecorded/unrecorded-sends.ts';

const PARTS = 100_000n;
const OLDER: RestoreCause = { found: 'books', detail: 'By keys/books.seal the seal 9 is missing.' };
const PEOPLE = ['olga', 'oleg'];

let desk: Desk;
before(async () => {
  desk = await openDesk();
});
after(() => desk.close());

const enter = (...causes: RestoreCause[]): Promise<boolean> => desk.db.tx((tx) => enterRestored(tx, causes));
const end = () => desk.db.tx((tx) => endRestored(tx, PEOPLE));
const numberOf = async (order: string): Promise<number> => {
  const row = await desk.db.row<{ number: string }>('select number from receiving_address where owner_id = $1', [order]);
  return Number.parseInt(row?.number ?? '', 10);
};

test('sends nothing while the database may be older; waiting payouts leave once two people have ended that', async () => {
  const id = await desk.request(PARTS);
  assert.equal(await enter(OLDER), true);
  await desk.turn();
  assert.deepEqual([await desk.status(id), desk.world.executions(id)], ['queued', 0]);
  assert.deepEqual([...(await sendingRails(desk.db, ['bitcoin', 'evm', 'payeer']))], [], 'no rail may send');
  assert.equal(await enter(OLDER), false, 'it is entered once');
  const ended = await end();
  assert.deepEqual([ended?.why, ended?.endedBy], [[OLDER], PEOPLE]);
  assert.equal(await end(), undefined, 'it is ended once');
  await desk.turn();
  assert.equal(desk.world.executions(id), 1);
});

test('a send that only the signer’s journal knows enters restored mode, once', async () => {
  const send = { rail: 'bitcoin', source: 'journal', payoutId: newId() } as const;
  const [one] = await desk.db.tx((tx) => noteUnrecorded(tx, [{ ...send, reference: 'signed 1' }]));
  const [two] = await desk.db.tx((tx) => noteUnrecorded(tx, [{ ...send, reference: 'signed 2' }]));
  const open = await openRestore(desk.db);
  assert.deepEqual(
    open?.why.map(({ found }) => found),
    ['journal'],
  );
  const decision = { by: PEOPLE, statement: 'the explorer' };
  const nonce = { rail: 'bitcoin', source: 'chain', reference: 'hot:3', spend: 'hot:3', nonces: { first: 3, last: 3 } } as const;
  const [three] = await desk.db.tx((tx) => noteUnrecorded(tx, [nonce]));
  for (const { id } of [one!, two!]) await desk.db.tx((tx) => settleUnrecordedSend(tx, id, 'explained', decision));
  assert.equal((await sendingRails(desk.db, ['bitcoin'])).size, 0, 'a decision about the find does not end the mode');
  await end();
  await desk.db.tx((tx) => noteUnrecorded(tx, [{ ...send, reference: 'signed 3', spend: 'hot:3' }]));
  assert.ok(await openRestore(desk.db), 'the journal names the transaction that the chain showed as a nonce');
  await desk.db.tx((tx) => settleUnrecordedSend(tx, three!.id, 'explained', decision));
  await end();
  assert.equal((await sendingRails(desk.db, ['bitcoin'])).size, 1);
});

test('a payment that comes in meanwhile is credited as usual', async () => {
  await enter(OLDER);
  const { order, to } = await desk.open();
  desk.world.pay(to, PARTS);
  for (let block = 0; block < 3; block += 1) {
    desk.world.mine();
    await desk.turn();
  }
  await end();
  assert.equal(events(await desk.payins(order)).at(-1), 'final');
});

test('addresses that may have been handed out after the backup are never handed out again', async () => {
  const { order: before } = await desk.open();
  const free = await desk.db.rows<{ number: string }>(
    'select number from receiving_address where owner_id is null order by number',
  );
  assert.ok(free.length > 0, 'some were derived ahead');
  const first = await numberOf(before);
  await enter(OLDER);
  await enter({ found: 'audit', detail: 'the audit, too' });
  const after = await Promise.all(Array.from({ length: 20 }, () => desk.open()));
  const numbers = await Promise.all(after.map(({ order }) => numberOf(order)));
  assert.ok(Math.min(...numbers) >= first + 10_000, `${Math.min(...numbers)} after ${first}`);
  assert.ok(Math.max(...numbers) < first + 10_100, 'once per restore, whatever the evidence');
  await end();
  assert.ok((await numberOf((await desk.open()).order)) < first + 10_100, 'an end moves nothing');
  await enter(OLDER);
  assert.ok((await numberOf((await desk.open()).order)) >= first + 20_000, 'a second restore moves on again');
  await end();
});

test('a rail that begins after a restore begins after numbers that it may have handed out before', async () => {
  const { rail } = openMemoryRail({ id: 'evm', currencies: [{ code: 'USDT_ERC20', unit: 'USDT' }] });
  useRails(new Map([desk.rail, rail].map((one) => [one.id, one])));
  const owner = { kind: 'order' as const, id: newId() };
  await desk.db.tx((tx) => openPayin(tx, { owner, currency: 'USDT_ERC20', parts: PARTS, customerKey: newId() }));
  assert.ok((await numberOf(owner.id)) > 10_000);
});

test('an end that two people have not given is ignored, and no row can be deleted', async () => {
  await enter(OLDER);
  await assert.rejects(desk.db.run('delete from restored'), /never changed/);
  await assert.rejects(desk.db.run(`update restored set at = at - interval '1 day'`), /never changed/);
  await desk.db.run(`update restored set ended_at = clock_now(), ended_by = '{olga,oleg}' where ended_at is null`);
  assert.ok(await openRestore(desk.db), 'somebody wrote that by SQL');
  assert.equal((await sendingRails(desk.db, ['bitcoin'])).size, 0);
  assert.deepEqual((await end())?.endedBy, PEOPLE);
  assert.equal(await openRestore(desk.db), undefined);
});
