// Rows as the desk's tool prints them: in words, with units. --json has the rows as received.

import type { Client } from '@kurs/contract/client';
import { MAX_OF_A_DETAIL, moment } from './desk-print.ts';

type RowOf<
  N extends
    | 'operatorAbuse'
    | 'operatorCoupons'
    | 'operatorClaims'
    | 'operatorDeposits'
    | 'operatorOrders'
    | 'operatorPots'
    | 'operatorRails'
    | 'operatorReserves'
    | 'operatorWithdrawals',
> =
  Awaited<ReturnType<Client[N]>> extends infer A
    ? A extends readonly (infer R)[]
      ? R
      : A extends { data: readonly (infer R)[] }
        ? R
        : never
    : never;

const sum = ({ amount, currency }: { readonly amount: string; readonly currency: string }): string => `${amount} ${currency}`;

/** Returns an order's row. */
export const orderRow = ({ id, kind, state, status, from, give, to, get, email, ...rest }: RowOf<'operatorOrders'>): object => ({
  ...{ id, kind, state, status, give: sum({ amount: give, currency: from }) },
  get: to === undefined ? '' : sum({ amount: get ?? '', currency: to }),
  ...{ email, ...rest },
});

/** Matches the end of the detail of a payment system that is not set up: when settings were read. */
export const READ = /; (read at the start of .*)$/;

/** Returns a payment system's row. */
export const railRow = (one: RowOf<'operatorRails'>): object => ({
  rail: one.rail,
  takes: one.takes.join(' ') || 'off',
  payouts: one.payouts ? 'on' : 'off',
  answers: one.set_up ? (one.up ? 'yes' : 'NO') : '',
  since: moment(one.since),
  'last answer': moment(one.answered),
  // The reason why it isn't set up is never shortened.
  word: one.set_up ? one.detail.slice(0, MAX_OF_A_DETAIL) : one.detail.replace(READ, ''),
  currencies: one.currencies.join(' '),
});

/** Returns the addresses for the desk's own money, by currency. */
export const capitalRows = (rails: readonly RowOf<'operatorRails'>[]): object[] =>
  rails.flatMap(({ rail, own_accounts: own }) => own.map(({ currency, account }) => ({ currency, 'send to': account, rail })));

type Reserve = RowOf<'operatorReserves'>;

/** Returns the desk's money in each currency, and what can be promised of it. */
export const reserveRows = (found: readonly Reserve[]): object[] =>
  found.map(({ currency, unit, free, unexplained, stuck, payable, reserve }) => {
    const sums = Object.entries({ free, unexplained, stuck, payable, 'can be promised': reserve });
    return { currency, ...Object.fromEntries(sums.map(([name, amount]) => [name, short(amount, unit)])) };
  });

/** Returns each place where money lies, with the figures of the books and of the payment system. */
export const placeRows = (found: readonly Reserve[]): object[] =>
  found.flatMap(({ currency, places }) =>
    places.map(({ place, unit, books, rail, difference, at }) => ({
      ...{ currency, place, books: short(books, unit), rail: short(rail, unit), difference: short(difference, unit) },
      at: moment(at),
    })),
  );

/** Returns an amount with its unit, without zeros at the end. */
export const short = (amount: string | undefined, unit: string): string =>
  amount === undefined ? '' : `${amount.replace(/(\.\d\d\d*?)0+$/, '$1')} ${unit}`;

/** Returns the row of a claim of a refund that waits. */
export const claimRow = ({
  id,
  refund,
  store,
  business = '',
  claimed,
  receives,
  usd,
  by,
  to,
  people,
  asked_at,
  reason = '',
}: RowOf<'operatorClaims'>): object => ({
  ...{ id, people, store, business, refund, claimed: short(claimed.amount, claimed.currency) },
  ...{ receives: short(receives.amount, receives.currency), usd, by, to: Object.values(to).join(' '), asked_at, reason },
});

/** Returns the row of a withdrawal that waits. */
export const withdrawalRow = (one: RowOf<'operatorWithdrawals'>): object => {
  const {
    id,
    status,
    email,
    amount,
    usd,
    by,
    to,
    people,
    asked_at,
    reason = '',
    frozen_until = '',
    debts,
    blocked,
    allow_list,
    source,
    suspended,
  } = one;
  return {
    ...{
      id,
      status,
      people,
      email,
      of: source === 'affiliate' ? 'rewards' : 'wallet',
      amount: sum(amount),
      worth: `${usd} USD`,
      by,
    },
    ...{ to: Object.values(to).join(' '), asked_at, reason, 'frozen until': frozen_until, blocked: blocked ? 'BLOCKED' : '' },
    ...{ suspended: suspended ? 'SUSPENDED' : '' },
    ...{ owes: debts.map(sum).join(', '), 'allow-list': allow_list },
  };
};

/** Returns the row of a deposit whose sender a person must check. */
export const depositRow = ({
  id,
  email,
  amount,
  by,
  why,
  papers,
  from,
  back_to,
  seen_at,
}: RowOf<'operatorDeposits'>): object => ({
  ...{ id, email, amount: sum(amount), by, why, papers: papers ?? '', from: from.join(' ') },
  ...{ 'back to': back_to ? Object.values(back_to).join(' ') : '--account', seen_at },
});

type PricePreview = Awaited<ReturnType<Client['operatorPrices']>>['directions'][number];

/** Returns the row of a quote before and after a change of its direction. */
export const quoteRow =
  ({ from, to }: Pick<PricePreview, 'from' | 'to'>) =>
  ({ give, day_ago: dayAgo, before, after, keeps, floor }: PricePreview['quotes'][number]): object => ({
    give: `${give} ${from}`,
    ...(dayAgo !== undefined && dayAgo !== before && { 'a day ago': `${dayAgo} ${to}` }),
    before: before === undefined ? '' : `${before} ${to}`,
    after: after === undefined ? '' : `${after} ${to}`,
    'the desk keeps': keeps === undefined ? '' : `${keeps} ${from}`,
    ...(floor ? {} : { floor: 'BELOW' }),
  });

/** Returns a coupon's row: its value, its uses, and what it may still cost. */
export const couponRow = (one: RowOf<'operatorCoupons'>): object => {
  const { code, kind, state, percent, value, uses, taken, left, held, max, until, made_by: by, made_at: at } = one;
  return {
    ...{ code, kind, state, gives: percent === undefined ? short(value, 'USD') : `${percent} %` },
    used: uses === undefined ? `${taken}` : `${taken} of ${uses}`,
    ...{ left: short(left, 'USD'), held: short(held, 'USD'), max: short(max, 'USD'), until: moment(until) },
    ...{ 'made by': by.join(', '), 'made at': moment(at) },
  };
};

/** Returns the row of a reward that waits for a decision. */
export const caseRow = ({ amount, ...one }: RowOf<'operatorAbuse'>): object => ({ ...one, amount: short(amount, 'USDT') });

/** Returns a pot's row. */
export const potRow = ({ pot, left }: RowOf<'operatorPots'>): object => ({ pot, left: short(left, 'USDT') });
