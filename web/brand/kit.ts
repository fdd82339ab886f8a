import { type Colours, colour, coloursOf } from './colours.ts';
import { MARK_SIDE, type MarkColours, ON_DARK, ON_LIGHT, mark, smallMark, svgFile } from './mark.ts';

/** Converts a mark's colours from names in the scales (`primary-700`) to hex codes. */
export const markColours = (colours: Colours, { rim, face, arrows }: MarkColours): MarkColours => ({
  rim: colour(colours, rim),
  face: colour(colours, face),
  arrows: colour(colours, arrows),
});

/**
 * Returns the brand files that are the same for every desk, by path. Takes the text of `ui/theme/tokens.css`. The wordmark is
 * missing: it contains the desk's name, so the server draws it.
 */
export function kitFiles(tokens: string): Readonly<Record<string, string>> {
  const colours = coloursOf(tokens);
  const [light, dark] = [markColours(colours, ON_LIGHT), markColours(colours, ON_DARK)];
  const file = (drawing: string): string => svgFile(MARK_SIDE, MARK_SIDE, drawing);
  const one: MarkColours = { rim: '#000', face: '#000', arrows: '#fff' };
  return {
    'favicon.svg': file(smallMark(light)),
    'brand/mark.svg': file(mark(light)),
    'brand/mark-dark.svg': file(mark(dark)),
    'brand/mark-one-colour.svg': file(mark(one)),
    'brand/mark-small.svg': file(smallMark(light)),
    'brand/colours.json': `${JSON.stringify(colours, undefined, 2)}\n`,
    'brand/colours.css': `:root {\n${Object.entries(colours)
      .flatMap(([scale, steps]) => Object.entries(steps).map(([step, value]) => `  --${scale}-${step}: ${value};\n`))
      .join('')}}\n`,
  };
}
