// Bindings of the contract's calls to this room's verbs; no logic.

import type { Routes } from '@kurs/contract';
import { format, money } from '@kurs/money';
import { type Db, type Work, userOf } from '../platform/index.ts';
import { ladder } from './loyalty-settings.ts';
import { holderStanding } from './standing.ts';

type Names = 'userDiscounts';

/** The room's calls by their names in the contract. */
export const loyaltyRoutes = (db: Db): { [N in Names]: Work<Routes[N]> } => ({
  async userDiscounts(_input, context) {
    const { cents, percent, next } = await holderStanding(db, userOf(context));
    return {
      percent,
      turnover: usd(cents),
      ...(next && { next: { from: usd(next.cents), percent: next.percent, missing: usd(next.cents - cents) } }),
      levels: ladder().map((level) => ({ from: usd(level.cents), percent: level.percent })),
    };
  },
});

const usd = (cents: bigint): string => format(money('USD', cents), 2);
