/** A time during which a rail was down; without an end: still. Milliseconds since 1970, as all times here. */
export interface Outage {
  readonly began: number;
  readonly ended?: number;
}

/** What is known of a rail on one day of UTC. */
export interface RailDay {
  /** `2026-11-23` */
  readonly day: string;
  /** Seconds of the day during which we watched the rail, and of these during which it was down. */
  readonly watched: number;
  readonly down: number;
}

const DAY_MS = 24 * 3600 * 1000;

/**
 * How well a rail ran on each of the last days, the present one last. Takes since when it has been watched, its outages
 * and the present; a day before that has been watched for no second.
 */
export function railDays(watchedSince: number, outages: readonly Outage[], now: number, days: number): RailDay[] {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  return Array.from({ length: days }, (_, index) => {
    const begin = today - (days - 1 - index) * DAY_MS;
    const [from, to] = [Math.max(begin, watchedSince), Math.min(begin + DAY_MS, now)];
    const down = outages.map(({ began, ended = now }) => overlap(from, to, began, ended));
    return {
      day: new Date(begin).toISOString().slice(0, 10),
      watched: seconds(overlap(from, to, from, to)),
      down: seconds(down.reduce((sum, one) => sum + one, 0)),
    };
  });
}

const overlap = (from: number, to: number, began: number, ended: number): number =>
  Math.max(0, Math.min(to, ended) - Math.max(from, began));

const seconds = (ms: number): number => Math.round(ms / 1000);
