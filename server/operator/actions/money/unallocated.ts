// Unexplained money without an order, which two people assign to a customer.

import { type Input, Problem, type Routes, fieldProblem } from '@kurs/contract';
import { holderByEmail } from '../../../auth/index.ts';
import { type Sender, clearRefundAccount, clearToCustomer } from '../../../exchange/index.ts';
import { accounts, balances } from '../../../ledger/index.ts';
import { currencyOf } from '../../../payments/index.ts';
import { type Db, requirePermission } from '../../../platform/index.ts';
import type { Person } from '../../people/roles.ts';
import { type Acted, actAs } from '../../people/two-people.ts';
import { partsOf } from './typed-amount.ts';

/**
 * Turns money that was booked as unexplained into an unallocated payment of a customer who has no order for it; takes two
 * people. The payment is held. A person then lets the customer choose, or sends the payment back to `account` or to an account
 * that the customer names. Throws `not_enough_there` if less money is booked as unexplained. Throws `validation` at currency,
 * amount and account, the refusal of the account, and the errors of `actAs`.
 */
export async function allocate(
  db: Db,
  sender: Sender,
  person: Person,
  input: Input<Routes['operatorUnallocated']>,
  key?: string,
): Promise<Acted> {
  requirePermission(person, 'money.correct');
  const { currency, amount, email, locale, txid, reason } = input;
  const info = currencyOf(currency);
  if (!info) throw fieldProblem('currency', 'currency_unknown');
  const parts = partsOf(info.unit, amount);
  // Calls the network, so no transaction may be open.
  const refund = input.account && (await clearRefundAccount(db, currency, input.account));
  const check = async (): Promise<void> => {
    const [unexplained = 0n] = await balances(db, [accounts.suspense(info.unit)]);
    if (unexplained < parts) throw new Problem('not_enough_there');
  };
  const body = { amount, email, locale, txid, ...(refund && { to: refund.key }) };
  const wanted = { action: 'desk_unallocated', subject: currency, reason, permission: 'money.correct', people: 2 } as const;
  return db.tx((tx) =>
    actAs(tx, person, { ...wanted, body, key, check }, async () => {
      const holder = await holderByEmail(tx, email);
      if (holder?.isAltered) throw new Problem('record_altered');
      const customer = holder ? { email: holder.email, holderId: holder.id, locale: holder.locale } : { email, locale };
      await clearToCustomer(tx, sender, { customer, currency, parts, txid, ...(refund && { refund }) });
    }),
  );
}
