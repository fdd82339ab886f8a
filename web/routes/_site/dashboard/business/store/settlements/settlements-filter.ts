import { m } from '../../../../../../features/words.ts';

export const DIRECTIONS = ['all', 'to_wallet', 'to_store'] as const;
export type DirectionChoice = (typeof DIRECTIONS)[number];

/** Filter of the list of moves. Days are as typed; empty for none. */
export interface SettlementsFilter {
  readonly direction: DirectionChoice;
  readonly from: string;
  readonly to: string;
}

const WORDS: Readonly<Record<DirectionChoice, () => string>> = {
  all: () => m.settlements_all(),
  to_wallet: () => m.settlements_to_wallet(),
  to_store: () => m.settlements_to_store(),
};

export const directionName = (direction: DirectionChoice): string => WORDS[direction]();

/** Reads the filter from a URL. */
export function readFilter(query: URLSearchParams): SettlementsFilter {
  const text = (name: string): string => (query.get(name) ?? '').trim().slice(0, 20);
  const direction = DIRECTIONS.find((one) => one === text('direction')) ?? 'all';
  return { direction, from: text('from'), to: text('to') };
}

/** Returns the filter's fields that are set, for a URL. */
export const filterQuery = ({ direction, from, to }: SettlementsFilter): Readonly<Record<string, string>> => ({
  ...(direction !== 'all' && { direction }),
  ...(from !== '' && { from }),
  ...(to !== '' && { to }),
});

/** True if the list is limited to some days. */
export const isNarrowed = ({ from, to }: Pick<SettlementsFilter, 'from' | 'to'>): boolean => from !== '' || to !== '';
