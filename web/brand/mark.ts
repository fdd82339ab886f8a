/** Colours of a mark: its rim, its face and the arrows on it. Each is any colour that SVG accepts. */
export interface MarkColours {
  readonly rim: string;
  readonly face: string;
  readonly arrows: string;
}

/** Colours of the mark on a light and on a dark background, as names in the scales (`primary-700`, …). */
export const ON_LIGHT = { rim: 'primary-700', face: 'primary-700', arrows: 'white' } as const;
export const ON_DARK = { rim: 'primary-300', face: 'primary-400', arrows: 'primary-950' } as const;

/** Side of the square that the mark is drawn in. */
export const MARK_SIDE = 32;

const LINE = 'fill="none" stroke-linecap="round" stroke-linejoin="round"';

/** Draws the mark, a milled coin with two arrows, in a square of side `MARK_SIDE`. For sizes below 24 pixels use `smallMark`. */
export function mark({ rim, face, arrows }: MarkColours): string {
  return (
    `<circle cx="16" cy="16" r="15" fill="none" stroke="${rim}" stroke-width="1.6" stroke-dasharray="1.1 1.256"/>` +
    `<circle cx="16" cy="16" r="12" fill="${face}"/>` +
    `<path d="M10 13.2h9.6m0 0-2.9-2.9m2.9 2.9-2.9 2.9M22 19.4h-9.6m0 0 2.9-2.9m-2.9 2.9 2.9 2.9" stroke="${arrows}" stroke-width="1.9" ${LINE}/>`
  );
}

/** Draws the arrows of the small mark, without its coin. */
export const smallArrows = (colour: string): string =>
  `<path d="M8.6 12.6h12.8m0 0-3.6-3.6m3.6 3.6-3.6 3.6M23.4 19.8H10.6m0 0 3.6-3.6m-3.6 3.6 3.6 3.6" stroke="${colour}" stroke-width="2.2" ${LINE}/>`;

/** Draws the mark for small sizes, such as a browser's tab: without a rim, with larger arrows. */
export const smallMark = ({ face, arrows }: Pick<MarkColours, 'face' | 'arrows'>): string =>
  `<circle cx="16" cy="16" r="16" fill="${face}"/>${smallArrows(arrows)}`;

/** Returns an SVG file with these drawings. A title makes it an image with that label. */
export const svgFile = (width: number, height: number, drawings: string, title?: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"${title === undefined ? '' : ` role="img" aria-label="${title}"`}>${drawings}</svg>`;
