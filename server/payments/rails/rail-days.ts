/** A period during which a rail was down, in ms since 1970. Without `ended`, the rail is still down. */
export interface Outage {
  readonly began: number;
  readonly ended?: number;
}

/** Availability of a rail on one UTC day. */
export interface RailDay {
  /** Day as `2026-11-23`. */
  readonly day: string;
  /** Seconds of the day during which we polled the rail's health. */
  readonly watched: number;
  /** Seconds of `watched` during which the rail was down. */
  readonly down: number;
}

const DAY_MS = 24 * 3600 * 1000;

/**
 * Returns a rail's availability on each of the last `days` days, today last. `watchedSince`, `now` and the outages are in ms. On
 * days before `watchedSince`, the rail was watched for 0 seconds.
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
