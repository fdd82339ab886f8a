// The desk's decisions about businesses: people, evidence, the owner's level, states, limits, and letters to the owner.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Input, Routes } from '@kurs/contract';
import { newHolder } from '../../auth/testing.ts';
import { type Level, setLevel } from '../../compliance/index.ts';
import { queuedLetters } from '../../deliveries/testing.ts';
import { type BusinessAction, type BusinessState, DECISIONS } from '../../gate/index.ts';
import { SENDER, applyFor, approvedFor } from '../../gate/testing.ts';
import { saidBy } from '../../ledger/testing.ts';
import { type Db, newId } from '../../platform/index.ts';
import { refusal, testDb } from '../../platform/testing.ts';
import { checksOf } from '../checks.ts';
import { OWNERS } from '../owners.testing.ts';
import { addPerson } from '../people/person.testing.ts';
import type { Person } from '../people/roles.ts';
import { businessForDesk, businessesView, decideBusiness, limitBusiness } from './businesses.ts';

let db: Db;
let owner: Db;
let drop: () => Promise<void>;
const people: Record<string, Person> = {};
before(async () => {
  ({ db, owner, drop } = await testDb());
  for (const name of ['kim', 'lee']) people[name] = await addPerson(db, name, 'compliance');
  people['olga'] = await addPerson(db, 'olga', 'operator');
});
after(() => drop());

type Decision = Partial<Input<Routes['operatorBusinessDecide']>>;
const evidence = 'an extract of the register';

/** Decides about a business in a person's name. */
const act = (name: string, id: string, action: BusinessAction, more: Decision = {}, key?: string) =>
  decideBusiness({ db, sender: SENDER }, people[name] as Person, { id, action, reason: 'for a test', ...more }, key);

/** Returns the code of the refusal of a decision, or the decision's status. */
async function outcome(...given: Parameters<typeof act>): Promise<string> {
  let status = '';
  const refused = await refusal(async () => {
    ({ status } = await act(...given));
  });
  return refused === 'done' ? status : refused;
}

/** Returns a new account holder of a level. */
async function holderOf(level: Level): Promise<string> {
  const holder = await newHolder(db);
  await db.tx((tx) => setLevel(tx, holder, level, 'olga'));
  return holder;
}
const stateOf = async (id: string): Promise<BusinessState> => (await businessForDesk(db, id)).state;
const lettersTo = async (holder: string): Promise<string[]> =>
  (await queuedLetters(db, { to: `${holder}@example.org` })).map(({ subject }) => subject);

describe('approval', () => {
  test('takes two people, evidence and an owner of level 2, and the owner reads the note', async () => {
    const holder = await holderOf(2);
    const { id } = await applyFor(db, holder);
    assert.equal(await outcome('kim', id, 'approve'), 'required');
    assert.equal(await outcome('olga', id, 'approve', { evidence }), 'forbidden');
    assert.equal(await outcome('kim', id, 'approve', { evidence, note: 'Welcome' }), 'awaiting_second');
    assert.equal(await stateOf(id), 'applied');
    assert.equal(await outcome('kim', id, 'approve', { evidence, note: 'Welcome' }), 'same_person');
    assert.equal(await outcome('lee', id, 'approve', { evidence, note: 'Hello' }), 'request_differs');
    assert.equal(await outcome('lee', id, 'approve', { evidence, note: 'Welcome' }), 'done');
    const { state, note, history } = await businessForDesk(db, id);
    assert.deepEqual([state, note], ['approved', 'Welcome']);
    assert.deepEqual(
      history.map((row) => [row.state, row.by, row.reason]),
      [
        ['applied', `${holder}@example.org`, ''],
        ['approved', 'kim, lee', 'for a test'],
      ],
    );
    const [, letter] = await queuedLetters(db, { to: `${holder}@example.org` });
    assert.match(letter?.text ?? '', /is approved at Kurs[^]*From our staff:\n\nWelcome/);
  });

  test('is refused to both people while the owner’s level is too low', async () => {
    const holder = await holderOf(1);
    const { id } = await applyFor(db, holder);
    assert.equal(await outcome('kim', id, 'approve', { evidence }), 'owner_level_low');
    await db.tx((tx) => setLevel(tx, holder, 2, 'olga'));
    assert.equal(await outcome('kim', id, 'approve', { evidence }), 'awaiting_second');
    await db.tx((tx) => setLevel(tx, holder, 1, 'olga'));
    assert.equal(await outcome('lee', id, 'approve', { evidence }), 'owner_level_low');
    assert.equal(await stateOf(id), 'applied');
  });
});

