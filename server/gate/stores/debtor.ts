import { type AccountRef, accounts } from '../../ledger/index.ts';

/** Owner of the money of a store: its business, or the holder of a personal store. */
export interface Debtor {
  readonly businessId: string | undefined;
  readonly holderId: string;
}

/** Returns the party under which the owner of a store owes the desk. It names the account `receivable`. */
export const partyOf = ({ businessId, holderId }: Debtor): string =>
  businessId === undefined ? holderId : `business_${businessId}`;

/** Returns a business as the owner of its stores. */
export const ofBusiness = (businessId: string): Debtor => ({ businessId, holderId: '' });

/** Returns the account of what the owner of a store owes the desk in a unit. */
export const debtAccount = (debtor: Debtor, unit: string): AccountRef => accounts.receivable(partyOf(debtor), unit);
