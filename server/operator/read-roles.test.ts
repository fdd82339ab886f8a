// Whose calls those of the desk are: to read takes a role as to act does.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Route, routes } from '@kurs/contract';
import { type Context, asWhom } from '../platform/index.ts';

const OF_OPERATORS = `Arrival Arrivals Clear Close Difference Direction Doubt Doubts FeedCode FoundLate FoundLateAct Fuel Fund Payin
  Payouts Peg Prices Rail Rails Repay Reserves Say Stuck TicketAnswer TicketClose Withdraw Withdrawal`;
const OF_COMPLIANCE = `Block Deposit Level Unblock`;
const OF_BOTH = `Act Alarms Audit Blocks Chat Chats Clock Consent Debts Deposits Hire Order Orders Payins People Requests Revoke Rotate Setting
  SettingChange Settings Ticket TicketFile Tickets Withdrawals`;
const names = (text: string): string[] => text.split(/\s+/).map((name) => `operator${name}`);

const desk = Object.entries<Route>(routes).filter(([, { who }]) => who === 'operator');

test('every call of the desk is said to be somebody’s', () => {
  const told = [...names(OF_OPERATORS), ...names(OF_COMPLIANCE), ...names(OF_BOTH)];
  assert.deepEqual(desk.map(([name]) => name).toSorted(), told.toSorted());
  for (const [name, { roles }] of desk) assert.ok(roles, `${name} names no roles`);
});

const asked = async (route: Route, role: string): Promise<string> => {
  const operator = async (bearer: string) => (bearer === 'key' ? { id: 'x', name: 'ann', roles: [role] } : undefined);
  try {
    await asWhom(route, { bearer: 'key' } as Context, { operator });
    return 'let in';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

for (const [name, route] of desk)
  test(`${name}: let in is whoever may make it, and nobody else`, async () => {
    const isOperators = !names(OF_COMPLIANCE).includes(name);
    const isCompliance = !names(OF_OPERATORS).includes(name);
    assert.equal(await asked(route, 'operator'), isOperators ? 'let in' : 'forbidden');
    assert.equal(await asked(route, 'compliance'), isCompliance ? 'let in' : 'forbidden');
    assert.equal(await asked(route, 'janitor'), 'forbidden');
  });
