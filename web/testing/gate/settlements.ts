// Answers of the API about a store's balance and its moves, for tests.

import type { Output, Routes } from '@kurs/contract';
import type { Answers } from './answers.ts';

type Balance = Output<Routes['storeBalance']>;
type Settlement = Output<Routes['settlements']>[number];

const DAY_MS = 86_400_000;
/** Worth of what was settled on the last days, in whole USD: none before these. */
const SETTLED = [0, 120, 340, 80, 0, 410, 260, 505, 390, 610, 155, 90, 720, 480];
const DAYS = 30;

/** Returns a balance in two currencies, of which a part waits. `more`: fields that differ. */
export function balanceAs(now: Date, more: Partial<Balance> = {}): Balance {
  const days = Array.from({ length: DAYS }, (_, at) => ({
    day: new Date(now.getTime() - (DAYS - 1 - at) * DAY_MS).toISOString().slice(0, 10),
    usd: `${SETTLED[at - DAYS + SETTLED.length] ?? 0}.00`,
  }));
  return {
    balances: [
      {
        currency: 'USDT',
        balance: '4812.60',
        not_deep: '380.25',
        over_limit: '0.00',
        movable: '4432.35',
        reserve: '0.00',
        debt: '0.00',
      },
      {
        currency: 'BTC',
        balance: '0.41250000',
        not_deep: '0.00000000',
        over_limit: '0.19000000',
        movable: '0.22250000',
        reserve: '0.00000000',
        debt: '0.00000000',
      },
    ],
    ...{ limit_usd: '20000.00', left_usd: '20000.00', daily: false, releases: [], days },
    ...more,
  };
}

/** Returns moves of each direction and cause, the newest first. */
export const movesAs = (now: Date): Settlement[] =>
  (
    [
      ['to_wallet', '1250.00', 'daily', 0],
      ['to_store', '200.00', 'owner', 1],
      ['to_wallet', '3410.75', 'owner', 3],
    ] as const
  ).map(([direction, amount, cause, days], at) => ({
    ...{ id: `0197c3f2-0000-7000-8000-00000000000${at}`, direction, cause, sum: { amount, currency: 'USDT' }, usd: amount },
    at: new Date(now.getTime() - days * DAY_MS - 3_600_000).toISOString(),
  }));

/** Returns the answers about a store's balance and moves. `more`: fields of the balance that differ. */
export function settlementAnswers(now: Date, more: Partial<Balance> = {}): Answers {
  const wallet = { held: '0.00', uncleared: '0.00', incoming: '0.00', owed: '0.00' };
  return {
    storeBalance: () => balanceAs(now, more),
    settlements: ({ direction, per_page = 20 }: { direction?: Settlement['direction']; per_page?: number }) => {
      const data = movesAs(now).filter((one) => direction === undefined || one.direction === direction);
      return { data, meta: { current_page: 1, per_page, last_page: 1, total: data.length } };
    },
    settlementDaily: ({ on }: { on: boolean }) => balanceAs(now, { ...more, daily: on }),
    settlementMake: () => movesAs(now)[0],
    settlementMoveBack: () => movesAs(now)[1],
    wallets: () => [{ currency: 'USDT', available: '950.00', ...wallet }],
    userEmailGetOtp: () => ({}),
  };
}
