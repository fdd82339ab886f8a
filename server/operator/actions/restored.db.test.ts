import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Problem, routes } from '@kurs/contract';
import { accounts } from '../../ledger/index.ts';
import { endRestored, enterRestored, openRestore, sendingRails } from '../../payments/index.ts';
import { proveAudit } from '../people/audit-seal.ts';
import { addPerson } from '../people/person.testing.ts';
import type { Person } from '../people/roles.ts';
import { advanceClock, newId } from '../../platform/index.ts';
import { type TestDb, testDb } from '../../platform/testing.ts';
import { noteUnrecorded } from '../../payments/testing.ts';
import { type WalletWorld, as, walletWorld } from '../../wallets/testing.ts';
import { setPayouts } from './switches.ts';
import { bookRestoredBy, endRestoredBy, restoredHeaders, restoredView } from './restored.ts';
import { OWNERS } from '../owners.testing.ts';

const request = {
  evidence: 'the journal was put in place, and every transfer since the backup is booked',
  reason: 'all is booked',
};
const fails = (code: string) => (error: Problem) => error.code === code;
const DETAIL = 'By keys/books.seal the seal 9 is missing.';
let world: TestDb;
let olga: Person;
let oleg: Person;
let kim: Person;

before(async () => {
  world = await testDb();
  const { db } = world;
  [olga, oleg, kim] = [await addPerson(db, 'olga'), await addPerson(db, 'oleg'), await addPerson(db, 'kim', 'compliance')];
});
after(() => world.drop());

const enter = (detail: string): Promise<boolean> => world.db.tx((tx) => enterRestored(tx, [{ found: 'books', detail }]));
const view = async () => routes.operatorRestored.output.parse(await restoredView(world.db, OWNERS));

test('while the mode is off there is no header, and nothing to end', async () => {
  assert.deepEqual(await view(), { restored: false, why: [], sends: [] });
  assert.deepEqual(await restoredHeaders(world.db), {});
  await assert.rejects(endRestoredBy(world.db, olga, request), fails('action_not_open'));
});

test('two operators end it; the audit keeps which ends of the chains they accept, and money may leave', async () => {
  const { db } = world;
  await enter(DETAIL);
  const { restored, since, why } = await view();
  assert.deepEqual([restored, why], [true, [DETAIL]]);
  assert.deepEqual(await restoredHeaders(db), { 'kurs-restored': `since ${since}` });
  await assert.rejects(endRestoredBy(db, kim, request), fails('forbidden'));
  assert.equal((await endRestoredBy(db, olga, request)).status, 'awaiting_second');
  await assert.rejects(endRestoredBy(db, olga, request), fails('same_person'));
  await assert.rejects(endRestoredBy(db, oleg, { ...request, evidence: 'another' }), fails('request_differs'));
  assert.equal((await sendingRails(db, ['bitcoin'])).size, 0, 'one person ends nothing');

  await enter('The signer has signed what the database doesn’t know.');
  assert.equal((await endRestoredBy(db, oleg, request)).status, 'awaiting_second', 'more was found since olga looked');
  assert.equal((await endRestoredBy(db, olga, request)).status, 'done');
  assert.equal(await openRestore(db), undefined);
  assert.equal((await sendingRails(db, ['bitcoin'])).size, 1);
  assert.deepEqual(await restoredHeaders(db), {});
  const actions = await db.rows<{ action: string; by: string; body: { instead_of?: string[] } }>(
    `select action, by, body from audit where outcome = 'done' and action in ('restored_end', 'notes_accepted') order by id`,
  );
  assert.deepEqual(
    actions.map(({ action, by }) => [action, by]),
    [
      ['restored_end', 'olga'],
      ['notes_accepted', 'olga'],
    ],
  );
  assert.equal(actions[1]?.body.instead_of?.[0], DETAIL);
  assert.deepEqual((await proveAudit(db)).faults, []);
});

/** Repeats a call until prices have noticed a switch, which takes half a second or longer. */
async function untilOpen<T>(ask: () => Promise<T>): Promise<T> {
  for (let turn = 0; ; turn += 1) {
    try {
      return await ask();
    } catch (error) {
      if ((error as Problem).code !== 'withdrawal_closed' || turn === 100) throw error;
      await sleep(100);
    }
  }
}

test('a request from before a restore is void, since the original may have carried it out', async () => {
  const { db } = world;
  const off = { on: false, reason: 'for a test' };
  await setPayouts(db, olga, off);
  assert.equal((await setPayouts(db, olga, { ...off, on: true })).status, 'awaiting_second');
  await advanceClock(db, 1_000);
  await enter(DETAIL);
  assert.equal((await setPayouts(db, oleg, { ...off, on: true })).status, 'awaiting_second', 'olga’s word is of before');
  assert.equal((await setPayouts(db, olga, { ...off, on: true })).status, 'done');
  await db.tx((tx) => endRestored(tx, ['olga', 'oleg']));
});

