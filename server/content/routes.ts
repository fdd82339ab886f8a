import type { Output, Routes } from '@kurs/contract';
import { lockMinutes } from '../compliance/index.ts';
import { type Db, type Work, monotonicMs } from '../platform/index.ts';
import { directionsWire } from '../pricing/index.ts';
import { type LatestOrder, landingOf } from './landing.ts';
import { rulesOf } from './rules.ts';
import { settings } from './settings.ts';

export type { LatestOrder };

export type ContentOptions = {
  /** The newest orders that were paid out, at most `most`, without anything that names a customer. */
  latestOrders(db: Db, most: number): Promise<readonly LatestOrder[]>;
  /** How many orders were paid out, and the median minutes that took; absent where there are too few. */
  figures(db: Db): Promise<Output<Routes['landing']>['figures']>;
  /** Minutes for which a quote is held at the review. */
  quoteMinutes(): number;
};

const LATEST = 6;
/** What was done lately is read at most once in so long, however many look at the home page. */
const LATELY_MS = 1_000;

/** The room's calls by their names in the contract. */
export function contentRoutes({ latestOrders, figures, quoteMinutes }: ContentOptions): {
  [N in 'landing' | 'rules']: Work<Routes[N]>;
} {
  const read = (db: Db) => Promise.all([latestOrders(db, LATEST), figures(db)]);
  let kept: { readonly until: number; readonly lately: ReturnType<typeof read> } | undefined;
  const lately = (db: Db): ReturnType<typeof read> => {
    if (kept && kept.until > monotonicMs()) return kept.lately;
    const asked = { until: monotonicMs() + LATELY_MS, lately: read(db) };
    asked.lately.catch(() => (kept = undefined));
    kept = asked;
    return asked.lately;
  };
  return {
    async landing(_input, { db }) {
      const [latest, known] = await lately(db);
      return landingOf({
        hero: settings.get('content.hero'),
        shown: directionsWire(),
        latest,
        figures: known,
        lockMinutes: lockMinutes(),
        quoteMinutes: quoteMinutes(),
      });
    },
    rules: async (_input, { locale }) => rulesOf(locale),
  };
}
