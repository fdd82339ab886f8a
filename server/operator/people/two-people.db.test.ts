import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Problem, routes } from '@kurs/contract';
import { type Db, advanceClock } from '../../platform/index.ts';
import { testDb } from '../../platform/testing.ts';
import { setPayouts } from '../actions/switches.ts';
import { authenticate, addOperator } from './people.ts';
import { ORDER_ACTIONS, type Person, type Role } from './roles.ts';
import { auditPage, openRequests, requestsNotRequested } from './store.ts';
import { type Wanted, actAs } from './two-people.ts';

let db: Db;
let drop: () => Promise<void>;
const people: Record<string, Person> = {};

before(async () => {
  ({ db, drop } = await testDb());
  for (const [name, role] of [
    ['ann', 'operator'],
    ['bob', 'operator'],
    ['kim', 'compliance'],
  ] as [string, Role][]) {
    const { key } = await db.tx((tx) => addOperator(tx, name, role));
    people[name] = (await authenticate(db, key)) as Person;
  }
});
after(() => drop());

const wanted = (over: Partial<Wanted> = {}): Wanted => ({
  action: 'desk_withdraw',
  subject: 'BTC',
  reason: 'rebalancing',
  permission: 'money.move',
  people: 2,
  body: { amount: '1' },
  ...over,
});

const isProblem = (code: string) => (error: unknown) => error instanceof Problem && error.code === code;

/** Carries out an action as a person. Returns its result, and whether the work was done. */
async function act(name: string, what: Wanted): Promise<{ status: string; by: readonly string[] | undefined }> {
  let by: readonly string[] | undefined;
  const { status } = await db.tx((tx) =>
    actAs(tx, people[name] as Person, what, async (names) => {
      by = names;
    }),
  );
  return { status, by };
}

test('an unknown key authenticates nobody', async () => {
  assert.equal(await authenticate(db, 'kurs_op_nobody'), undefined);
});

test('an action of one person is done at once', async () => {
  assert.deepEqual(await act('ann', wanted({ action: 'stop', people: 1 })), { status: 'done', by: ['ann'] });
});

test('an action of the other role is refused and leaves no trace', async () => {
  const before = (await auditPage(db, { page: 1, per_page: 1 })).total;
  await assert.rejects(act('kim', wanted()), isProblem('forbidden'));
  assert.equal((await auditPage(db, { page: 1, per_page: 1 })).total, before);
});

test('an action of two people waits for the second, who must want exactly the same', async () => {
  const what = wanted({ subject: 'USDT' });
  assert.deepEqual(await act('ann', what), { status: 'awaiting_second', by: undefined });
  await assert.rejects(act('ann', what), isProblem('same_person'));
  await assert.rejects(act('bob', { ...what, body: { amount: '100' } }), isProblem('request_differs'));
  assert.equal((await openRequests(db, 'USDT')).length, 1);
  assert.deepEqual(await act('bob', what), { status: 'done', by: ['ann', 'bob'] });
  assert.equal((await openRequests(db, 'USDT')).length, 0);
});

test('an action that can’t be done at present is not requested', async () => {
  const check = () => {
    throw new Problem('not_enough_there');
  };
  await assert.rejects(act('ann', wanted({ subject: 'ETH', check })), isProblem('not_enough_there'));
  assert.equal((await openRequests(db, 'ETH')).length, 0);
});

test('a corrected request of the same person replaces the old one', async () => {
  const wrong = wanted({ subject: 'TRX', body: { to: 'wrong' } });
  const right = { ...wrong, body: { to: 'right' } };
  await act('ann', wrong);
  assert.equal((await act('ann', right)).status, 'awaiting_second');
  await assert.rejects(act('bob', wrong), isProblem('request_differs'));
  assert.equal((await act('bob', right)).status, 'done');
});

test('a request is void once its subject’s state changes, and after a day', async () => {
  const first = wanted({ action: 'approve', subject: 'KX-1', about: 'approving 1' });
  await act('ann', first);
  const again = { ...first, about: 'approving 2' };
  assert.equal((await act('bob', again)).status, 'awaiting_second', 'nobody has approved it as it stands now');
  assert.deepEqual(await act('ann', again), { status: 'done', by: ['bob', 'ann'] });
  const old = wanted({ subject: 'DOGE' });
  await act('ann', old);
  await advanceClock(db, 24 * 3_600_000);
  assert.equal((await act('bob', old)).status, 'awaiting_second');
});

