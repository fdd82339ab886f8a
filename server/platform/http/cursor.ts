// Where a long list goes on: behind its last row by time and id, so that a page far back costs what the first one does.

import { fieldProblem } from '@kurs/contract';
import { MOST_COUNTED } from './calls.ts';

/** The last row of a page: its time as the database writes it, and its id. */
interface LastRow {
  readonly at: string;
  readonly id: string;
}

const CURSOR = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[\d:.+-]*) ([0-9a-f-]{36})$/;

/** How a page of a list is named: by its number while rows are counted, or by `next` of the page before. */
export interface PageAsked {
  readonly page: number;
  readonly per_page: number;
  readonly after?: string | undefined;
}

/** Behind which row a page begins, and behind how many after it. Throws `validation` for an `after` that no page gave. */
export function beginOf({ page, per_page, after }: PageAsked): { at: string | null; id: string | null; offset: number } {
  if (after === undefined) return { at: null, id: null, offset: Math.min((page - 1) * per_page, MOST_COUNTED) };
  const [, at, id] = CURSOR.exec(Buffer.from(after, 'base64url').toString()) ?? [];
  if (at === undefined || id === undefined || Number.isNaN(Date.parse(at))) throw fieldProblem('after', 'wrong_value');
  return { at, id, offset: 0 };
}

/** What asks for the page behind these rows; undefined where they are the last. */
export function nextOf(rows: readonly LastRow[], { per_page }: PageAsked): string | undefined {
  const last = rows.length < per_page ? undefined : rows.at(-1);
  return last && Buffer.from(`${last.at} ${last.id}`).toString('base64url');
}
