// Tests rows about sends written without our keys: none of them concludes an attempt, hides a send or matches a send to a payout.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import type { Problem } from '@kurs/contract';
import { newId } from '../../platform/index.ts';
import type { Rail } from '../../rails/rail.ts';
import { fundDesk } from '../balances/capital.ts';
import { compareSends } from '../comparing/compare-sends.ts';
import { maySend } from '../rails/settings.ts';
import { walletState } from '../rails/wallet.ts';
import { type Desk, openDesk } from '../scenarios/world.testing.ts';
import { applyAnswers } from '../sending/apply-answers.ts';
import { bookAsSent, explainSend } from '../sending/book-unrecorded.ts';
import { noteUnrecorded, unrecordedSendById, unrecordedSends } from './unrecorded-sends.ts';

const PARTS = 100_000n;
const two = { by: ['olga', 'oleg'], statement: 'the explorer' };
let desk: Desk;
let names = 0;

before(async () => {
  desk = await openDesk();
  await desk.db.tx((tx) => fundDesk(tx, [{ id: newId(), currency: 'BTC', place: 'hot', parts: 10_000_000_000n }]));
});
afterEach(async () => {
  desk.world.calm();
  for (const { id } of await unrecordedSends(desk.db, { state: 'open' }))
    await desk.db.tx((tx) => explainSend(tx, id, two)).catch(() => {});
});
after(() => desk.close());

const newName = (): string => `foreign ${(names += 1)}`;

/** A decision that nobody has made. */
const decideBySql = (reference: string): Promise<unknown> =>
  desk.db.run(
    `insert into unrecorded_send (id, rail, source, reference, found_at, state, decided_at, mac)
     values ($1, 'bitcoin', 'chain', $2, clock_now(), 'booked', clock_now(), $3)`,
    [newId(), reference, newId()],
  );

/** An attempt that nobody has signed. */
const attemptBySql = (reference: string): Promise<unknown> =>
  desk.db.run(
    `insert into payment_attempt (id, rail, purpose, reference, items, raw, spends, fee_currency, fee, fee_known, status, stored_at, mac)
     values ($1, 'bitcoin', 'payout', $2, '{}', 'x', '{}', 'BTC', 0, 'sent', 'final', clock_now(), $3)`,
    [newId(), reference, newId()],
  );

const WRITTEN: readonly (readonly [string, (reference: string) => Promise<unknown>])[] = [
  ['a decision', decideBySql],
  ['a decision about one payment among several', (reference) => decideBySql(`${reference}:0`)],
  ['an attempt', attemptBySql],
];

for (const [what, write] of WRITTEN) {
  test(`${what} written by SQL concludes no attempt: its payout does not fail, and is not paid anew`, async () => {
    desk.world.inject('send', { kind: 'drop' }, 50);
    const payout = await desk.request(PARTS);
    await desk.turn();
    const [attempt] = await desk.db.rows<{ id: string }>('select id from payment_attempt where $1 = any (items)', [payout]);
    const by = newName();
    await write(by);
    const gone = { of: 'find', said: { outcome: 'absent', isConclusive: true }, by } as const;
    await applyAnswers(desk.deps, desk.rail, new Map([[attempt?.id ?? '', gone]]));
    assert.ok(['sending', 'in_doubt'].includes(await desk.status(payout)), await desk.status(payout));
    assert.equal(await maySend(desk.db, 'bitcoin'), false, 'people decide');
    const [open] = (await unrecordedSends(desk.db, { state: 'open' })).filter(({ reference }) => reference === by);
    assert.ok(open);
    // The forged attempt has the transaction's name until somebody removes it: `ledger:verify` reports it.
    if (write === attemptBySql) await desk.db.run('delete from payment_attempt where reference = $1', [by]);
    await desk.db.tx((tx) => bookAsSent(tx, open.id, { payouts: [payout] }, two));
    assert.equal(await desk.status(payout), 'final');
  });

  test(`${what} written by SQL hides no send of our account from the comparison`, async () => {
    const reference = newName();
    await write(reference);
    const send = { reference, pays: [{ currency: 'BTC', parts: PARTS, to: 'bc1x' }] };
    const rail = showing([send]);
    assert.equal(await compareSends(desk.deps, rail), true);
    assert.equal(await maySend(desk.db, 'bitcoin'), false);
    const [open] = (await unrecordedSends(desk.db, { state: 'open' })).filter((one) => one.reference === reference);
    assert.deepEqual([open?.currency, open?.parts, open?.receiver], ['BTC', PARTS, 'bc1x'], 'as the chain shows it');
    await desk.db.tx((tx) => explainSend(tx, open?.id ?? '', two));
    assert.equal(await compareSends(desk.deps, rail), true);
    assert.deepEqual(
      (await unrecordedSends(desk.db, { state: 'open' })).filter((one) => one.reference === reference),
      [],
      'two have decided',
    );
  });
}

