// Cursors of long lists. A page starts after the previous page's last row, by time and id. Reading the last page costs no more
// than reading the first.

import { fieldProblem } from '@kurs/contract';
import { MAX_COUNTED } from './calls.ts';

/** Last row of a page: its time as PostgreSQL prints it, and its id. */
interface LastRow {
  readonly at: string;
  readonly id: string;
}

const CURSOR = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[\d:.+-]*) ([0-9a-f-]{36})$/;

/** Requested page of a list: by number (`page`), or by the cursor that the previous page returned (`after`). */
export interface PageRequest {
  readonly page: number;
  readonly per_page: number;
  readonly after?: string | undefined;
}

/**
 * Returns the time and the id of the row after which a page begins (null for the beginning of the list), and an offset. Throws
 * `validation` for an invalid cursor.
 */
export function beginOf({ page, per_page, after }: PageRequest): { at: string | null; id: string | null; offset: number } {
  if (after === undefined) return { at: null, id: null, offset: Math.min((page - 1) * per_page, MAX_COUNTED) };
  const [, at, id] = CURSOR.exec(Buffer.from(after, 'base64url').toString()) ?? [];
  if (at === undefined || id === undefined || Number.isNaN(Date.parse(at))) throw fieldProblem('after', 'wrong_value');
  return { at, id, offset: 0 };
}

/** Returns the cursor of the next page; undefined if the page isn't full and so is the last page. */
export function nextOf(rows: readonly LastRow[], { per_page }: PageRequest): string | undefined {
  const last = rows.length < per_page ? undefined : rows.at(-1);
  return last && Buffer.from(`${last.at} ${last.id}`).toString('base64url');
}
