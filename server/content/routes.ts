import { type Output, Problem, type Routes } from '@kurs/contract';
import { lockMinutes } from '../compliance/index.ts';
import { type Db, LastGood, type Work } from '../platform/index.ts';
import { directionsWire } from '../pricing/index.ts';
import { type LatestOrder, landingOf } from './landing.ts';
import { rulesOf } from './rules.ts';
import { settings } from './settings.ts';
import { type Times, statusOf } from './status.ts';

export type { LatestOrder };

export type ContentOptions = {
  /** Returns the newest paid out orders, at most `max`, without anything that names a customer. */
  latestOrders(db: Db, max: number): Promise<readonly LatestOrder[]>;
  /** Number of paid out orders, and their median minutes; absent if there are too few. */
  figures(db: Db): Promise<Output<Routes['landing']>['figures']>;
  times: Times;
  /** Minutes for which a quote is held at the review. */
  quoteMinutes(): number;
};

const LATEST = 6;
type Landing = Output<Routes['landing']>;

/** Time for which the latest orders are cached for all visitors of the home page. */
const LATELY_MS = 1_000;
/** Time for which the history of rails is cached. */
const STATUS_MS = 10_000;

/** The room's calls by their names in the contract. */
export function contentRoutes({ latestOrders, figures, times, quoteMinutes }: ContentOptions): {
  [N in 'landing' | 'rules' | 'status']: Work<Routes[N]>;
} {
  const latest = new LastGood<readonly LatestOrder[]>('newest orders', LATELY_MS);
  const done = new LastGood<Landing['figures']>('orders done', LATELY_MS);
  const status = new LastGood<Output<Routes['status']>>('how rails ran', STATUS_MS);
  return {
    async landing(_input, { db }) {
      const [newest, known] = await Promise.all([latest.ask(() => latestOrders(db, LATEST)), done.ask(() => figures(db))]);
      return landingOf({
        hero: settings.get('content.hero'),
        shown: directionsWire(),
        latest: newest?.value ?? [],
        figures: known ? { ...known.value, age_seconds: Math.floor(known.ageMs / 1_000) } : {},
        lockMinutes: lockMinutes(),
        quoteMinutes: quoteMinutes(),
      });
    },
    rules: async (_input, { locale }) => rulesOf(locale),
    async status(_input, { db }) {
      const known = await status.ask(() => statusOf(db, times));
      if (!known) throw new Problem('unavailable');
      return known.value;
    },
  };
}
