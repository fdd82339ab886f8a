import { Problem, fieldProblem } from '@kurs/contract';
import { MoneyError, parse } from '@kurs/money';
import { accounts, balances } from '../ledger/index.ts';
import {
  type Difference,
  checkAccount,
  currencies,
  currencyOf,
  differences,
  fundDesk,
  payable,
  withdrawDesk,
} from '../payments/index.ts';
import type { Db } from '../platform/index.ts';
import { reserveOf } from '../pricing/index.ts';
import type { Person } from './roles.ts';
import { type Acted, actAs } from './two-people.ts';

export interface Fund {
  readonly currency: string;
  readonly amount: string;
  readonly place: 'hot' | 'fuel';
  readonly reference: string;
  readonly reason: string;
}

export interface Withdraw {
  readonly currency: string;
  readonly amount: string;
  readonly to: Readonly<Record<string, string>>;
  readonly reason: string;
}

/**
 * Books the desk's own money that arrived at a rail (D1, D5). One operator; the coins are seen by reconciliation. With a
 * key it is booked once, also where the first answer was lost.
 */
export async function fund(db: Db, person: Person, input: Fund, key?: string): Promise<Acted> {
  const parts = partsOf(unitOf(input.currency), input.amount);
  const body = { amount: input.amount, place: input.place, reference: input.reference };
  const wanted = {
    act: 'desk_fund',
    subject: input.currency,
    reason: input.reason,
    role: 'operator',
    people: 1,
    body,
    key,
  } as const;
  return db.tx((tx) =>
    actAs(tx, person, wanted, (_by, id) => fundDesk(tx, { id, currency: input.currency, place: input.place, parts })),
  );
}

/** Sends the desk's own money out (D2): two operators, the same currency, amount and account. */
export async function withdraw(db: Db, person: Person, input: Withdraw, key?: string): Promise<Acted> {
  const info = currencyOf(input.currency);
  if (!info) throw fieldProblem('currency', 'currency_unknown');
  const parts = partsOf(info.unit, input.amount);
  const checked = checkAccount(input.currency, input.to);
  if (!checked.ok) throw fieldProblem(`to.${checked.field}`, `address_${checked.problem}`, { network: info.network });
  const wanted = {
    act: 'desk_withdraw',
    subject: input.currency,
    reason: input.reason,
    role: 'operator',
    people: 2,
    body: { amount: input.amount, to: checked.key },
    key,
  } as const;
  return db.tx((tx) =>
    actAs(tx, person, wanted, (_by, id) => withdrawDesk(tx, { id, currency: input.currency, parts, to: checked.fields })),
  );
}

/** Per currency: the desk's free money, what its rail can send now, what can be promised, and books beside rail. */
export async function reserves(db: Db) {
  const [found, ...amounts] = await Promise.all([
    differences(db),
    ...currencies().map(async (info) => ({
      info,
      free: (await balances(db, [accounts.deskFree(info.unit)]))[0] ?? 0n,
      payable: await payable(db, info.code),
    })),
  ]);
  return amounts.map(({ info, free, payable: now }) => ({
    code: info.code,
    unit: info.unit,
    free,
    payable: now,
    reserve: reserveOf(info.code).parts as bigint,
    places: (found as Difference[]).filter(({ currency }) => currency === info.code || currency === info.fuel),
  }));
}

/** A rail's currency, or the fuel of one. */
function unitOf(code: string): string {
  const info = currencyOf(code);
  if (info) return info.unit;
  if (currencies().some(({ fuel }) => fuel === code)) return code;
  throw fieldProblem('currency', 'currency_unknown');
}

function partsOf(unit: string, text: string): bigint {
  try {
    const { parts } = parse(unit, text);
    if (parts > 0n) return parts;
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
  }
  throw new Problem('validation', { errors: { amount: { code: 'amount_format' } } });
}
