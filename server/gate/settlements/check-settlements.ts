// Checks settled sums and moves against the books.

import { wrongDebts } from '../../compliance/index.ts';
import { type BooksCheck, type Fault, type Scope, accounts, accuse, flowsOf, ownersOf, unlikeBooks } from '../../ledger/index.ts';
import { type Statements, inGroupsById } from '../../platform/index.ts';
import { alteredDebts, openDebts } from '../settled/debt-rows.ts';
import { COSTS_OWED, alteredDisputeCosts } from '../settled/dispute-cost-rows.ts';
import { alteredPlans } from '../plans/plan-rows.ts';
import { debtAccount, isOfPerson, notedAs, ofBusiness } from '../stores/debtor.ts';
import { allUnits } from '../settled/repay.ts';
import { alteredSettled, reservesOfStores } from '../settled/settled-rows.ts';
import { WRITTEN_OFF, alteredWriteOffs, recoveredSums } from '../settled/write-off-rows.ts';
import { MOVED_TO_STORE, MOVED_TO_WALLET, alteredSettlements } from './settlement-rows.ts';

/** A store with the sums of its rows by unit, as text. */
interface StoreSums {
  readonly id: string;
  readonly businessId: string | null;
  readonly holderId: string;
  readonly settled: Readonly<Record<string, string>>;
  readonly moved: Readonly<Record<string, string>>;
}

/** Reads stores with money of their own in the order of their ids, from the first after `behind`. With `ids`, only those. */
const storesAfter = (
  db: Statements,
  {
    behind,
    max,
    ids,
  }: { readonly behind: string | undefined; readonly max: number; readonly ids: readonly string[] | undefined },
): Promise<StoreSums[]> =>
  db.rows<StoreSums>(
    `select store.id, store.business_id as "businessId", store.holder_id as "holderId",
       (select coalesce(jsonb_object_agg(unit, parts), '{}') from
         (select unit, sum(parts)::text as parts from settled_payment where store_id = store.id group by unit) as s) as settled,
       (select coalesce(jsonb_object_agg(unit, parts), '{}') from
         (select unit, sum(case direction when 'to_wallet' then -parts else parts end)::text as parts
          from settlement where store_id = store.id group by unit) as m) as moved
     from store where kind <> 'test' and ($1::uuid is null or id > $1)
       and ($3::uuid[] is null or id = any ($3)
         or business_id in (select business_id from store where id = any ($3)))
     order by id limit $2`,
    [behind ?? null, max, ids ?? null],
  );

/**
 * Returns faults of stores: what moved between balance and wallet differs from the rows of moves, or what invoices brought a business
 * differs from the rows of its settled payments. Reversals take from the balance and from the debt, so both are added up.
 */
async function strangeStores(db: Statements, scope: Scope | undefined): Promise<Fault[]> {
  const ids = scope && (await ownersOf(db, ['merchant', 'merchant:reserve'], scope));
  const stores: StoreSums[] = [];
  const read = (behind: string | undefined, max: number) => storesAfter(db, { behind, max, ids });
  for await (const some of inGroupsById(read, ({ id }) => id)) stores.push(...some);
  const units = allUnits();
  const merchants = stores.flatMap(({ id }) =>
    units.flatMap((unit) => [accounts.merchant(id, unit).name, accounts.merchantReserve(id, unit).name]),
  );
  const debts = stores.flatMap((store) => units.map((unit) => debtOf(store, unit)));
  const flows = await flowsOf(db, [...merchants, ...new Set(debts)], { without: [] });
  const flow = new Map(flows.map(({ account, type, parts }) => [`${account} ${type}`, parts]));
  const owners = Map.groupBy(stores, ({ id, businessId }) => businessId ?? id);
  return [...owners.values()].flatMap((own) =>
    units.flatMap((unit): Fault[] => {
      const wrong = own.filter(
        ({ id, moved }) => (flow.get(`${accounts.merchant(id, unit).name} wallet`) ?? 0n) !== BigInt(moved[unit] ?? 0),
      );
      const settled = own.reduce((sum, one) => sum + BigInt(one.settled[unit] ?? 0), 0n);
      const came = own
        .flatMap(({ id }) => [accounts.merchant(id, unit), accounts.merchantReserve(id, unit)])
        .reduce((sum, { name }) => sum + (flow.get(`${name} invoice:set`) ?? 0n), 0n);
      const [first] = own;
      const owed = first ? (flow.get(`${debtOf(first, unit)} invoice:set`) ?? 0n) : 0n;
      return [
        ...wrong.map(({ id }) => ({
          ...{ check: 'settlement', account: accounts.merchant(id, unit).name },
          words: 'other sums moved between the balance and the wallet than the moves say',
        })),
        ...(came + owed === settled || !first
          ? []
          : [
              {
                ...{ check: 'settlement', account: accounts.merchant(first.id, unit).name },
                words: `invoices brought its owner ${came + owed}, and the settled payments say ${settled}`,
              },
            ]),
      ];
    }),
  );
}

