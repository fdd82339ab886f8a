import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TICKET_MS, openTickets } from './tickets.ts';

test('a ticket is good once, for a minute, and only as it was given', () => {
  let now = 0;
  const tickets = openTickets<string>(() => now);
  const [first, second, third] = ['a', 'b', 'c'].map((value) => tickets.issue(value)) as [string, string, string];
  assert.equal(tickets.take(`${first}x`), undefined);
  assert.equal(tickets.look(first), 'a');
  assert.equal(tickets.take(first), 'a');
  assert.equal(tickets.take(first), undefined);
  assert.equal(tickets.look(first), undefined);
  now = TICKET_MS - 1;
  assert.equal(tickets.take(second), 'b');
  now = TICKET_MS;
  assert.equal(tickets.look(third), undefined);
  assert.equal(tickets.take(third), undefined);
});

test('however many are asked for, few are kept', () => {
  const tickets = openTickets<number>(() => 0);
  const all = Array.from({ length: 10_001 }, (_, index) => tickets.issue(index));
  assert.equal(tickets.take(all[0] as string), undefined);
  assert.equal(tickets.take(all[10_000] as string), 10_000);
});
