// Decides the clearance of final payments into wallets.

import { holderById } from '../../auth/index.ts';
import { type PaidFor, STRANGER, checkPayments } from '../../collecting/index.ts';
import { bindPayers, isReversible } from '../../compliance/index.ts';
import type { PayinBody } from '../../payments/index.ts';
import type { Tx } from '../../platform/index.ts';
import type { Deposit, Clearance } from './deposit.ts';
import { unclearedMs } from '../settings.ts';
import type { WalletAddress } from '../store.ts';

const FLAGGED = 'its sender was flagged';

/** Function that returns the clearance of a final payment. While the clearance is not known, returns the reason. */
type ClearanceCheck = (body: PayinBody) => Clearance | { readonly waits: string; readonly isStrange: boolean };

/** Returns true if the deposit's payment system can take the payment back for months. */
export const isReversibleDeposit = ({ currency }: Pick<Deposit, 'currency'>): boolean => isReversible(currency);

/**
 * Checks the payments of a group of events. Binds the provider's account that paid to the deposit's holder, unless the account
 * may belong to somebody else.
 */
export async function checkDeposits(
  tx: Tx,
  events: readonly { readonly body: PayinBody; readonly address: WalletAddress }[],
): Promise<ClearanceCheck> {
  const paid: PaidFor[] = [];
  for (const { body, address } of events) {
    const isWhole = body.event === 'final' && body.part === undefined && isReversible(body.currency);
    const holder = isWhole ? await holderById(tx, address.holderId) : undefined;
    paid.push({
      body,
      reportedTo: address.id,
      by: isWhole ? { owner: { kind: 'wallet', id: address.id }, email: holder?.email ?? '' } : undefined,
    });
  }
  const check = await checkPayments(tx, paid);
  const own = paid.flatMap(({ body, by }) => (by && !check(body).isStranger ? [by.owner] : []));
  if (own.length > 0) await bindPayers(tx, own);
  const freeAt = new Date(tx.now.getTime() + unclearedMs());
  return (body) => {
    if (body.event !== 'final') return {};
    const { verdict, isFlagged, isStranger, why: waits = '', isStrange = false } = check(body);
    if (verdict === 'waits') return { waits, isStrange };
    const why = isFlagged ? FLAGGED : isStranger ? STRANGER : undefined;
    return { why, freeAt: isReversible(body.currency) ? freeAt : undefined };
  };
}
