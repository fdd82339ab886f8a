import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import type { Problem } from '@kurs/contract';
import { accounts } from '../../ledger/index.ts';
import { type Tx, newId } from '../../platform/index.ts';
import { fundDesk } from '../balances/capital.ts';
import { canStop, stopPayout } from '../payouts/request-payout.ts';
import { endRestored, enterRestored } from '../restored/restored-mode.ts';
import { type Desk, events, openDesk, resume } from '../scenarios/world.testing.ts';
import {
  type FoundSend,
  noteUnrecorded,
  settleUnrecordedSend,
  unrecordedSendById,
  unrecordedSends,
} from '../unrecorded/unrecorded-sends.ts';
import { applyAnswers } from './apply-answers.ts';
import { bookAsSent, bookAsUnknown, explainSend, maybeSent } from './book-unrecorded.ts';

const PARTS = 100_000n;
const two = { by: ['olga', 'oleg'], statement: 'the explorer and the old machine’s journal' };
const fails = (code: string) => (error: Problem) => error.code === code;
let desk: Desk;
let references = 0;

before(async () => {
  desk = await openDesk();
  await desk.db.tx((tx) => fundDesk(tx, { id: newId(), currency: 'BTC', place: 'hot', parts: 10_000_000_000n }));
});
afterEach(async () => {
  desk.world.calm();
  await desk.db.tx((tx) => endRestored(tx, two.by));
  for (const { id } of await unrecordedSends(desk.db, { state: 'open' }))
    await act((tx) => settleUnrecordedSend(tx, id, 'explained', two));
});
after(() => desk.close());

const act = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => desk.db.tx(work);
/** A send by another copy of these books. */
async function found(send: Partial<FoundSend> = {}): Promise<string> {
  const reference = `original ${(references += 1)}`;
  const [noted] = await act((tx) => noteUnrecorded(tx, [{ rail: 'bitcoin', source: 'chain', reference, ...send }]));
  return noted?.id ?? assert.fail('it was noted before');
}
const hot = (): Promise<bigint> => desk.balance(accounts.custody('BTC', 'hot', 'BTC'));
const isBooked = async (id: string): Promise<boolean> => (await unrecordedSendById(desk.db, id))?.state === 'booked';

test('a queued payout that another copy has sent is booked as sent, and never leaves again', async () => {
  const payout = await desk.request(PARTS);
  const id = await found({ payoutId: payout, currency: 'BTC', parts: PARTS });
  assert.deepEqual(
    (await maybeSent(desk.db, (await unrecordedSendById(desk.db, id))!)).map((one) => one.id),
    [payout],
  );
  await assert.rejects(
    act((tx) => bookAsSent(tx, id, {}, { ...two, by: ['olga'] })),
    fails('second_person_required'),
  );
  await assert.rejects(
    act((tx) => explainSend(tx, id, two)),
    fails('validation'),
    'it would be sent once more',
  );
  await act((tx) => bookAsSent(tx, id, {}, two));
  await assert.rejects(
    act((tx) => bookAsSent(tx, id, {}, two)),
    fails('action_not_open'),
  );
  assert.equal(await desk.status(payout), 'final');
  const published = await desk.payouts(payout);
  assert.deepEqual(events(published), ['send', 'accepted', 'final']);
  assert.match(published.at(-1)?.txid ?? '', /^original/);
  await resume(desk);
  assert.equal(desk.world.executions(payout), 0);
});

test('one transaction of several payouts is booked for all of them, and only if their sums add up', async () => {
  const payouts = [await desk.request(PARTS), await desk.request(2n * PARTS)];
  const id = await found({ currency: 'BTC', parts: 3n * PARTS });
  await assert.rejects(
    act((tx) => bookAsSent(tx, id, {}, two)),
    fails('validation'),
    'nobody said which',
  );
  await assert.rejects(
    act((tx) => bookAsSent(tx, id, { payouts: payouts.slice(1) }, two)),
    fails('validation'),
  );
  await assert.rejects(
    act((tx) => bookAsSent(tx, id, { payouts: [...payouts, newId()] }, two)),
    fails('validation'),
  );
  await act((tx) => bookAsSent(tx, id, { payouts }, two));
  for (const payout of payouts) assert.equal(await desk.status(payout), 'final');
  await resume(desk);
  for (const payout of payouts) assert.equal(desk.world.executions(payout), 0);
});