test('a repeated call with the same key acts once and returns the same result', async () => {
  const once = wanted({ action: 'desk_fund', people: 1, key: 'key-1' });
  assert.deepEqual(await act('ann', once), { status: 'done', by: ['ann'] });
  assert.deepEqual(await act('ann', once), { status: 'done', by: undefined });
  assert.deepEqual(await act('bob', once), { status: 'done', by: ['bob'] }, 'keys of others are others');
  const request = wanted({ subject: 'XMR', key: 'key-2' });
  await act('ann', request);
  assert.equal((await act('ann', request)).status, 'awaiting_second');
  assert.equal((await act('bob', { ...request, key: 'key-3' })).status, 'done');
  assert.equal((await act('bob', { ...request, key: 'key-3' })).status, 'done');
  assert.equal((await openRequests(db, 'XMR')).length, 0);
});

test('a failed action leaves the request open and nothing in the audit', async () => {
  const what = wanted({ subject: 'ETH' });
  await act('ann', what);
  const before = (await auditPage(db, { page: 1, per_page: 1 })).total;
  const fails = db.tx((tx) => actAs(tx, people['bob'] as Person, what, () => Promise.reject(new Problem('action_not_open'))));
  await assert.rejects(fails, isProblem('action_not_open'));
  assert.equal((await openRequests(db, 'ETH')).length, 1);
  assert.equal((await auditPage(db, { page: 1, per_page: 1 })).total, before);
});

test('ten at once confirm a request once', async () => {
  const what = wanted({ subject: 'LTC' });
  await act('ann', what);
  const outcomes = await Promise.all(
    Array.from({ length: 10 }, () =>
      act('bob', what).then(
        ({ status }) => status,
        () => 'refused',
      ),
    ),
  );
  assert.equal(outcomes.filter((status) => status === 'done').length, 1);
});

test('the audit can’t be changed', async () => {
  await assert.rejects(db.run("update audit set reason = 'another'"));
  await assert.rejects(db.run('delete from audit'));
});

test('every action that the contract names has a role and a number of people', async () => {
  const actions = routes.operatorOrderAction.input.shape.action.options;
  assert.deepEqual(Object.keys(ORDER_ACTIONS).sort(), [...actions].sort());
});

test('a request to start payouts is void after a later stop', async () => {
  const put = async (name: string, on: boolean): Promise<string> =>
    (await setPayouts(db, people[name] as Person, { on, reason: on ? 'it is mended' : 'something is wrong' })).status;
  assert.equal(await put('ann', true), 'awaiting_second');
  assert.equal(await put('ann', false), 'done');
  assert.equal(await put('bob', true), 'awaiting_second', 'what was wrong came after ann’s word');
  assert.equal(await put('ann', true), 'done');
});

test('a request that its author did not make is void, so that one person can’t act as two', async () => {
  const what = wanted({ subject: 'BNB' });
  const { id: ann } = people['ann'] as Person;
  const { id: bob } = people['bob'] as Person;
  await db.run(
    `insert into operator_request (id, action, subject, body, requested_by, reason, requested_at)
     values (gen_random_uuid(), $1, $2, $3, $4, 'forged', clock_now())`,
    [what.action, what.subject, JSON.stringify({ wanted: what.body }), ann],
  );
  assert.equal((await requestsNotRequested(db)).length, 1);
  assert.equal((await act('bob', what)).status, 'awaiting_second', 'it is bob’s own request now');
  await db.run('update operator_request set requested_by = $1 where subject = $2 and confirmed_at is null', [ann, what.subject]);
  assert.equal((await act('bob', what)).status, 'awaiting_second', 'and stays his, whatever its row says');
  await db.run(`update operator_request set body = '{"wanted": {"amount": "9"}}' where subject = $1 and requested_by = $2`, [
    ...[what.subject, bob],
  ]);
  assert.equal((await act('ann', { ...what, body: { amount: '9' } })).status, 'awaiting_second', 'nobody asked for so much');
  assert.deepEqual(await requestsNotRequested(db), []);
});
