import type { Direction } from '../../../features/calculator/price-breakdown.ts';
import { type Currency, findCurrency } from '../../../features/currency.ts';

export const KINDS = ['crypto', 'ewallet'] as const;
type Kind = (typeof KINDS)[number];

/** Filter of the list of directions, as in the page's URL. */
export interface Filter {
  readonly q: string;
  readonly from: string;
  readonly to: string;
  /** `crypto`: both sides are crypto currencies; `ewallet`: at least one side is an e-wallet. */
  readonly kind: Kind | '';
  readonly page: number;
}

/** Number of directions per page, which limits the size of the HTML. */
export const PER_PAGE = 40;

/** Reads the filter in a query. Invalid values are read as not set. */
export function readFilter(query: URLSearchParams): Filter {
  const code = (name: string): string => /^[A-Z][A-Z0-9_]{1,19}$/.exec(query.get(name) ?? '')?.[0] ?? '';
  const kind = KINDS.find((one) => one === query.get('kind')) ?? '';
  const page = /^[1-9][0-9]{0,3}$/.test(query.get('page') ?? '') ? Math.trunc(+(query.get('page') as string)) : 1;
  return { q: (query.get('q') ?? '').trim().slice(0, 60), from: code('from'), to: code('to'), kind, page };
}

/** Converts a filter to a URL query that contains only the fields that are set. */
export function writeFilter(filter: Filter): Record<string, string> {
  const { page, ...rest } = filter;
  const set = Object.entries(rest).filter(([, value]) => value !== '');
  return Object.fromEntries([...set, ...(page > 1 ? [['page', String(page)]] : [])]) as Record<string, string>;
}

/**
 * Returns the directions that match a filter. Each word of the search must occur in the name, code or network of one of the two
 * currencies.
 */
export function matching(directions: readonly Direction[], filter: Filter, currencies: readonly Currency[]): Direction[] {
  const words = filter.q
    .toLowerCase()
    .split(/[\s→/>-]+/)
    .filter(Boolean);
  const textOf = (code: string): string => {
    const { name, asset, network } = findCurrency(currencies, code);
    return [code, name, asset, network].join(' ').toLowerCase().replaceAll('-', ' ');
  };
  const texts = new Map(currencies.map(({ code }) => [code, textOf(code)]));
  return directions.filter(({ from, to }) => {
    const kinds = [findCurrency(currencies, from).kind, findCurrency(currencies, to).kind];
    const text = `${texts.get(from) ?? from} ${texts.get(to) ?? to}`;
    return (
      (filter.from === '' || from === filter.from) &&
      (filter.to === '' || to === filter.to) &&
      (filter.kind === '' || (kinds.includes('ewallet') ? 'ewallet' : 'crypto') === filter.kind) &&
      words.every((word) => text.includes(word))
    );
  });
}

export interface Group {
  readonly from: string;
  readonly directions: readonly Direction[];
}

/** Returns one page of directions, and the number of pages. Directions are grouped by the currency to send, open ones first. */
export function pageOf(directions: readonly Direction[], page: number): { groups: Group[]; pages: number; page: number } {
  const byGive = Map.groupBy(directions, ({ from }) => from);
  const ordered = [...byGive.values()].flatMap((own) => [...own.filter(({ open }) => open), ...own.filter(({ open }) => !open)]);
  const pages = Math.max(1, Math.ceil(ordered.length / PER_PAGE));
  const shown = Math.min(page, pages);
  const rows = ordered.slice((shown - 1) * PER_PAGE, shown * PER_PAGE);
  const groups = [...Map.groupBy(rows, ({ from }) => from)].map(([from, own]) => ({ from, directions: own }));
  return { groups, pages, page: shown };
}
