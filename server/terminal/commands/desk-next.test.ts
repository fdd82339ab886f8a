// The messages for a new person of the desk name the command to run next.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallError } from '@kurs/contract/client';
import { hintOf } from '../desk-session.ts';
import { type Found, pollForSteps, stepsOf } from './desk-next.ts';

const person = (role: 'operator' | 'compliance', name: string) => ({ name, role, active: true });
const rail = (name: string, more: object = {}) => ({
  ...{ rail: name, set_up: true, on: false, up: true, detail: '', currencies: ['BTC'] },
  ...more,
});
const direction = { slug: 'btc-usdt', from: 'BTC', to: 'USDT_ERC20', on: false };
const NOTHING = {
  people: [person('operator', 'ann')],
  settings: [{ key: 'alarms.mail', value: '[]' }],
  rails: [rail('bitcoin', { set_up: false })],
  reserves: [],
  directions: [],
  requests: [],
};
const steps = (found: object): string[] => stepsOf(found as unknown as Found).map(({ command }) => command);

test('what is missing comes in order: people, alarms, payment systems, capital, prices, a direction', () => {
  assert.deepEqual(steps(NOTHING), [
    'npm run hire -- NAME operator --to FILE (on the machine itself)',
    'npm run hire -- NAME compliance --to FILE (on the machine itself)',
    `npm run desk -- settings alarms.mail '["you@example.org"]' --apply --reason "alarms"`,
    'npm run config -- NAME, of bitcoin; then restart',
  ]);
  const staffed = {
    ...NOTHING,
    people: ['ann', 'bob'].flatMap((name) => [person('operator', name), person('compliance', `${name}-c`)]),
    settings: [{ key: 'alarms.mail', value: '["you@example.org"]' }],
  };
  const evm = rail('evm', { currencies: ['USDT_ERC20'] });
  const reserves = [
    { currency: 'BTC', free: '1.00000000' },
    { currency: 'USDT_ERC20', free: '0.000000' },
  ];
  const setUp = { ...staffed, rails: [rail('bitcoin'), evm, rail('tron', { set_up: false })], reserves, directions: [direction] };
  const [capital, ...rest] = steps(setUp);
  assert.match(capital ?? '', /^npm run desk -- capital .*fund USDT_ERC20 AMOUNT --reference R/);
  assert.deepEqual(rest, [
    'npm run desk -- rail bitcoin on --reason "…"',
    'npm run desk -- rail evm on --reason "…"',
    'npm run desk -- directions; npm run desk -- price btc-usdt shows one',
    'npm run desk -- direction BTC USDT_ERC20 on --reason "…"',
  ]);
  // A request to switch on a payment system only needs another person.
  const requests = [{ id: '01', action: 'rail_on', subject: 'bitcoin' }];
  const funded = { ...setUp, reserves: reserves.map((one) => ({ ...one, free: '5' })), directions: [{ ...direction, on: true }] };
  assert.deepEqual(steps({ ...funded, requests }), ['npm run desk -- consent 01', 'npm run desk -- rail evm on --reason "…"']);
  const done = { ...funded, rails: [rail('bitcoin', { on: true }), { ...evm, on: true }] };
  assert.deepEqual(steps(done), []);
  const silent = { ...done, rails: [rail('bitcoin', { on: true, up: false, detail: 'no answer' }), { ...evm, on: true }] };
  assert.deepEqual(
    stepsOf(silent as unknown as Found).map(({ missing }) => missing),
    ['an answer of bitcoin (no answer)'],
  );
  const closed = (why: string) => steps({ ...done, directions: [{ ...direction, on: true, closed: why }] })[0] ?? '';
  assert.match(closed('reserve'), /fund USDT_ERC20/);
  assert.match(closed('payouts_off'), /payouts on/);
  assert.match(closed('rates_apart'), /directions$/);
});

test('a business that applied waits for a decision, until one person has requested it', () => {
  const businesses = [
    { id: '01', legal_name: 'Shop\u001b[2J Ltd', owner: 'ann@example.org' },
    { id: '02', legal_name: 'Other Ltd', owner: 'bob@example.org' },
  ];
  const requests = [{ id: '03', action: 'business_approve', subject: '02' }];
  const found = { people: undefined, rails: undefined, requests, businesses } as unknown as Found;
  assert.deepEqual(stepsOf(found), [
    { missing: 'a second person for business_approve 02', command: 'npm run desk -- consent 03' },
    { missing: 'a decision about the business Shop[2J Ltd of ann@example.org', command: 'npm run desk -- business 01' },
  ]);
});

test('each web site that a business added waits for a decision', () => {
  const added = [{ id: '01', legal_name: 'Shop Ltd', new_sites: ['https://a.example', 'https://b.example'] }];
  const found = { people: undefined, rails: undefined, requests: [], businesses: [], added } as unknown as Found;
  assert.deepEqual(
    stepsOf(found),
    ['https://a.example', 'https://b.example'].map((site) => ({
      missing: `a decision about the web site ${site} that the business Shop Ltd added`,
      command: `npm run desk -- business 01 accept ${site} --reason "…" (or strike)`,
    })),
  );
});

test('steps that the person may not see are left out', async () => {
  const refused = async () => {
    throw Object.assign(Object.create(CallError.prototype) as CallError, { code: 'forbidden' });
  };
  const names = ['People', 'Settings', 'Rails', 'Reserves', 'Directions', 'Requests', 'Businesses'];
  const client = Object.fromEntries(names.map((name) => [`operator${name}`, refused]));
  assert.deepEqual(await pollForSteps(client as never), []);
});

/** Returns the advice after a refusal, if signing in without a code gives this answer. */
const hint = (bearer: string, code: string, signIn?: string): Promise<string | undefined> =>
  hintOf(bearer, { code, message: 'Refused.' } as CallError, () =>
    signIn === undefined ? Promise.resolve({}) : Promise.reject(Object.assign(new Error('refused'), { code: signIn })),
  );

test('a key without a session is advised to set up an authenticator or to sign in', async () => {
  const [key, session] = ['kurs_op_x', 'kurs_os_x'];
  assert.match((await hint(key, 'forbidden', 'two_factor_off')) ?? '', /npm run desk -- second-factor$/);
  assert.match((await hint(key, 'forbidden', 'two_factor_required')) ?? '', /npm run desk -- sign-in CODE$/);
  assert.match((await hint(key, 'two_factor_off')) ?? '', /npm run desk -- second-factor$/);
  assert.match((await hint(key, 'two_factor_on')) ?? '', /npm run desk -- sign-in CODE$/);
  assert.match((await hint(key, 'unauthorised')) ?? '', /npm run desk -- help hire$/);
  assert.match((await hint(session, 'unauthorised')) ?? '', /npm run desk -- sign-in CODE$/);
  // In a sandbox a key has all permissions of its role, so a refusal needs no advice.
  assert.equal(await hint(key, 'forbidden'), undefined);
  assert.equal(await hint(session, 'forbidden'), undefined);
});