describe('states', () => {
  const STATES: readonly BusinessState[] = ['applied', 'approved', 'refused', 'suspended', 'closed'];
  /** Actions that are open in each state. */
  const OPEN_ACTIONS: Readonly<Record<BusinessState, readonly string[]>> = {
    applied: ['approve', 'refuse'],
    approved: ['suspend', 'close'],
    refused: [],
    suspended: ['resume', 'close'],
    closed: [],
  };
  const WAY: Readonly<Record<BusinessState, readonly BusinessAction[]>> = {
    ...{ applied: [], approved: [], refused: ['refuse'], suspended: ['suspend'], closed: ['close'] },
  };

  /** Adds a business in the given state, and returns its id. */
  async function businessIn(state: BusinessState): Promise<string> {
    const holder = await holderOf(2);
    const { id } = state === 'applied' || state === 'refused' ? await applyFor(db, holder) : await approvedFor(db, holder);
    for (const action of WAY[state]) await act('kim', id, action);
    return id;
  }

  for (const state of STATES) {
    test(`of ${state}, only these actions are open: ${OPEN_ACTIONS[state].join(', ') || 'none'}`, async () => {
      for (const action of Object.keys(DECISIONS) as BusinessAction[]) {
        const id = await businessIn(state);
        const { people: needed, to } = DECISIONS[action];
        const isOpen = OPEN_ACTIONS[state].includes(action);
        const expected = isOpen ? (needed === 2 ? 'awaiting_second' : 'done') : 'action_not_open';
        assert.equal(await outcome('kim', id, action, { evidence }), expected, `${action} of ${state}`);
        assert.equal(await stateOf(id), expected === 'done' ? to : state, `${action} of ${state}`);
      }
    });
  }

  test('lead to a letter each, once, even if the call is repeated', async () => {
    const holder = await holderOf(2);
    const { id } = await approvedFor(db, holder);
    const key = newId();
    assert.equal(await outcome('kim', id, 'suspend', {}, key), 'done');
    assert.equal(await outcome('kim', id, 'suspend', {}, key), 'done');
    await act('kim', id, 'close', { note: 'As you wished' });
    assert.deepEqual((await lettersTo(holder)).slice(2), ['Example Shop Ltd is suspended', 'Example Shop Ltd is closed']);
    const refused = await applyFor(db, holder);
    await act('kim', refused.id, 'refuse', { note: 'No papers came' });
    assert.equal((await lettersTo(holder)).at(-1), 'Example Shop Ltd is not approved');
  });

  test('an unknown business is not found', async () => {
    assert.equal(await outcome('kim', newId(), 'suspend'), 'not_found');
    assert.equal(await refusal(() => businessForDesk(db, newId())), 'not_found');
  });
});

describe('the limit of a day', () => {
  const limit = async (name: string, id: string, day?: string): Promise<string> => {
    let status = '';
    const input = { id, reason: 'for a test', ...(day !== undefined && { day_usd: day }) };
    const refused = await refusal(async () => {
      ({ status } = await limitBusiness(db, people[name] as Person, input));
    });
    return refused === 'done' ? status : refused;
  };
  const shown = async (id: string): Promise<[string, boolean]> => {
    const { day_usd: sum, day_usd_own: isOwn } = await businessForDesk(db, id);
    return [sum, isOwn];
  };

  test('is lowered by one person, and raised or removed for a higher one by two', async () => {
    const { id } = await approvedFor(db, await holderOf(2));
    assert.deepEqual(await shown(id), ['20000.00', false]);
    assert.equal(await limit('kim', id, '500'), 'done');
    assert.deepEqual(await shown(id), ['500.00', true]);
    assert.equal(await limit('kim', id, '500.01'), 'awaiting_second');
    assert.equal(await limit('lee', id, '500.01'), 'done');
    assert.equal(await limit('kim', id), 'awaiting_second');
    assert.deepEqual(await shown(id), ['500.01', true]);
    assert.equal(await limit('lee', id), 'done');
    assert.deepEqual(await shown(id), ['20000.00', false]);
    assert.equal(await limit('kim', id, '30000'), 'awaiting_second');
    assert.equal(await limit('lee', id, '30000'), 'done');
    assert.equal(await limit('kim', id), 'done');
  });

  test('that one person requested is void after another change of it', async () => {
    const { id } = await approvedFor(db, await holderOf(2));
    assert.equal(await limit('kim', id, '30000'), 'awaiting_second');
    assert.equal(await limit('lee', id, '500'), 'done');
    assert.equal(await limit('lee', id, '30000'), 'awaiting_second');
    assert.deepEqual(await shown(id), ['500.00', true]);
    assert.equal(await limit('kim', id, '30000'), 'done');
  });

  test('is a sum of whole cents, and of a business that is open', async () => {
    const { id } = await approvedFor(db, await holderOf(2));
    assert.equal(await limit('kim', id, '1.001'), 'amount_format');
    assert.equal(await limit('olga', id, '1'), 'forbidden');
    await act('kim', id, 'close');
    assert.equal(await limit('kim', id, '1'), 'action_not_open');
    assert.equal(await limit('kim', newId(), '1'), 'not_found');
  });
});

