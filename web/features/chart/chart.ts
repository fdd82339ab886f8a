// Geometry of a chart of rates, computed in integers: rates are decimals of any length, which floats can't represent.

/** Rate at a moment. `at` is in milliseconds since 1970; `value` is a plain decimal. */
export interface ChartPoint {
  readonly at: number;
  readonly value: string;
}

/** Chart as SVG paths in a box of `WIDTH` × `HEIGHT`. Gridlines divide the box into bands of equal height. */
export interface Chart {
  readonly line: string;
  readonly area: string;
  /** Distance of the line's last point from the top of the box. */
  readonly endY: number;
  /** Values of the gridlines, from the top one to the bottom one. */
  readonly ticks: readonly string[];
  readonly low: string;
  readonly high: string;
}

export const WIDTH = 1000;
export const HEIGHT = 240;
/** Maximum number of bands between gridlines. `HEIGHT` is divisible by every number up to this maximum. */
const MAX_BANDS = 4n;
const HOUR_MS = 3_600_000;
/** Interval between the points of a whole week, in hours. A history of less than two days has points every hour or two. */
const STEP_HOURS = 8;
const SHORT_MS = 48 * HOUR_MS;

/** True if the history is shorter than two days, too short for a point every eight hours. */
export const isShort = (points: readonly ChartPoint[]): boolean => (points.at(-1)?.at ?? 0) - (points[0]?.at ?? 0) < SHORT_MS;

/**
 * Returns the points to show in the chart and its table: those at 00:00, 08:00 and 16:00 UTC. A history of less than two days has
 * a point every hour or two.
 */
export function thinned(points: readonly ChartPoint[]): ChartPoint[] {
  const step = isShort(points) ? (points.length > 24 ? 2 : 1) : STEP_HOURS;
  return points.filter(({ at }) => Math.floor(at / HOUR_MS) % step === 0);
}

/** Computes the chart of at least two points, sorted from the oldest to the newest. */
export function drawChart(points: readonly ChartPoint[]): Chart {
  const digits = Math.max(...points.map(({ value }) => behind(value).length), 8);
  const values = points.map(({ value }) => scaled(value, digits));
  const low = values.reduce((a, b) => (b < a ? b : a));
  const high = values.reduce((a, b) => (b > a ? b : a));
  const { bottom, step, bands } = gridOf(low, high, 10n ** BigInt(digits - shownDigits(high, digits)));
  const [first, last] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 1];
  const places = points.map(({ at }, index) => {
    const y = HEIGHT - Math.trunc(+String((((values[index] as bigint) - bottom) * BigInt(HEIGHT)) / (bands * step)));
    return [Math.round(((at - first) * WIDTH) / Math.max(1, last - first)), y] as const;
  });
  const line = `M${places.map(([x, y]) => `${x} ${y}`).join('L')}`;
  const text = (value: bigint): string => unscaled(value, digits);
  return {
    line,
    area: `${line}V${HEIGHT}H0z`,
    endY: places.at(-1)?.[1] ?? 0,
    ticks: Array.from({ length: Math.trunc(+String(bands)) + 1 }, (_, index) => text(bottom + (bands - BigInt(index)) * step)),
    low: text(low),
    high: text(high),
  };
}

/** Returns the smallest round step (1, 2 or 5 times a power of ten) at which all values fit into the maximum number of bands. */
function gridOf(low: bigint, high: bigint, unit: bigint): { bottom: bigint; step: bigint; bands: bigint } {
  for (let power = unit; ; power *= 10n) {
    for (const factor of [1n, 2n, 5n]) {
      const step = power * factor;
      const bottom = low === high ? (low / step - 1n) * step : (low / step) * step;
      const bands = (high - bottom + step - 1n) / step;
      if (bands <= MAX_BANDS) return { bottom, step, bands: bands < 2n ? 2n : bands };
    }
  }
}

const behind = (value: string): string => value.split('.')[1] ?? '';

const scaled = (value: string, digits: number): bigint =>
  BigInt((value.split('.')[0] ?? '0') + behind(value).padEnd(digits, '0'));

function unscaled(value: bigint, digits: number): string {
  const text = value.toString().padStart(digits + 1, '0');
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** Returns the number of decimals that a chart shows for a value: two from ten upwards, otherwise four. */
const shownDigits = (value: bigint, digits: number): number => (value >= 10n ** BigInt(digits + 1) ? 2 : 4);
