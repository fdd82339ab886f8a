// Costs of disputes at payment systems. Only the system's balance shows them, so two people of the desk book them by hand. The
// business owes the cost: its store’s balance repays it in the same journal.

import { Problem } from '@kurs/contract';
import { assetOf, money, roundTo } from '@kurs/money';
import { UnitOfWork, move, takenBack } from '../../collecting/index.ts';
import { accounts } from '../../ledger/index.ts';
import { type CurrencyInfo, currencyOf } from '../../payments/index.ts';
import type { Statements, Tx } from '../../platform/index.ts';
import { optionOf } from '../invoices/options.ts';
import { find } from '../invoices/steps.ts';
import { digitsOf } from '../methods/current-price.ts';
import { atMid } from '../refunds/actions/refundable.ts';
import { invoicesById } from '../rows/invoice-rows.ts';
import { debtAccount, ofBusiness, partyOf } from '../stores/debtor.ts';
import { lockDebts } from '../settled/debt-rows.ts';
import { addDisputeCost, disputeCostsOf } from '../settled/dispute-cost-rows.ts';
import { Debts } from '../settled/repay.ts';
import { settledById } from '../settled/settled-rows.ts';

/** A settled payment of a business that can be taken back for months. */
export interface Disputable {
  readonly paymentId: string;
  readonly businessId: string;
  readonly storeId: string;
  /** Currency of the payment, in which its system takes the cost of a dispute. */
  readonly currency: CurrencyInfo;
  /** Unit in which the payment was settled. */
  readonly unit: string;
  /** Costs that were booked for it, in minor units of the currency. */
  readonly booked: bigint;
  /** True if SQL changed a row of the payment. */
  readonly isAltered: boolean;
}

/** Returns a settled payment of a business that can be taken back for months; undefined if there is none with this id. */
export async function disputable(db: Statements, businessId: string, paymentId: string): Promise<Disputable | undefined> {
  const settled = await settledById(db, paymentId);
  if (!settled || settled.businessId !== businessId) return undefined;
  const [stored] = await invoicesById(db, [settled.invoiceId]);
  const payment = stored && find(stored.view, paymentId);
  const currency = payment && currencyOf(payment.currency);
  if (!stored || !currency || optionOf(stored.view, payment.optionId).isReversible !== true) return undefined;
  return {
    ...{ paymentId, businessId, storeId: settled.storeId, currency, unit: settled.unit },
    booked: await disputeCostsOf(db, paymentId),
    isAltered: settled.isAltered || stored.isAltered === true,
  };
}

/** Decision of two people. `parts`: the cost, in minor units of the payment's currency. `evidence`: the system's statement. */
export interface DisputeCostDecision {
  readonly parts: bigint;
  readonly people: readonly string[];
  readonly evidence: string;
}

/** Returns a cost in the unit that the business owes it in, at the middle rate of now, rounded up. Throws `rates_unavailable`. */
function owedFor({ currency, unit }: Disputable, parts: bigint): bigint {
  if (currency.unit === unit) return parts;
  const asset = assetOf(unit);
  return roundTo(atMid(money(currency.unit, parts), assetOf(currency.unit), unit, asset), digitsOf(asset), 'up').parts;
}

/**
 * Books the cost of a dispute about a payment. `action`: id of the action, of its row and of its journal. Throws `record_altered`,
 * `second_person_required` and `rates_unavailable`. Posts, so it comes last in its transaction.
 */
export async function bookDisputeCost(
  tx: Tx,
  action: string,
  about: Disputable,
  { parts, people, evidence }: DisputeCostDecision,
): Promise<void> {
  const { paymentId, businessId, storeId, currency, unit } = about;
  if (people.length < 2) throw new Problem('second_person_required');
  const store = { id: storeId, ...ofBusiness(businessId) };
  const isDebtAltered = (await lockDebts(tx, [partyOf(store)])).some(({ isAltered }) => isAltered);
  if (about.isAltered || isDebtAltered) throw new Problem('record_altered');
  const owed = owedFor(about, parts);
  await addDisputeCost(tx, {
    ...{ id: action, paymentId, businessId, storeId, currency: currency.code, parts, unit, owed },
    ...{ people, evidence, at: tx.now },
  });
  const work = new UnitOfWork(tx);
  const place = accounts.custody(currency.code, 'hot', currency.unit);
  const held = await work.shown(place);
  const debts = await Debts.lock(work, [store]);
  debts.add(store, unit, owed);
  const legs = [
    ...takenBack([[accounts.spent('rail', currency.unit), parts]], { place, rail: currency.rail, held }),
    ...move(debtAccount(store, unit), accounts.income('fee', unit), owed),
    ...(await debts.repay(store, unit)),
  ];
  await debts.save();
  work.post({ id: action, kind: 'dispute_cost', cause: action, legs });
  await work.commit();
}
