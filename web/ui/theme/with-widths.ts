import { BREAKPOINTS, CONTAINER_WIDTHS, OWN_WIDTHS } from './breakpoints.ts';

const OWN = Object.entries(OWN_WIDTHS).map(([name, { px }]) => [name, px] as const);

/** Media and container queries by name. */
const QUERIES: ReadonlyMap<string, string> = new Map([
  ...[...Object.entries(BREAKPOINTS), ...OWN].flatMap(([name, px]) => [
    [`--to-${name}`, `max-width: ${px}px`] as const,
    [`--above-${name}`, `min-width: ${px + 1}px`] as const,
    [`--from-${name}`, `min-width: ${px}px`] as const,
  ]),
  ...Object.entries(CONTAINER_WIDTHS).map(([name, px]) => [`--${name}`, `width < ${px}px`] as const),
]);

/**
 * Returns a style sheet in which the names of widths in media and container queries are replaced by numbers. Throws if a name is
 * unknown.
 */
export function withWidths(css: string): string {
  return css.replace(/@(?:media|container)[^{]*/g, (query) =>
    query.replace(/\((--[\w-]+)\)/g, (_, name: string) => {
      const found = QUERIES.get(name);
      if (found === undefined) throw new Error(`There is no width ${name} (web/ui/theme/breakpoints.ts)`);
      return `(${found})`;
    }),
  );
}
