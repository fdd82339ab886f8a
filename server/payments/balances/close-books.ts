import { Problem } from '@kurs/contract';
import { type AccountRef, type Leg, accounts, balances, leg } from '../../ledger/index.ts';
import { type Db, type Statements, type Tx, log, newId } from '../../platform/index.ts';
import { bookForDesk } from './book-for-desk.ts';
import { currencies } from '../rails/registry.ts';
import { type Values, marketValues, pricesOf } from '../rails/values.ts';

/**
 * Closes the books: income becomes free money, and free money pays the expenses as far as it reaches. If a unit has gas set
 * aside, the gas pays network fees first. The desk's total stays the same. Throws `nothing_to_close`, and `not_enough_there` if
 * the money moved meanwhile. Posts, so it comes last in its transaction.
 */
export async function closeBooks(tx: Tx, { id }: { readonly id: string }, values: Values = marketValues): Promise<void> {
  const carried = currencies();
  const units = new Set(carried.map(({ unit }) => unit));
  const fuels = new Set(carried.map(({ fuel }) => fuel).filter((fuel) => !units.has(fuel)));
  const gas = new Set(carried.flatMap(({ unit, feesFrom }) => (feesFrom === 'fuel' ? unit : [])));
  const legs = [
    ...(await Promise.all([...units].map((unit) => closeUnit(tx, unit, accounts.deskFree(unit), gas.has(unit))))),
    ...(await Promise.all([...fuels].map((unit) => closeUnit(tx, unit, accounts.deskFuel(unit))))),
  ].flat();
  if (legs.length === 0) throw new Problem('nothing_to_close');
  const prices = pricesOf(values, [...units, ...fuels]);
  const [answer] = await bookForDesk(tx, [{ id, kind: 'close', legs, prices }]);
  if (answer?.status !== 'posted' && answer?.status !== 'replayed') throw new Problem('not_enough_there');
}

/**
 * Returns the legs that close one unit's books. `own`: the desk's account that gets the income and pays the expenses. `hasFuel`:
 * this unit has gas set aside, which pays network fees first.
 */
async function closeUnit(tx: Tx, unit: string, own: AccountRef, hasFuel = false): Promise<Leg[]> {
  const earned = (['spread', 'fee', 'gate'] as const).map((kind) => accounts.income(kind, unit));
  const gone = (['network', 'rail', 'discount', 'loss'] as const).map((kind) => accounts.spent(kind, unit));
  const [had = 0n, setAside = 0n, ...amounts] = await balances(tx, [own, accounts.deskFuel(unit), ...earned, ...gone]);
  const legs: Leg[] = [];
  let left = had;
  const byFuel = hasFuel ? smaller(setAside, amounts[earned.length] ?? 0n) : 0n;
  if (byFuel > 0n) legs.push(leg(accounts.deskFuel(unit), accounts.spent('network', unit), byFuel));
  for (const [at, income] of earned.entries()) {
    const parts = amounts[at] ?? 0n;
    // Income is negative after a reversal. Such income is not closed until later income makes up for it.
    if (parts <= 0n) continue;
    legs.push(leg(income, own, parts));
    left += parts;
  }
  // Network fees come first in `gone`, so free money pays them first.
  for (const [at, spent] of gone.entries()) {
    const parts = (amounts[earned.length + at] ?? 0n) - (at === 0 ? byFuel : 0n);
    const paid = smaller(parts, left);
    if (paid <= 0n) continue;
    legs.push(leg(own, spent, paid));
    left -= paid;
  }
  return legs;
}

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** Returns when the first day with unclosed books ended; undefined if every day is closed. */
export async function unclosedSince(db: Statements): Promise<Date | undefined> {
  const row = await db.row<{ ended: Date }>(
    `select (day + 1)::timestamp at time zone 'utc' as ended from book_day where day < (clock_now() at time zone 'utc')::date`,
    [],
    { name: 'payments.unclosed' },
  );
  return row?.ended;
}

/**
 * Closes the books once for each day that has ended (UTC, by the product's clock). The first worker to come does it. Does nothing
 * if nothing was earned or spent. If a concurrent posting makes the closing fail, the next turn tries again.
 */
export async function closeEachDay(db: Db, values: Values = marketValues): Promise<void> {
  const open = await db.row<{ is_today: boolean }>(
    `select day >= (clock_now() at time zone 'utc')::date as is_today from book_day`,
    [],
    { name: 'payments.book_day' },
  );
  if (open?.is_today) return;
  const isClosed = await db.tx(async (tx) => {
    const today = tx.now.toISOString().slice(0, 10);
    // On the desk's first day there is nothing to close: its row is only inserted.
    if ((await tx.run('insert into book_day (day) values ($1) on conflict do nothing', [today])) > 0) return false;
    if ((await tx.run('update book_day set day = $1 where day < $1', [today])) === 0) return false;
    return closeBooks(tx, { id: newId() }, values).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Problem && error.code === 'nothing_to_close') return false;
        throw error;
      },
    );
  });
  if (isClosed) log.info('the books were closed for the night');
}
