import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { draw, flaws, step, type Machine } from './machine.ts';

type Door = Machine<'open' | 'shut' | 'locked', 'push' | 'turn', 'guest' | 'owner', 'has_key', 'O1'>;
const door: Door = {
  name: 'Door',
  start: 'shut',
  states: { open: 'nobody’s', shut: 'in the house', locked: 'in the safe' },
  rows: [
    { id: 'D1', from: 'shut', event: 'push', who: 'guest', guards: [], to: 'open', money: [] },
    { id: 'D2', from: 'shut', event: 'turn', who: 'owner', guards: ['has_key'], to: 'locked', money: ['O1'] },
    { id: 'D3', from: 'shut', event: 'turn', who: 'owner', guards: [], to: 'shut', money: [] },
    { id: 'D4', from: 'open', event: 'push', who: 'guest', guards: [], to: 'shut', money: [] },
  ],
};

describe('a machine', () => {
  test('takes the first row whose guards hold', () => {
    assert.equal(step(door, 'shut', 'turn', () => true)?.id, 'D2');
    assert.equal(step(door, 'shut', 'turn', () => false)?.id, 'D3');
    assert.equal(
      step(door, 'locked', 'push', () => true),
      undefined,
    );
  });

  test('asks only about guards of rows that could match', () => {
    step(door, 'open', 'push', () => assert.fail('asked'));
  });

  test('knows its flaws', () => {
    assert.deepEqual(flaws(door), []);
    const again = door.rows[0]!;
    assert.deepEqual(flaws({ ...door, rows: [...door.rows, { ...again }] }), [
      'the row D1 stands twice',
      'D1 never matches: D1 always comes first',
    ]);
    const late = { ...again, id: 'D5', event: 'turn', guards: ['has_key'] };
    assert.deepEqual(flaws({ ...door, rows: [...door.rows, late] }), ['D5 never matches: D2 always comes first']);
    assert.deepEqual(flaws({ ...door, rows: [door.rows[0]!] }), ['nothing leads to locked']);
    assert.deepEqual(flaws({ ...door, rows: [...door.rows, { ...again, id: 'D6', event: 'x', to: 'gone' }] }), [
      'D6 goes to an unknown state gone',
    ]);
  });

  test('is drawn with every state and row', () => {
    const page = draw(door);
    assert.match(page, /\[\*\] --> shut/);
    assert.match(page, /shut --> open: push/);
    for (const { id } of door.rows) assert.match(page, new RegExp(`^\\| ${id} \\|`, 'm'));
    for (const words of Object.values(door.states)) assert.ok(page.includes(words));
  });
});
