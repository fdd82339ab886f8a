/** The colours of a mark: of its rim, its face, and the arrows on it. Whatever SVG takes for a colour. */
export interface MarkColours {
  readonly rim: string;
  readonly face: string;
  readonly arrows: string;
}

/** The mark on light and on dark ground, in colours of the scales (`primary-700`, …). */
export const ON_LIGHT = { rim: 'primary-700', face: 'primary-700', arrows: 'white' } as const;
export const ON_DARK = { rim: 'primary-300', face: 'primary-400', arrows: 'primary-950' } as const;

/** The side of the square that the mark is drawn in. */
export const MARK_SIDE = 32;

const LINE = 'fill="none" stroke-linecap="round" stroke-linejoin="round"';

/** The mark's drawing, in a square of 32: a milled coin with two arrows. From 24 pixels on; below it is `smallMark`. */
export function mark({ rim, face, arrows }: MarkColours): string {
  return (
    `<circle cx="16" cy="16" r="15" fill="none" stroke="${rim}" stroke-width="1.6" stroke-dasharray="1.1 1.256"/>` +
    `<circle cx="16" cy="16" r="12" fill="${face}"/>` +
    `<path d="M10 13.2h9.6m0 0-2.9-2.9m2.9 2.9-2.9 2.9M22 19.4h-9.6m0 0 2.9-2.9m-2.9 2.9 2.9 2.9" stroke="${arrows}" stroke-width="1.9" ${LINE}/>`
  );
}

/** The arrows by themselves, as the small mark has them. */
export const smallArrows = (colour: string): string =>
  `<path d="M8.6 12.6h12.8m0 0-3.6-3.6m3.6 3.6-3.6 3.6M23.4 19.8H10.6m0 0 3.6-3.6m-3.6 3.6 3.6 3.6" stroke="${colour}" stroke-width="2.2" ${LINE}/>`;

/** The mark where it is small (a browser's tab): no rim, larger arrows. */
export const smallMark = ({ face, arrows }: Pick<MarkColours, 'face' | 'arrows'>): string =>
  `<circle cx="16" cy="16" r="16" fill="${face}"/>${smallArrows(arrows)}`;

/** An SVG file around drawings. */
export const svgFile = (width: number, height: number, drawings: string, title?: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"${title === undefined ? '' : ` role="img" aria-label="${title}"`}>${drawings}</svg>`;