test('businesses are listed by state, and by a part of name, number, site or owner', async () => {
  const holder = await holderOf(2);
  const found = { legal_name: 'Fjord 100% Maps', registration_number: 'NO-77881', web_sites: ['https://fjord-maps.example'] };
  const { id } = await applyFor(db, holder, found);
  const list = async (filter: object): Promise<string[]> =>
    (await businessesView(db, { page: 1, per_page: 20, ...filter })).data.map((row) => row.id);
  for (const q of ['fjord 100%', '77881', 'JORD-MAPS', `${holder.slice(0, 20).toUpperCase()}`, ` ${holder}@example.org`])
    assert.deepEqual(await list({ q: q.trim(), state: 'applied' }), [id], q);
  assert.deepEqual(await list({ q: 'fjord', state: 'approved' }), []);
  assert.deepEqual(await list({ q: 'fj_rd' }), []);
  const { data, meta } = await businessesView(db, { page: 1, per_page: 1 });
  assert.deepEqual([data[0]?.id, data[0]?.owner, data[0]?.owner_level], [id, `${holder}@example.org`, 2]);
  const second = await businessesView(db, { page: 1, per_page: 1, after: meta.next });
  assert.notEqual(second.data[0]?.id, id);
});

describe('a row that SQL changed', () => {
  test('is decided about by nobody', async () => {
    const { id } = await approvedFor(db, await holderOf(2));
    await owner.run('update business set day_usd = 1 where id = $1', [id]);
    assert.equal(await outcome('kim', id, 'suspend'), 'record_altered');
    assert.equal(await refusal(() => limitBusiness(db, people['kim'] as Person, { id, reason: 'for a test' })), 'record_altered');
    assert.equal(await stateOf(id), 'suspended');
    await owner.run('update business set day_usd = null where id = $1', [id]);
    assert.equal(await outcome('kim', id, 'suspend'), 'done');
  });

  const isAccused = async (id: string): Promise<boolean> =>
    (await saidBy(db, checksOf(OWNERS))).some((words) => words.includes(id));

  /** Decides about a business, and then writes its earlier row back with its MAC. Returns the row's id. */
  async function undone(decideOn: (id: string) => Promise<unknown>): Promise<string> {
    const { id } = await approvedFor(db, await holderOf(2));
    const earlier = await owner.row<object>('select state, state_at, note, day_usd, mac from business where id = $1', [id]);
    await decideOn(id);
    assert.equal(await isAccused(id), false);
    await owner.run('update business set (state, state_at, note, day_usd, mac) = ($2, $3, $4, $5, $6) where id = $1', [
      id,
      ...Object.values(earlier ?? {}),
    ]);
    return id;
  }

  test('is accused if it is an earlier row with its MAC, from before a decision or a limit', async () => {
    assert.equal(await isAccused(await undone((id) => act('kim', id, 'suspend'))), true);
    const limited = (id: string) => limitBusiness(db, people['kim'] as Person, { id, day_usd: '5', reason: 'for a test' });
    assert.equal(await isAccused(await undone(limited)), true);
  });
});