describe('a withdrawal that the original has sent after the backup', () => {
  let wallets: WalletWorld;
  let maria: Person;
  let ivan: Person;
  before(async () => {
    wallets = await walletWorld();
    [maria, ivan] = [await addPerson(wallets.desk.db, 'maria'), await addPerson(wallets.desk.db, 'ivan')];
  });
  after(() => wallets.close());

  test('is listed with its owner and the command, booked by two, and paid once', async () => {
    const { desk } = wallets;
    const { db } = desk;
    const ann = await wallets.holder('0.01');
    const { id: withdrawal } = await wallets.withdraw(ann, '0.002');
    await db.tx((tx) => enterRestored(tx, [{ found: 'journal', detail: 'The signer has signed what the database lacks.' }]));
    await wallets.settle();
    const [payout] = await db.rows<{ id: string; parts: string; receiver: string }>(
      `select id, parts, to_fields ->> 'address' as receiver from payout where owner_id = $1`,
      [withdrawal],
    );
    assert.ok(payout);
    const send = {
      rail: 'bitcoin',
      source: 'journal',
      reference: 'f00d',
      payoutId: payout.id,
      currency: 'BTC',
      parts: BigInt(payout.parts),
    } as const;
    const alike = { ...send, reference: 'cafe', payoutId: undefined, receiver: payout.receiver };
    await db.tx((tx) => noteUnrecorded(tx, [send, { ...send, reference: 'beef', payoutId: newId(), parts: 5_000n }, alike]));
    const { sends } = routes.operatorRestored.output.parse(await restoredView(db, OWNERS));
    assert.deepEqual(
      sends.map(({ reference, payouts, next }) => [reference, payouts, next]),
      [
        ['f00d', [{ id: payout.id, owner: `wallet ${withdrawal}`, status: 'queued' }], `book-sent ${sends[0]?.id}`],
        ['beef', [], `book-unknown ${sends[1]?.id}`],
        // A send with the same sum and account must be the waiting payout; no other decision is offered.
        ['cafe', sends[0]?.payouts, `book-sent ${sends[2]?.id} --payout ${payout.id}`],
      ],
    );

    const book = { id: sends[0]?.id ?? '', action: 'sent', evidence: 'explorer', reason: 'it is there' } as const;
    assert.equal((await bookRestoredBy(db, maria, book)).status, 'awaiting_second');
    await assert.rejects(bookRestoredBy(db, maria, book), fails('same_person'));
    await assert.rejects(bookRestoredBy(db, ivan, { ...book, evidence: 'another' }), fails('request_differs'));
    for (const action of ['unknown', 'explained'] as const)
      await assert.rejects(bookRestoredBy(db, ivan, { ...book, action }), fails('validation'), 'its payout waits here');
    const hot = accounts.custody('BTC', 'hot', 'BTC');
    const before = await desk.balance(hot);
    assert.equal((await bookRestoredBy(db, ivan, book)).status, 'done');
    const left = [await desk.balance(accounts.payout(payout.id, 'BTC')), before - (await desk.balance(hot))];
    assert.deepEqual(left, [0n, BigInt(payout.parts)], 'its money has left custody, as by a confirmation');
    await assert.rejects(bookRestoredBy(db, maria, book), fails('action_not_open'));
    const unknown = { id: sends[1]?.id ?? '', action: 'unknown', evidence: 'explorer', reason: 'nobody of ours' } as const;
    await assert.rejects(
      bookRestoredBy(db, maria, { ...unknown, amount: '1' }).then(() => bookRestoredBy(db, ivan, { ...unknown, amount: '1' })),
      fails('validation'),
    );
    // An impossible decision is refused before a second person is needed.
    const wrong: readonly Partial<Parameters<typeof bookRestoredBy>[2]>[] = [
      { amount: '1' },
      { action: 'sent', payouts: [payout.id] },
      { action: 'sent' },
    ];
    for (const said of wrong) await assert.rejects(bookRestoredBy(db, maria, { ...unknown, ...said }), fails('validation'));
    await bookRestoredBy(db, maria, unknown);
    assert.equal((await bookRestoredBy(db, ivan, unknown)).status, 'done');
    const explained = {
      id: sends[2]?.id ?? '',
      action: 'explained',
      evidence: 'explorer',
      reason: 'it is the same one',
    } as const;
    assert.equal((await restoredView(db, OWNERS)).sends[0]?.next, `book-unknown ${explained.id} | explain-send ${explained.id}`);
    for (const person of [maria, ivan]) await bookRestoredBy(db, person, explained);
    assert.deepEqual((await restoredView(db, OWNERS)).sends, []);

    const ended = { evidence: 'all is booked', reason: 'all is booked' };
    await endRestoredBy(db, maria, ended);
    await endRestoredBy(db, ivan, ended);
    await wallets.settle();
    const { data } = await wallets.handlers.walletWithdrawRequests({ page: 1, per_page: 20 }, as(ann));
    assert.deepEqual([data[0]?.status, desk.world.executions(payout.id)], ['done', 0]);
    const next = await untilOpen(() => wallets.withdraw(ann, '0.001'));
    await wallets.settle();
    const paid = await db.rows<{ id: string }>('select id from payout where owner_id = $1', [next.id]);
    assert.equal(desk.world.executions(paid[0]?.id ?? ''), 1, 'it pays again');
    await wallets.isRight();
  });
});
