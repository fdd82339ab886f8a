// Window widths at which the layout changes. Style sheets and scripts use only these widths, by name: `@media (--to-lg)`,
// `(--above-lg)`, `(--from-xl)`. The build inserts the numbers.

/** Widths of the theme, in pixels. Windows up to `lg` belong to phones and tablets. */
export const BREAKPOINTS = { xs: 0, sm: 600, md: 650, lg: 769, xl: 1920 } as const;

interface Width {
  readonly px: number;
  readonly reason: string;
}

/** Further widths. Each is the widest window in which some part of a page has its narrower layout. */
export const OWN_WIDTHS = {
  slim: { px: 389, reason: 'Narrower than the usual phone of 390: the header’s row and the figures of rates need every pixel.' },
  phone: { px: 440, reason: 'A phone held upright: what stands in a row on a phone held sideways stands in two.' },
  medium: { px: 960, reason: 'Tables of money, and text beside its contents, have columns too narrow to read below this.' },
  narrow: { px: 1099, reason: 'The dashboard’s menu is icons, and a second column of a page stands below the first.' },
  wide: { px: 1240, reason: 'Beside the dashboard’s whole menu a table has no room for its icons, nor a form for a column.' },
  broad: { px: 1399, reason: 'Beside the dashboard’s whole menu four filters, or an order and its wide column, do not fit.' },
} as const satisfies Record<string, Width>;

/**
 * Widths of an amount's box, in pixels. The number in a name is a number of characters. In a box narrower than the width, a
 * longer text gets a line of its own.
 */
export const CONTAINER_WIDTHS = { 'over-37': 331, 'over-33': 293, 'over-27': 263 } as const;
