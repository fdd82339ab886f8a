import { type Colours, colour, coloursOf } from './colours.ts';
import { MARK_SIDE, type MarkColours, ON_DARK, ON_LIGHT, mark, smallMark, svgFile } from './mark.ts';

/** Returns the colours of a mark by their names in the scales. */
export const markColours = (colours: Colours, { rim, face, arrows }: MarkColours): MarkColours => ({
  rim: colour(colours, rim),
  face: colour(colours, face),
  arrows: colour(colours, arrows),
});

/**
 * Returns the brand files that are the same for every desk, by path. They are drawn from the same source as the site's mark and
 * colours. The server draws the wordmark, since it carries the desk's name. Takes the text of `ui/theme/tokens.css`.
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
