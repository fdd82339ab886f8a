// State machine of tickets and chats, which determines who has to write next. It alone changes their statuses.

import { type Machine, type MachineRow, rowFinder } from '../platform/index.ts';

export type Status = 'unconfirmed' | 'waiting' | 'answered' | 'closed';
/** Events. The customer causes `write` and `confirm`, the desk causes `answer` and `close`. */
type Event = 'write' | 'confirm' | 'answer' | 'close';
type TicketRow = MachineRow<Status, Event>;
/** Actor of an event: customer (C), desk (O). */
type Actor = 'C' | 'O';

const row = (from: readonly Status[], event: Event, who: Actor, next: TicketRow['next'][number]): TicketRow => ({
  ...{ from, event, who, next: [next], money: [] },
});

const ROWS: readonly TicketRow[] = [
  row(['unconfirmed'], 'write', 'C', 'same'),
  row(['unconfirmed'], 'confirm', 'C', 'waiting'),
  row(['waiting', 'answered', 'closed'], 'write', 'C', 'waiting'),
  row(['waiting', 'answered', 'closed'], 'answer', 'O', 'answered'),
  row(['waiting', 'answered'], 'close', 'O', 'closed'),
];

/** The machine of tickets and chats, for its diagram and its tests. */
export const TICKET_MACHINE: Machine<Status, Event, TicketRow> = {
  name: 'ticket',
  file: 'server/support/ticket-machine.ts',
  begins: [
    { state: 'unconfirmed', event: 'ask' },
    { state: 'waiting', event: 'ask, signed in' },
    { state: 'answered', event: 'open a chat' },
  ],
  states: {
    unconfirmed: 'none: its writer has not opened the mailed link, and the desk does not see it',
    waiting: 'none: it waits for the desk',
    answered: 'none: it waits for its customer, or for nobody',
    closed: 'none: the desk has closed it',
  },
  rests: new Set(['unconfirmed', 'answered', 'closed'] as const),
  actors: { C: 'customer', O: 'the desk' } satisfies Record<Actor, string>,
  rows: ROWS,
};

const find = rowFinder(ROWS);

/** Returns the status after an event; the same status if the event changes nothing. */
export function statusAfter(status: Status, event: Event): Status {
  const next = find(status, event)[0]?.next[0] ?? 'same';
  return next === 'same' ? status : next;
}