test('a payout in doubt here is booked by the other copy’s send; its own bytes never go out again', async () => {
  desk.world.inject('send', { kind: 'drop' }, 50);
  const payout = await desk.request(PARTS);
  await desk.turn();
  assert.ok(['sending', 'in_doubt'].includes(await desk.status(payout)));
  const id = await found({ payoutId: payout });
  await act((tx) => bookAsSent(tx, id, {}, two));
  desk.world.calm();
  await resume(desk);
  assert.deepEqual([await desk.status(payout), desk.world.executions(payout)], ['final', 0]);
  const reported = events(await desk.payouts(payout));
  assert.equal(reported.at(-1), 'final');
  assert.equal(reported.filter((event) => event === 'accepted' || event === 'found').length, 1);
});

test('people name the transaction if only a used nonce is known', async () => {
  const payout = await desk.request(PARTS);
  const id = await found({
    source: 'chain',
    reference: 'hot:7',
    spend: 'hot:7',
    nonces: { first: 7, last: 7 },
    payoutId: payout,
  });
  await assert.rejects(
    act((tx) => bookAsSent(tx, id, {}, two)),
    fails('validation'),
  );
  await act((tx) => bookAsSent(tx, id, { txid: 'a transaction' }, two));
  assert.equal((await desk.payouts(payout)).at(-1)?.txid, 'a transaction');
});

test('each payment of one transaction is booked under it, and under no transaction that the books know', async () => {
  const payouts = [await desk.request(PARTS), await desk.request(PARTS)];
  for (const [at, payout] of payouts.entries()) {
    const id = await found({ source: 'chain', reference: `feed:${at}`, payoutId: payout });
    await act((tx) => bookAsSent(tx, id, {}, two));
    assert.equal((await desk.payouts(payout)).at(-1)?.txid, 'feed');
  }
  const payout = await desk.request(PARTS);
  const id = await found({ payoutId: payout });
  await assert.rejects(
    act((tx) => bookAsSent(tx, id, { txid: 'feed:0' }, two)),
    fails('validation'),
  );
});

test('findings of the journal and the chain about one transaction are decided once', async () => {
  const nonce = (number: number): Partial<FoundSend> => {
    const spend = `hot:${number}`;
    return { source: 'chain', reference: spend, spend, nonces: { first: number, last: number } };
  };
  const payouts = [await desk.request(PARTS), await desk.request(PARTS)];
  const known = await found({ reference: 'by nonce 9', spend: 'hot:9', payoutId: payouts[0] });
  const later = await found({ reference: 'by nonce 10', spend: 'hot:10' });
  const [bare, other] = [await found(nonce(9)), await found(nonce(10))];
  await act((tx) => bookAsSent(tx, known, {}, two));
  assert.equal((await unrecordedSendById(desk.db, bare))?.state, 'explained');
  assert.equal((await unrecordedSendById(desk.db, other))?.state, 'open', 'another nonce is another transaction');
  await act((tx) => bookAsSent(tx, other, { payouts: payouts.slice(1), txid: 'by nonce 10' }, two));
  assert.equal((await unrecordedSendById(desk.db, later))?.state, 'explained');
});

test('a payout that has ended here is not booked as sent', async () => {
  const payout = await desk.request(PARTS);
  await act((tx) => stopPayout(tx, payout));
  const id = await found({ payoutId: payout });
  await assert.rejects(
    act((tx) => bookAsSent(tx, id, {}, two)),
    fails('action_not_open'),
  );
});

test('money that left for an unknown owner is unexplained, until people say whose it was', async () => {
  const [before, suspense] = [await hot(), accounts.suspense('BTC')];
  const unexplained = await desk.balance(suspense);
  const id = await found({ payoutId: newId(), currency: 'BTC', parts: PARTS });
  await assert.rejects(
    act((tx) => bookAsSent(tx, id, {}, two)),
    fails('validation'),
    'its order was placed after the backup',
  );
  const left = { action: newId(), currency: 'BTC', parts: PARTS };
  await assert.rejects(
    act((tx) => bookAsUnknown(tx, id, { ...left, parts: 1n }, two)),
    fails('validation'),
  );
  await act((tx) => bookAsUnknown(tx, id, left, two));
  assert.equal(await isBooked(id), true);
  assert.deepEqual([await hot(), await desk.balance(suspense)], [before - PARTS, unexplained - PARTS]);
  const known = await found({ payoutId: await desk.request(PARTS) });
  await assert.rejects(
    act((tx) => bookAsUnknown(tx, known, { ...left, action: newId() }, two)),
    fails('validation'),
    'these books know it',
  );
});

test('a send with a waiting payout’s receiver and sum can only be booked as that payout', async () => {
  const to = desk.receiver();
  const payout = await desk.request(PARTS, to);
  const id = await found({ source: 'chain', currency: 'BTC', parts: PARTS, receiver: Object.values(to)[0] });
  await assert.rejects(
    act((tx) => explainSend(tx, id, two)),
    fails('validation'),
  );
  await assert.rejects(
    act((tx) => bookAsUnknown(tx, id, { action: newId(), currency: 'BTC', parts: PARTS }, two)),
    fails('validation'),
  );
  await act((tx) => bookAsSent(tx, id, { payouts: [payout] }, two));
  assert.equal(await desk.status(payout), 'final');
});

