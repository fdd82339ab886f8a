import type { Routes } from '@kurs/contract';
import type { Fraction } from '@kurs/money';
import type { Statements, Work } from '../platform/index.ts';
import { botChallenge, botLoad } from './bot/bot.ts';
import { configured } from './configure.ts';

/**
 * Returns the handlers of the room's routes. `heldShare`: function that returns the share of the reserves that is set aside for
 * unpaid orders. The room pricing provides it, since it knows the reserves.
 */
export function complianceRoutes(heldShare: (db: Statements) => Promise<Fraction>): {
  botChallenge: Work<Routes['botChallenge']>;
} {
  return {
    async botChallenge(input, { db }) {
      const [now, held] = await Promise.all([db.now(), heldShare(db)]);
      const challenge = await botChallenge({ now, held, load: await botLoad(db, now), calculation: input.for, work: input.work });
      const { provider } = configured();
      const request = provider?.isSilent() === false ? provider : undefined;
      return { ...challenge, provider: request ? { name: request.name, site_key: request.siteKey } : null };
    },
  };
}
