import type { BannerSize } from './banner-sizes.ts';
import { type Colours, colour } from './colours.ts';
import { markColours } from './kit.ts';
import { MARK_SIDE, ON_DARK, mark, svgFile } from './mark.ts';
import type { Outlines } from './outlines.ts';
import { drawName, drawText, widthOf } from './wordmark.ts';

/** Texts of a banner: the desk's name, one sentence and the button's label. */
export interface BannerWords {
  readonly name: string;
  readonly text: string;
  readonly button: string;
}

/** Layout of a banner, in pixels: direction, margin, height of the mark, and font sizes of the text and of the button. */
interface Layout {
  readonly way: 'row' | 'column';
  readonly margin: number;
  readonly mark: number;
  readonly text: number;
  readonly button: number;
}

const LAYOUTS: Readonly<Record<BannerSize, Layout>> = {
  '728x90': { way: 'row', margin: 24, mark: 40, text: 21, button: 18 },
  '468x60': { way: 'row', margin: 14, mark: 28, text: 13, button: 13 },
  '970x250': { way: 'row', margin: 48, mark: 76, text: 36, button: 28 },
  '300x250': { way: 'column', margin: 24, mark: 44, text: 25, button: 19 },
  '160x600': { way: 'column', margin: 16, mark: 32, text: 25, button: 17 },
};

/** Line height, as a multiple of the font size. */
const LINE = 1.28;

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** Returns a banner as an SVG file. Its letters are paths, so it needs no font. Throws if the font lacks a character. */
export function banner(size: BannerSize, words: BannerWords, colours: Colours, letters: Outlines): string {
  const [width = 0, height = 0] = size.split('x').map(Number);
  const layout = LAYOUTS[size];
  const ground = `<rect width="${width}" height="${height}" fill="${colour(colours, 'primary-900')}"/>`;
  const draw = layout.way === 'row' ? inRow : inColumn;
  const drawing = draw({ width, height }, layout, drawnWith(words, layout, colours, letters));
  return svgFile(width, height, ground + drawing, `${words.name}. ${words.text}`);
}

interface Drawn {
  /** Draws the mark and the name within the box's width. `y` is the vertical middle. */
  readonly lockup: (box: Box) => { readonly drawing: string; readonly width: number };
  readonly lines: (width: number) => readonly string[];
  /** Draws the lines of text. `y` is the vertical middle. */
  readonly text: (box: Box) => string;
  /** Draws the button. `x` is its left edge and `y` its vertical middle. */
  readonly button: (box: Box) => string;
  readonly buttonWidth: number;
  readonly buttonHeight: number;
}

function drawnWith(words: BannerWords, layout: Layout, colours: Colours, letters: Outlines): Drawn {
  const lines = (width: number): string[] => wrapped(words.text, width, layout.text, letters);
  const buttonWidth = Math.ceil(widthOf(words.button, layout.button, letters) + layout.button * 1.8);
  const buttonHeight = Math.round(layout.button * 2.2);
  return {
    ...{ lines, buttonWidth, buttonHeight },
    lockup({ x, y, width }) {
      const { drawing, width: own } = drawName(words.name, colour(colours, 'gray-50'), letters);
      const scale = Math.min(layout.mark / MARK_SIDE, width / own);
      const place = `translate(${x} ${y - (MARK_SIDE * scale) / 2}) scale(${Math.round(scale * 1e4) / 1e4})`;
      return { drawing: `<g transform="${place}">${mark(markColours(colours, ON_DARK))}${drawing}</g>`, width: own * scale };
    },
    text({ x, y, width }) {
      const all = lines(width);
      const first = y - ((all.length - 1) * layout.text * LINE) / 2 + layout.text * 0.33;
      return all
        .map((line, at) =>
          drawText(
            line,
            { x, y: first + at * layout.text * LINE, size: layout.text, fill: colour(colours, 'primary-100') },
            letters,
          ),
        )
        .join('');
    },
    button({ x, y }) {
      const fill = colour(colours, 'primary-300');
      const rect = `<rect x="${x}" y="${y - buttonHeight / 2}" width="${buttonWidth}" height="${buttonHeight}" rx="${Math.round(layout.button / 2)}" fill="${fill}"/>`;
      const at = { x: x + layout.button * 0.9, y: y + layout.button * 0.33, size: layout.button };
      return rect + drawText(words.button, { ...at, fill: colour(colours, 'primary-950') }, letters);
    },
  };
}

/** Draws name, text and button side by side. */
function inRow({ width, height }: { width: number; height: number }, { margin }: Layout, drawn: Drawn): string {
  const y = height / 2;
  const name = drawn.lockup({ x: margin, y, width: width / 3 });
  const button = { x: width - margin - drawn.buttonWidth, y, width: drawn.buttonWidth };
  const x = margin * 2 + name.width;
  return name.drawing + drawn.text({ x, y, width: button.x - margin - x }) + drawn.button(button);
}

/** Draws name, text and button one below the other. */
function inColumn({ width, height }: { width: number; height: number }, { margin, mark: side }: Layout, drawn: Drawn): string {
  const inner = width - 2 * margin;
  const name = drawn.lockup({ x: margin, y: margin + side / 2, width: inner });
  const button = { x: margin, y: height - margin - drawn.buttonHeight / 2, width: inner };
  const between = (margin + side + button.y - drawn.buttonHeight / 2) / 2;
  return name.drawing + drawn.text({ x: margin, y: between, width: inner }) + drawn.button(button);
}

/** Wraps a text into lines of at most this width. A word that is wider stays whole. */
function wrapped(text: string, width: number, size: number, letters: Outlines): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(`${last} ${word}`, size, letters) <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
