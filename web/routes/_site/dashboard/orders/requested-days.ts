import { type Day, readDay } from '../../../../ui/fields/calendar.ts';

/** Valid days of a filter, and the errors of the other days. */
export interface DaysRequest {
  readonly days: { readonly from?: Day; readonly to?: Day };
  /** `order`: the last day is before the first. */
  readonly wrongDays: { readonly from?: 'day'; readonly to?: 'day' | 'order' };
}

/** Reads the typed days of a filter. Leaves out unreadable days, and a last day that is before the first. */
export function readDays(filter: { readonly from: string; readonly to: string }): DaysRequest {
  const [from, to] = [readDay(filter.from), readDay(filter.to)];
  const isTurned = from !== undefined && to !== undefined && to < from;
  const wrongTo = isTurned ? 'order' : filter.to !== '' && to === undefined ? 'day' : undefined;
  return {
    days: { ...(from !== undefined && { from }), ...(to !== undefined && !isTurned && { to }) },
    wrongDays: { ...(filter.from !== '' && from === undefined && { from: 'day' }), ...(wrongTo && { to: wrongTo }) },
  };
}
