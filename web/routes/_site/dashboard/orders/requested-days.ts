import { type Day, readDay } from '../../../../ui/fields/calendar.ts';

/** Days of a filter: the valid days, and errors for the fields with invalid days. */
export interface DaysRequest {
  readonly days: { readonly from?: Day; readonly to?: Day };
  /** Errors by field. `day`: the text is no day. `order`: the last day is before the first. */
  readonly wrongDays: { readonly from?: 'day'; readonly to?: 'day' | 'order' };
}

/** Reads the typed days of a filter. Reports an error for an unreadable day, and for a last day that is before the first. */
export function readDays(filter: { readonly from: string; readonly to: string }): DaysRequest {
  const [from, to] = [readDay(filter.from), readDay(filter.to)];
  const isTurned = from !== undefined && to !== undefined && to < from;
  const wrongTo = isTurned ? 'order' : filter.to !== '' && to === undefined ? 'day' : undefined;
  return {
    days: { ...(from !== undefined && { from }), ...(to !== undefined && !isTurned && { to }) },
    wrongDays: { ...(filter.from !== '' && from === undefined && { from: 'day' }), ...(wrongTo && { to: wrongTo }) },
  };
}
