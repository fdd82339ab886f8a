import type { Output, Routes } from '@kurs/contract';
import { lockMinutes } from '../compliance/index.ts';
import { type Db, type Work, monotonicMs } from '../platform/index.ts';
import { directionsWire } from '../pricing/index.ts';
import { type LatestOrder, landingOf } from './landing.ts';
import { rulesOf } from './rules.ts';
import { settings } from './settings.ts';
import { type Times, statusOf } from './status.ts';

export type { LatestOrder };

export type ContentOptions = {
  /** The newest orders that were paid out, at most `most`, without anything that names a customer. */
  latestOrders(db: Db, most: number): Promise<readonly LatestOrder[]>;
  /** How many orders were paid out, and the median minutes that took; absent where there are too few. */
  figures(db: Db): Promise<Output<Routes['landing']>['figures']>;
  times: Times;
  /** Minutes for which a quote is held at the review. */
  quoteMinutes(): number;
};

const LATEST = 6;
/** What was done lately is read at most once in so long, however many look at the home page. */
const LATELY_MS = 1_000;
/** How rails ran is looked through so seldom. */
const STATUS_MS = 10_000;

/** The room's calls by their names in the contract. */
export function contentRoutes({ latestOrders, figures, times, quoteMinutes }: ContentOptions): {
  [N in 'landing' | 'rules' | 'status']: Work<Routes[N]>;
} {
  const read = (db: Db) => Promise.all([latestOrders(db, LATEST), figures(db)]);
  const lately = keptFor(LATELY_MS, read);
  const status = keptFor(STATUS_MS, (db: Db) => statusOf(db, times));
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
    status: (_input, { db }) => status(db),
  };
}

/** Reads once for everybody who asks within so many milliseconds; what failed is read anew. */
function keptFor<T>(ms: number, read: (db: Db) => Promise<T>): (db: Db) => Promise<T> {
  let kept: { readonly until: number; readonly answer: Promise<T> } | undefined;
  return (db) => {
    if (kept && kept.until > monotonicMs()) return kept.answer;
    const asked = { until: monotonicMs() + ms, answer: read(db) };
    asked.answer.catch(() => (kept = undefined));
    kept = asked;
    return asked.answer;
  };
}
