/**
 * Computes line art like that on banknotes. The build draws it into static SVG files. Style sheets use the files as masks over a
 * gradient, so one black drawing serves the light and the dark theme.
 */

interface Ring {
  /** Radius of the ring, as a fraction of the drawing's radius. */
  readonly radius: number;
  /** Height of the ring's waves, as a fraction of the drawing's radius. */
  readonly height: number;
  /** Number of waves around the ring. */
  readonly petals: number;
}

const RINGS: readonly Ring[] = [
  { radius: 0.9, height: 0.085, petals: 32 },
  { radius: 0.68, height: 0.11, petals: 24 },
  { radius: 0.44, height: 0.1, petals: 16 },
  { radius: 0.22, height: 0.075, petals: 8 },
];

/** Options of the rosette in the middle of a banknote. */
export const SMALL_ROSETTE = {
  size: 230,
  rings: [
    { radius: 0.84, height: 0.12, petals: 24 },
    { radius: 0.52, height: 0.12, petals: 12 },
  ] satisfies Ring[],
};

/** Point of a drawing. */
export type Point = readonly [x: number, y: number];

const round = (value: number): number => Math.round(value * 10) / 10;

function path(points: readonly Point[], isClosed: boolean): string {
  const text = points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('');
  return `<path d="${text}${isClosed ? 'Z' : ''}"/>`;
}

/**
 * Returns the points of each line of a rosette (guilloche). Each ring has `lines` closed waves of one frequency, each shifted in
 * phase. The waves' height grows and shrinks eight times around the ring. `size` is the side of the drawing; `points` is the
 * number of points of the longest line.
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

/** Returns a rosette as an SVG file. */
export function rosette(options: Parameters<typeof rosetteLines>[0] & { size?: number } = {}): string {
  const { size = 900 } = options;
  return drawing(
    size,
    size,
    rosetteLines(options).map((line) => path(line, true)),
  );
}

/** Returns the points of each line of a band of interlaced waves, as along a banknote's edge. */
export function waveLines({ width = 592, height = 30, lines = 9, swing = 9, periods = 9 } = {}): Point[][] {
  return Array.from({ length: lines }, (_, line) =>
    Array.from({ length: Math.floor(width / 4) + 1 }, (__, step): Point => {
      const x = step * 4;
      const turn = (x / width) * Math.PI * periods;
      return [x, height / 2 + swing * Math.sin(turn * 2 + line * 0.35) * Math.cos(turn * 0.5 + line * 0.12)];
    }),
  );
}

/** Returns a band of waves as an SVG file. */
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