test('each refusal says in words what is wrong with the send, and what to do', async () => {
  const to = desk.receiver();
  const [payout, other] = [await desk.request(777_000n, to), await desk.request(PARTS)];
  const id = await found({ currency: 'BTC', parts: 777_000n, receiver: Object.values(to)[0] });
  const left = { action: newId(), currency: 'BTC', parts: 777_000n };
  const codeOf = (work: (tx: Tx) => Promise<void>): Promise<unknown> =>
    act(work).then(
      () => assert.fail('it was booked'),
      (error: Problem) =>
        Object.values(error.details.errors ?? {})
          .flatMap((one) => (Array.isArray(one) ? one : [one]))
          .map(({ code }) => code),
    );
  assert.deepEqual(await codeOf((tx) => explainSend(tx, id, two)), ['payout_waits']);
  assert.deepEqual(await codeOf((tx) => bookAsUnknown(tx, id, left, two)), ['payout_waits']);
  assert.deepEqual(await codeOf((tx) => bookAsSent(tx, id, {}, two)), ['payouts_unfit']);
  assert.deepEqual(await codeOf((tx) => bookAsSent(tx, id, { payouts: [other] }, two)), ['payouts_unfit']);
  await act((tx) => bookAsSent(tx, id, { payouts: [payout] }, two));
  const [known, strange] = [await found({ payoutId: payout }), await found({ currency: 'BTC', parts: 5n })];
  assert.deepEqual(await codeOf((tx) => bookAsUnknown(tx, known, left, two)), ['payout_here']);
  assert.deepEqual(await codeOf((tx) => bookAsUnknown(tx, strange, left, two)), ['left_otherwise']);
  const again = await found({ payoutId: other });
  const { reference = '' } = (await unrecordedSendById(desk.db, id)) ?? {};
  assert.deepEqual(await codeOf((tx) => bookAsSent(tx, again, { txid: reference }, two)), ['send_booked']);
});

test('a voucher, which names no receiver, is booked to nobody else while a payout of its sum waits', async () => {
  const payout = await desk.request(123_456n);
  const id = await found({ source: 'provider', currency: 'BTC', parts: 123_456n });
  await assert.rejects(
    act((tx) => explainSend(tx, id, two)),
    fails('validation'),
  );
  await act((tx) => bookAsSent(tx, id, { payouts: [payout] }, two));
  assert.equal(await desk.status(payout), 'final');
  const other = await found({ source: 'provider', currency: 'BTC', parts: 123_456n });
  await act((tx) => explainSend(tx, other, two));
});

test('a payout that may have left is not stopped before people have decided', async () => {
  const payout = await desk.request(PARTS);
  await found({ payoutId: payout });
  assert.deepEqual([await canStop(desk.db, payout), await act((tx) => stopPayout(tx, payout))], [false, false]);
  const other = await desk.request(PARTS);
  assert.equal(await canStop(desk.db, other), true);
  await act((tx) => enterRestored(tx, [{ found: 'keys', detail: 'The keys were brought back.' }]));
  assert.deepEqual([await canStop(desk.db, other), await act((tx) => stopPayout(tx, other))], [false, false]);
  await desk.pass(1_000);
  const fresh = await desk.request(PARTS);
  assert.equal(await act((tx) => stopPayout(tx, fresh)), true, 'no other copy knows later requests');
});

test('no look-up proves that a payout was not sent while another copy may have sent it in another way', async () => {
  const payout = await desk.request(PARTS);
  desk.world.inject('send', { kind: 'drop' }, 50);
  await desk.turn();
  const [attempt] = await desk.db.rows<{ id: string }>('select id from payment_attempt where $1 = any (items)', [payout]);
  const gone = new Map([[attempt?.id ?? '', { of: 'find', said: { outcome: 'absent', isConclusive: true } } as const]]);
  const id = await found({ currency: 'BTC' });
  await applyAnswers(desk.deps, desk.rail, gone);
  assert.notEqual(await desk.status(payout), 'failed');
  await act((tx) => explainSend(tx, id, two));
  await act((tx) => enterRestored(tx, [{ found: 'keys', detail: 'The keys were brought back.' }]));
  await applyAnswers(desk.deps, desk.rail, gone);
  assert.notEqual(await desk.status(payout), 'failed');
  await act((tx) => endRestored(tx, two.by));
  await applyAnswers(desk.deps, desk.rail, gone);
  assert.equal(await desk.status(payout), 'failed', 'people have looked');
});
