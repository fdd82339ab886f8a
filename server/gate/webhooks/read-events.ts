// The events of a store, read by a cursor that skips none.

import { type Input, type Output, type Routes, fieldProblem } from '@kurs/contract';
import type { Statements } from '../../platform/index.ts';
import { type EventData, type EventKind, TOLD_KINDS, typeOf } from '../events/store-event.ts';
import { type EventPosition, type ReadEvent, eventsAfter } from '../rows/event-rows.ts';

type EventWire = Output<Routes['storeEvents']>['events'][number];

const BEGINNING: EventPosition = { xact: '0', id: '00000000-0000-0000-0000-000000000000' };
const CURSOR = /^(\d{1,19}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Returns the events after a cursor, and the cursor behind them. Throws `validation` for an invalid cursor. */
export async function readEvents(
  db: Statements,
  { store: storeId, after, limit }: Input<Routes['storeEvents']>,
): Promise<Output<Routes['storeEvents']>> {
  const begin = positionOf(after);
  const rows = await eventsAfter(db, { storeId, after: begin, kinds: TOLD_KINDS, max: limit + 1 });
  const shown = rows.slice(0, limit);
  const { xact, id } = shown.at(-1) ?? begin;
  return {
    events: shown.map(eventWire),
    next: Buffer.from(`${xact} ${id}`).toString('base64url'),
    more: rows.length > limit,
  };
}

function eventWire({ id, kind, at, data, metadata }: ReadEvent): EventWire {
  const type = typeOf(kind as EventKind);
  const content = metadata === null ? data : { ...(data as EventData), metadata: JSON.parse(metadata) as unknown };
  // The room wrote the content for this type.
  return { id, type, timestamp: at.toISOString(), data: content } as EventWire;
}

function positionOf(after: string | undefined): EventPosition {
  if (after === undefined) return BEGINNING;
  const [, xact, id] = CURSOR.exec(Buffer.from(after, 'base64url').toString()) ?? [];
  if (xact === undefined || id === undefined) throw fieldProblem('after', 'wrong_value');
  return { xact, id };
}