const debtOf = ({ businessId, holderId }: StoreSums, unit: string): string =>
  debtAccount({ businessId: businessId ?? undefined, holderId }, unit).name;

/** Returns faults of businesses of whose written-off debts other sums became a debt again in the books than their rows say. */
async function wronglyRecovered(db: Statements): Promise<Fault[]> {
  const sums = (await recoveredSums(db)).map((sum) => ({
    ...sum,
    account: debtAccount(ofBusiness(sum.businessId), sum.unit).name,
  }));
  const names = sums.map(({ account }) => account);
  const flows = await flowsOf(db, names, { without: [] });
  const again = new Map(flows.flatMap(({ account, type, parts }) => (type === 'desk:free' ? [[account, -parts] as const] : [])));
  return sums.flatMap(({ account, parts }): Fault[] => {
    const owed = again.get(account) ?? 0n;
    const words = `${owed} of its written-off debts are owed again, and their rows say ${parts}`;
    return owed === parts ? [] : [{ check: 'debt', account, words }];
  });
}

/** Returns the ids of debts of personal stores' owners that the room of compliance has with another sum, or not at all. */
async function wronglyNoted(db: Statements): Promise<string[]> {
  const owed = (await openDebts(db)).filter(isOfPerson).map((debt) => [notedAs(debt), debt] as const);
  return wrongDebts(db, 'store', new Map(owed));
}

/** Checks of the books for settlements: settled payments, moves and plans. */
export const settlementCheck: BooksCheck = {
  accountTypes: ['receivable', 'merchant:reserve'],
  causes: [
    { kinds: ['merchant_settled', 'merchant_funded'], rows: 'select id from settlement' },
    { kinds: ['write_off'], rows: 'select id from store_write_off' },
    { kinds: ['dispute_cost'], rows: 'select id from store_dispute_cost' },
  ],
  balances: async (db) => [
    ...(await openDebts(db)).map(({ party, unit, parts }) => ({
      ...{
        account: accounts.receivable(party, unit),
        parts,
        of: 'payments that were taken back from stores, and costs of disputes',
      },
    })),
    ...(await reservesOfStores(db)).map(({ storeId, unit, parts }) => ({
      ...{ account: accounts.merchantReserve(storeId, unit), parts, of: 'settled payments that can be taken back' },
    })),
  ],
  async faults(db, scope) {
    const unconfirmed = [
      ...(await unlikeBooks(db, 'merchant_settled', MOVED_TO_WALLET, scope)),
      ...(await unlikeBooks(db, 'merchant_funded', MOVED_TO_STORE, scope)),
    ];
    const notOwed = await unlikeBooks(db, 'dispute_cost', COSTS_OWED, scope);
    const notLost = await unlikeBooks(db, 'write_off', WRITTEN_OFF, scope);
    return [
      ...accuse('settled', await alteredSettled(db, scope?.causes), 'the settled payment is not what was booked'),
      ...accuse('settlement', await alteredSettlements(db, scope?.causes), 'the move of a store is not what was made'),
      ...accuse('settlement', unconfirmed, 'no journal confirms the move of a store'),
      ...accuse('store', await alteredPlans(db), 'the plan of the store’s moves is not what its owner set'),
      ...accuse('debt', await alteredDebts(db), 'the debt of a store’s owner is not what was booked'),
      ...accuse('debt', await wronglyNoted(db), 'the debt of a personal store is not what stops its owner'),
      ...accuse('debt', await alteredWriteOffs(db), 'the written-off debt is not what two people decided'),
      ...accuse('debt', await alteredDisputeCosts(db), 'the cost of a dispute is not what two people booked'),
      ...accuse('debt', notOwed, 'no journal confirms the cost of a dispute'),
      ...accuse('debt', notLost, 'no journal confirms the written-off debt'),
      ...(await wronglyRecovered(db)),
      ...(await strangeStores(db, scope)),
    ];
  },
};