/** The desk's rail, with a chain that shows these sends as our own. */
function showing(sends: readonly { reference: string; pays: { currency: string; parts: bigint; to: string }[] }[]): Rail {
  const { payout } = desk.rail;
  assert.ok(payout);
  return { ...desk.rail, payout: { ...payout, ownSends: async () => ({ sends }) } };
}

test('several sends with the same sum and account are matched to different payouts, whatever was written by SQL', async () => {
  const to = desk.receiver();
  const payouts = [await desk.request(PARTS, to), await desk.request(PARTS, to)];
  const [forged] = await desk.db.tx((tx) => noteUnrecorded(tx, [{ rail: 'bitcoin', source: 'chain', reference: newName() }]));
  await desk.db.run('update unrecorded_send set payout_id = $2 where id = $1', [forged?.id, payouts[0]]);
  const pays = [{ currency: 'BTC', parts: PARTS, to: to['address'] ?? '' }];
  const references = [newName(), newName()];
  await compareSends(desk.deps, showing(references.map((reference) => ({ reference, pays }))));
  const open = await unrecordedSends(desk.db, { state: 'open' });
  assert.deepEqual(
    references.map((name) => open.find(({ reference }) => reference === name)?.payoutId),
    payouts,
  );
  for (const { id, reference } of open) if (references.includes(reference)) await desk.db.tx((tx) => bookAsSent(tx, id, {}, two));
  assert.deepEqual([await desk.status(payouts[0] ?? ''), await desk.status(payouts[1] ?? '')], ['final', 'final']);
});

test('nonces written by SQL don’t count as used, so later ones are compared', async () => {
  const [noted] = await desk.db.tx((tx) =>
    noteUnrecorded(tx, [{ rail: 'bitcoin', source: 'chain', reference: 'hot:4', spend: 'hot:4', nonces: { first: 4, last: 4 } }]),
  );
  assert.equal((await walletState(desk.db, 'bitcoin')).nextNonce, 5);
  await desk.db.run('update unrecorded_send set last_nonce = 4000 where id = $1', [noted?.id]);
  assert.equal((await walletState(desk.db, 'bitcoin')).nextNonce, undefined);
});

test('an altered open send is not believed, and it is overwritten when it is found again', async () => {
  const [sent, other] = [await desk.request(PARTS), await desk.request(PARTS)];
  const send = {
    rail: 'bitcoin',
    source: 'chain',
    reference: newName(),
    currency: 'BTC',
    parts: PARTS,
    receiver: 'bc1x',
    payoutId: sent,
  } as const;
  const [noted] = await desk.db.tx((tx) => noteUnrecorded(tx, [send]));
  const id = noted?.id ?? '';
  const CHANGES = [
    `payout_id = '${other}'`,
    'parts = 1',
    `currency = 'ETH'`,
    `receiver = 'bc1y'`,
    `spend = 'hot:1'`,
    `source = 'provider'`,
  ];
  for (const change of CHANGES) {
    await desk.db.run(`update unrecorded_send set ${change} where id = $1`, [id]);
    const seen = await unrecordedSendById(desk.db, id);
    assert.deepEqual(
      [seen?.state, seen?.payoutId, seen?.parts, seen?.receiver, seen?.spend],
      ['open', undefined, undefined, undefined, undefined],
      change,
    );
    await assert.rejects(
      desk.db.tx((tx) => bookAsSent(tx, id, {}, two)),
      (error: Problem) => error.code === 'validation',
      'nobody said which payout it was',
    );
    const [anew] = await desk.db.tx((tx) => noteUnrecorded(tx, [send]));
    assert.deepEqual([anew?.id, anew?.payoutId, anew?.parts, anew?.receiver], [id, sent, PARTS, 'bc1x'], change);
  }
  await desk.db.run(`update unrecorded_send set payout_id = $2 where id = $1`, [id, other]);
  await desk.db.tx((tx) => bookAsSent(tx, id, { payouts: [sent] }, two));
  assert.deepEqual([await desk.status(sent), await desk.status(other)], ['final', 'queued']);
});

test('no send that the books don’t know is ever deleted', async () => {
  await desk.db.tx((tx) => noteUnrecorded(tx, [{ rail: 'bitcoin', source: 'chain', reference: newName() }]));
  await assert.rejects(desk.db.run('delete from unrecorded_send'), /never deleted/);
});
