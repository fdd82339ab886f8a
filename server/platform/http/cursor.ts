// Cursors of long lists: a page starts after the last row of the page before, by time and id, so that late pages cost no more
// than the first.

import { fieldProblem } from '@kurs/contract';
import { MAX_COUNTED } from './calls.ts';

/** Last row of a page: its time as the database writes it, and its id. */
interface LastRow {
  readonly at: string;
  readonly id: string;
}

const CURSOR = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[\d:.+-]*) ([0-9a-f-]{36})$/;

/** Requested page of a list: its number while rows are counted, or `next` of the page before. */
export interface PageRequest {
  readonly page: number;
  readonly per_page: number;
  readonly after?: string | undefined;
}

/** Returns the row after which a page begins, and an offset. Throws `validation` for an invalid `after`. */
export function beginOf({ page, per_page, after }: PageRequest): { at: string | null; id: string | null; offset: number } {
  if (after === undefined) return { at: null, id: null, offset: Math.min((page - 1) * per_page, MAX_COUNTED) };
  const [, at, id] = CURSOR.exec(Buffer.from(after, 'base64url').toString()) ?? [];
  if (at === undefined || id === undefined || Number.isNaN(Date.parse(at))) throw fieldProblem('after', 'wrong_value');
  return { at, id, offset: 0 };
}

/** Returns the cursor of the next page; undefined if these rows are the last. */
export function nextOf(rows: readonly LastRow[], { per_page }: PageRequest): string | undefined {
  const last = rows.length < per_page ? undefined : rows.at(-1);
  return last && Buffer.from(`${last.at} ${last.id}`).toString('base64url');
}
