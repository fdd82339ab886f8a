import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Machine, type MachineRow, draw, flaws, nextStates, rowFinder } from './machine.ts';

type State = 'open' | 'shut' | 'locked';
type DoorRow = MachineRow<State, 'push' | 'turn'>;
const push: DoorRow = { from: ['shut'], event: 'push', who: 'G', next: ['open'], money: [] };
const door: Machine<State, DoorRow['event'], DoorRow> = {
  name: 'door',
  file: 'door.ts',
  begins: [{ state: 'shut', event: 'build' }],
  states: { open: 'nobody’s', shut: 'in the house', locked: 'in the safe' },
  rests: new Set(['locked'] as const),
  actors: { G: 'guest', O: 'owner' },
  rows: [
    push,
    { from: ['shut'], event: 'turn', who: 'O', when: 'there is a key', next: ['locked'], money: ['reserve'] },
    { from: ['shut', 'locked'], event: 'turn', who: 'O', next: ['same'], money: [], nextFrom: { locked: ['shut', 'same'] } },
    { from: ['open'], event: 'push', who: 'G', next: ['shut'], money: [] },
  ],
};
const withRow = (row: MachineRow<string, string>): string[] => flaws({ ...door, rows: [...door.rows, row] } as never);

describe('a machine', () => {
  test('finds the rows of a state and an event in their order', () => {
    const rows = rowFinder(door.rows);
    assert.deepEqual(
      rows('shut', 'turn').map(({ when }) => when),
      ['there is a key', undefined],
    );
    assert.deepEqual(rows('locked', 'push'), []);
    const [row] = rows('locked', 'turn');
    assert.deepEqual([nextStates(row!, 'locked'), nextStates(row!, 'shut')], [['shut', 'same'], ['same']]);
  });

  test('reports the flaws of its table', () => {
    assert.deepEqual(flaws(door), []);
    assert.deepEqual(withRow(push), ['push in shut never comes to its later row: an earlier one has no condition']);
    assert.deepEqual(withRow({ ...push, from: ['open'], event: 'kick', who: 'X', next: ['gone'] }), [
      'kick is made by X, whom nobody knows',
      'kick leads to an unknown state gone',
    ]);
    assert.deepEqual(flaws({ ...door, rows: [push] }), ['nothing leaves open, which may not rest', 'nothing leads to locked']);
    assert.deepEqual(flaws({ ...door, begins: [], rests: new Set(['void']) } as never), [
      'what rests is an unknown state: void',
      'nothing leads to open',
      'nothing leads to shut',
      'nothing leads to locked',
    ]);
  });

  test('is drawn with every state and row', () => {
    const page = draw(door, { columns: [{ title: 'reads', of: (state) => `it is ${state}` }], notes: ['A note.'] });
    for (const line of [
      '  [*] --> shut: build',
      '  shut --> open: push',
      '  locked --> [*]',
      'A note.',
      '| open | it is open | nobody’s |  |',
      '| 2 | shut | turn | owner | there is a key | locked | reserve |',
      '| 3 | shut, locked | turn | owner | – | same; from locked: shut / same | – |',
    ])
      assert.ok(page.split('\n').includes(line), line);
  });
});
