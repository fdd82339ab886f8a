/**
 * The engraving: computed line art of banknotes, drawn once at build time into static SVG files. They are used as
 * masks over a gradient of the theme's colours, so one black drawing serves both themes.
 */

interface Ring {
  /** Radius of the ring and height of its waves, as shares of the drawing's radius. */
  readonly radius: number;
  readonly height: number;
  /** Waves around the ring. */
  readonly petals: number;
}

const RINGS: readonly Ring[] = [
  { radius: 0.9, height: 0.085, petals: 32 },
  { radius: 0.68, height: 0.11, petals: 24 },
  { radius: 0.44, height: 0.1, petals: 16 },
  { radius: 0.22, height: 0.075, petals: 8 },
];

/** The rosette in the middle of a note. */
export const SMALL_ROSETTE = {
  size: 230,
  rings: [
    { radius: 0.84, height: 0.12, petals: 24 },
    { radius: 0.52, height: 0.12, petals: 12 },
  ] satisfies Ring[],
};

/** A place in a drawing. */
export type Point = readonly [x: number, y: number];

const round = (value: number): number => Math.round(value * 10) / 10;

function path(points: readonly Point[], closed: boolean): string {
  const text = points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('');
  return `<path d="${text}${closed ? 'Z' : ''}"/>`;
}

/**
 * A rosette (guilloche): each ring is a family of closed waves of one frequency, shifted in phase, whose height swells
 * eight times around. Takes the side of the drawing, lines per ring and points of the longest line; gives the points of
 * each line.
 */
export function rosetteLines({ size = 900, lines = 6, points = 200, rings = RINGS } = {}): Point[][] {
  const centre = size / 2;
  return rings.flatMap((ring, index) =>
    Array.from({ length: lines }, (_, line) => {
      const phase = (line / lines) * 2 * Math.PI;
      const count = Math.floor(Math.max(points * (0.35 + ring.radius * 0.65), ring.petals * 11));
      return Array.from({ length: count }, (__, point): Point => {
        const angle = (point / count) * 2 * Math.PI;
        const swell = 0.58 + 0.42 * Math.cos(8 * angle + index * Math.PI);
        const radius = centre * (ring.radius + ring.height * Math.sin(ring.petals * angle + phase) * swell);
        return [centre + radius * Math.cos(angle), centre + radius * Math.sin(angle)];
      });
    }),
  );
}

/** A rosette as a picture. */
export function rosette(options: Parameters<typeof rosetteLines>[0] & { size?: number } = {}): string {
  const { size = 900 } = options;
  return drawing(
    size,
    size,
    rosetteLines(options).map((line) => path(line, true)),
  );
}

/** A band of interlaced waves, as along the edge of a note: the points of each line. */
export function waveLines({ width = 592, height = 30, lines = 9, swing = 9, periods = 9 } = {}): Point[][] {
  return Array.from({ length: lines }, (_, line) =>
    Array.from({ length: Math.floor(width / 4) + 1 }, (__, step): Point => {
      const x = step * 4;
      const turn = (x / width) * Math.PI * periods;
      return [x, height / 2 + swing * Math.sin(turn * 2 + line * 0.35) * Math.cos(turn * 0.5 + line * 0.12)];
    }),
  );
}

/** A band of waves as a picture. */
export function waves({ width = 592, height = 30 } = {}): string {
  return drawing(
    width,
    height,
    waveLines({ width, height }).map((line) => path(line, false)),
  );
}

function drawing(width: number, height: number, curves: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" fill="none" stroke="#000" stroke-width=".8">${curves.join('')}</svg>`;
}
