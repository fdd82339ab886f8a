import { MARK_SIDE } from './mark.ts';
import type { Outlines } from './outlines.ts';

/** How the name is set beside the mark: as on the site, where the mark is 30 pixels and the letters are 26. */
const SIZE = (MARK_SIDE * 26) / 30;
const GAP = (MARK_SIDE * 10) / 30;
const SPACING = -0.03;

const round = (value: number): number => Math.round(value * 100) / 100;

/** Whether each character of a name can be drawn. */
export const canDraw = (name: string, { glyphs }: Outlines): boolean => [...name].every((letter) => glyphs[letter] !== undefined);

/**
 * A name as drawings to stand right of the mark, and the width of both together. Throws for a character that the font
 * doesn't have (`canDraw`).
 */
export function drawName(name: string, colour: string, { em, glyphs }: Outlines): { drawing: string; width: number } {
  const scale = SIZE / em;
  let x = MARK_SIDE + GAP;
  const letters = [...name].map((letter) => {
    const glyph = glyphs[letter];
    if (!glyph) throw new Error(`The wordmark has no letter ${letter}`);
    const place = `translate(${round(x)} 24.6) scale(${Math.round(scale * 1e5) / 1e5})`;
    x += (glyph.width + SPACING * em) * scale;
    return glyph.path === '' ? '' : `<path transform="${place}" d="${glyph.path}"/>`;
  });
  return { drawing: `<g fill="${colour}">${letters.join('')}</g>`, width: Math.ceil(x) };
}
