import type { Output, Routes } from '@kurs/contract';

type Landing = Output<Routes['landing']>;
export type Directions = Output<Routes['directions']>;

/** A paid out order, without anything that names its customer. */
export type LatestOrder = Landing['latest_orders'][number];

export interface LandingInput {
  readonly hero: Landing['hero'];
  readonly shown: Directions;
  readonly latest: readonly LatestOrder[];
  readonly figures: Landing['figures'];
  readonly lockMinutes: number;
  readonly quoteMinutes: number;
}

/**
 * Data of the home page. The calculator begins with the operator's pair if that is open, otherwise with the first open one. A
 * reserve appears once per currency got. There are no reviews until somebody writes one.
 */
export function landingOf({ hero, shown, latest, figures, lockMinutes, quoteMinutes }: LandingInput): Landing {
  const { directions, rates_at, rates_seeded } = shown;
  const first = directions.find(({ open }) => open) ?? directions[0];
  const isOffered = directions.some(({ from, to }) => from === hero.from && to === hero.to);
  const reserves = new Map(directions.map(({ to, reserve }) => [to, reserve]));
  return {
    hero: isOffered || !first ? hero : { from: first.from, to: first.to, amount: first.min },
    directions,
    reserves: [...reserves].map(([currency, amount]) => ({ currency, amount })),
    latest_orders: [...latest],
    reviews: [],
    figures,
    lock_minutes: lockMinutes,
    quote_minutes: quoteMinutes,
    ...(rates_at !== undefined && { rates_at }),
    rates_seeded,
  };
}
