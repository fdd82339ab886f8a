import { type AccountRef, accounts } from '../../ledger/index.ts';
import { idOfText } from '../../platform/index.ts';

/** Beginning of the party of a business. */
const BUSINESS = 'business_';

/** Owner of the money of a store: its business, or the holder of a personal store. */
export interface Debtor {
  readonly businessId: string | undefined;
  readonly holderId: string;
}

/** Returns the party under which the owner of a store owes the desk. It names the account `receivable`. */
export const partyOf = ({ businessId, holderId }: Debtor): string =>
  businessId === undefined ? holderId : BUSINESS + businessId;

/** True if a party is an account holder, as the owner of personal stores. */
export const isOfPerson = ({ party }: { readonly party: string }): boolean => !party.startsWith(BUSINESS);

/** Returns the id under which the room of compliance knows what a person owes in a unit. */
export const notedAs = ({ party, unit }: { readonly party: string; readonly unit: string }): string =>
  idOfText(`store debt ${party} ${unit}`);

/** Returns a business as the owner of its stores. */
export const ofBusiness = (businessId: string): Debtor => ({ businessId, holderId: '' });

/** Returns the account of what the owner of a store owes the desk in a unit. */
export const debtAccount = (debtor: Debtor, unit: string): AccountRef => accounts.receivable(partyOf(debtor), unit);
