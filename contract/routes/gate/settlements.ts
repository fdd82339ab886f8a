// Calls about a store's balance, and about moves between it and its owner's wallet.

import { z } from 'zod';
import { confirmingCodes } from '../../confirming.ts';
import { route } from '../../route.ts';
import { amount, day, id, inOrder, longPage, money, time, unitCode } from '../../wire.ts';
import { HOLDER_STOPS } from '../account/money-out.ts';
import { ofStore, storeId } from './stores.ts';

const ofSettlements = { ...ofStore, tag: 'Settlements' } as const;
const wrong = { error: 'wrong_value' };

const direction = z.enum(['to_wallet', 'to_store'], wrong).meta({
  description: '`to_wallet`: from the store’s balance to its owner’s wallet · `to_store`: back from the wallet',
});

const STOPS = [
  'store_closed',
  'record_altered',
  'withdrawals_frozen',
  'account_closed',
  'reversal_pending',
  'business_owes',
] as const;
const stop = z.enum(STOPS, wrong).meta({
  id: 'SettlementStop',
  description:
    'Why nothing leaves the store now. `store_closed`: its business is not approved now · `record_altered`: a record was changed, and the desk checks it · `withdrawals_frozen`: the owner’s account is frozen for some days · `account_closed` · `reversal_pending`: a payment was just taken back · `business_owes`: the business owes the desk',
});

const unitBalance = z
  .object({
    currency: unitCode,
    balance: amount,
    /** Part of the balance from payments that a chain may still take back. */
    not_deep: amount,
    /** Part of the balance above the limit of a day. */
    over_limit: amount,
    /** Part of the balance that can be moved to the wallet now. */
    movable: amount,
    /** Sum in the reserve, beside the balance: of payments that can be taken back for months. */
    reserve: amount,
    /** Debt of the store's owner to the desk in this currency; it is repaid from what is settled. */
    debt: amount,
  })
  .meta({ id: 'StoreBalanceOfUnit' });

const storeBalanceShape = z
  .object({
    balances: z.array(unitBalance),
    /** Absent if nothing stops moves. */
    stop: stop.optional(),
    /** End of the freeze of the owner's account. */
    frozen_until: time.optional(),
    /** Largest worth in USD that moves to the wallet in 24 hours; absent for a personal store. */
    limit_usd: amount.optional(),
    /** Worth in USD that may still move now. */
    left_usd: amount,
    /** True if the balance moves to the wallet at the end of each day. */
    daily: z.boolean(),
    releases: z
      .array(
        z.object({
          /** Day of the store's time zone; absent for money whose time in the reserve is over. */
          day: day.optional(),
          sum: money,
        }),
      )
      .meta({
        description:
          'What comes from the reserve to the balance, by day, the earliest first. Money whose time is over waits while its payer disputes the payment, or until the payment system says that nobody does',
      }),
    /** Worth in USD of what was settled, by day of the store's time zone: the last 30 days, oldest first. */
    days: z.array(z.object({ day, usd: amount })),
  })
  .meta({ id: 'StoreBalance' });

export const storeBalance = route({
  ...ofSettlements,
  allows: ['user: reports.read', 'key: reports.read'],
  method: 'GET',
  path: '/store/:store/balance',
  summary: 'A store’s balance by currency, what of it can be moved to the owner’s wallet now, and why the rest waits',
  input: z.object(storeId),
  output: storeBalanceShape,
  problems: ['record_altered'],
});

export const settlement = z
  .object({
    id,
    direction,
    sum: money,
    /** Worth in USD at the time of the move. */
    usd: amount,
    cause: z.enum(['owner', 'daily', 'deep', 'debt'], wrong).meta({
      description:
        '`owner`: the owner moved it · `daily`: moved at the end of the store’s day · `deep`: of a personal store, moved once no chain could take it back · `debt`: of a personal store, from the wallet, since its owner owes it',
    }),
    at: time,
  })
  .meta({ id: 'Settlement' });

/** Filters of the list of moves. */
export const settlementFilter = {
  direction: direction.optional(),
  currency: unitCode.optional(),
  from: day.optional(),
  to: day.optional(),
};

export const settlements = route({
  ...ofSettlements,
  allows: ['user: reports.read', 'key: reports.read'],
  method: 'GET',
  path: '/store/:store/settlements',
  summary:
    'Moves between a store’s balance and its owner’s wallet, newest first. `from` and `to` are days in the store’s time zone, both included',
  input: z.object({ ...storeId, ...settlementFilter, ...longPage }).refine(...inOrder),
  output: z.array(settlement),
  problems: ['record_altered'],
  isList: true,
});

const byOwner = { ...ofSettlements, allows: 'user: settlement.move', method: 'POST' } as const;
const move = (about: string) =>
  z.object({
    ...storeId,
    currency: unitCode,
    amount,
    ...confirmingCodes(`\`${about}-<store>-<currency>-<amount>\`, with \`_\` for the point`),
  });
const CODES = ['code_required', 'code_wrong', 'code_expired', 'two_factor_required', 'two_factor_wrong'] as const;

export const settlementMake = route({
  ...byOwner,
  path: '/store/:store/settlements/make',
  summary: 'Move a sum from a store’s balance to its owner’s wallet',
  input: move('w'),
  output: settlement,
  problems: [...STOPS, 'not_enough_in_store', 'not_deep_yet', 'business_limit', 'rates_unavailable', ...CODES],
  isIdempotent: true,
});

export const settlementMoveBack = route({
  ...byOwner,
  path: '/store/:store/settlements/move-back',
  summary: 'Move a sum from the owner’s wallet back to the balance of the store of a business, to refund from it',
  input: move('s'),
  output: settlement,
  problems: ['store_closed', 'rates_unavailable', 'not_enough_money', ...HOLDER_STOPS, ...CODES],
  isIdempotent: true,
});

export const settlementDaily = route({
  ...byOwner,
  path: '/store/:store/settlements/daily',
  summary: 'Move the balance of a store to its owner’s wallet at the end of each day, or no longer',
  input: z.object({ ...storeId, on: z.boolean() }),
  output: storeBalanceShape,
  problems: ['store_closed', 'record_altered'],
});
