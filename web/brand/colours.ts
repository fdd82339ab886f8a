/** Names of the colour scales in `ui/theme/tokens.css`. */
export const SCALES = ['primary', 'secondary', 'gray', 'success', 'warning', 'error'] as const;
export type Scale = (typeof SCALES)[number];

/** Colours by scale and step: `{ primary: { 50: '#eef9f9', … }, … }`. */
export type Colours = Readonly<Record<Scale, Readonly<Record<string, string>>>>;

/**
 * Reads the colour scales from the text of `ui/theme/tokens.css`, the only file that defines them. Throws if a scale is missing.
 */
export function coloursOf(tokens: string): Colours {
  const rows = SCALES.map((scale) => {
    const steps = [...tokens.matchAll(new RegExp(`--${scale}-(\\d+): (#[0-9a-f]{6});`, 'g'))];
    if (steps.length === 0) throw new Error(`The styles have no scale ${scale}`);
    return [scale, Object.fromEntries(steps.map(([, step, colour]) => [step, colour]))] as const;
  });
  return Object.fromEntries(rows) as Colours;
}

/** Returns the colour with a name like `primary-700` or `white`. Throws if there is none. */
export function colour(colours: Colours, name: string): string {
  if (name === 'white') return '#ffffff';
  const [scale = '', step = ''] = name.split('-');
  const found = (colours as Readonly<Record<string, Readonly<Record<string, string>>>>)[scale]?.[step];
  if (found === undefined) throw new Error(`There is no colour ${name}`);
  return found;
}
