import { MARK_SIDE } from './mark.ts';
import type { Outlines } from './outlines.ts';

/**
 * Font size of the name beside a mark of `MARK_SIDE`. The site has the same proportions: 26 pixels beside a mark of 30 pixels.
 */
const SIZE = (MARK_SIDE * 26) / 30;
const GAP = (MARK_SIDE * 10) / 30;
const SPACING = -0.03;

const round = (value: number): number => Math.round(value * 100) / 100;

/** True if the font has every character of the name. */
export const canDraw = (name: string, { glyphs }: Outlines): boolean => [...name].every((letter) => glyphs[letter] !== undefined);

/**
 * Returns the name as paths, placed to the right of the mark, and the total width of mark and name. Throws if the font lacks a
 * character (`canDraw`).
 */
export function drawName(name: string, colour: string, letters: Outlines): { drawing: string; width: number } {
  const x = MARK_SIDE + GAP;
  const drawing = drawText(name, { x, y: 24.6, size: SIZE, fill: colour }, letters);
  return { drawing, width: Math.ceil(x + widthOf(name, SIZE, letters)) };
}

/** Returns a text as paths. `x` is its left end and `y` its base line. Throws if the font lacks a character. */
export function drawText(
  text: string,
  at: { readonly x: number; readonly y: number; readonly size: number; readonly fill: string },
  outlines: Outlines,
): string {
  const { em } = outlines;
  const scale = at.size / em;
  let { x } = at;
  const letters = [...text].map((letter) => {
    const glyph = glyphOf(letter, outlines);
    const place = `translate(${round(x)} ${round(at.y)}) scale(${Math.round(scale * 1e5) / 1e5})`;
    x += (glyph.width + SPACING * em) * scale;
    return glyph.path === '' ? '' : `<path transform="${place}" d="${glyph.path}"/>`;
  });
  return `<g fill="${at.fill}">${letters.join('')}</g>`;
}

/** Returns the width of a text at a font size. Throws if the font lacks a character. */
export const widthOf = (text: string, size: number, outlines: Outlines): number =>
  [...text].reduce((x, letter) => x + ((glyphOf(letter, outlines).width + SPACING * outlines.em) * size) / outlines.em, 0);

function glyphOf(letter: string, { glyphs }: Outlines): Outlines['glyphs'][string] & object {
  const glyph = glyphs[letter];
  if (!glyph) throw new Error(`The wordmark has no letter ${letter}`);
  return glyph;
}
