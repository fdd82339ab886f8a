import { Problem } from '@kurs/contract';
import { screen } from '../../compliance/index.ts';
import { canSend, checkGivenAccount, currencyOf } from '../../payments/index.ts';
import type { Statements } from '../../platform/index.ts';
import type { RailAccount, SideAccount } from '../order/order.ts';

type Fields = Readonly<Record<string, string>>;

/** The side of an order that an account serves, with its currency. */
export interface AccountSide {
  readonly currency: string;
  readonly side: SideAccount['side'];
}

/**
 * Checks the account that a customer or operator names in an action on an order. Throws the errors of `checkGivenAccount`, on
 * `account.<field>`.
 */
export async function checkSideAccount(
  db: Statements,
  { currency, side }: AccountSide,
  given: Fields = {},
): Promise<SideAccount> {
  return { ...(await checkGivenAccount(db, currency, given, 'account')), side };
}

/** Like `checkSideAccount`, and screens the account. No transaction may be open. Throws also the errors of `requireClear`. */
export async function clearSideAccount(db: Statements, of: AccountSide, given: Fields = {}): Promise<SideAccount> {
  const account = await checkSideAccount(db, of, given);
  await requireClear([{ currency: of.currency, account }]);
  return account;
}

/** Checks and screens an account for a refund. Throws the errors of `clearSideAccount`. */
export const clearRefundAccount = (db: Statements, currency: string, given: Fields): Promise<SideAccount> =>
  clearSideAccount(db, { currency, side: 'give' }, given);

/** An account as a customer entered it. */
export interface GivenAccount {
  readonly currency: string;
  readonly given: Fields;
  /** Name of the input field, for errors. */
  readonly input: string;
  /** The account belongs to the payer and is for refunds. Its rail decides which fields it needs, if any. */
  readonly isOfPayer?: true;
}

/**
 * Checks an account. Undefined if a payer's account was left empty and isn't needed: the rail refunds to the source of the
 * payment, or can't send at all.
 */
async function checkGiven(db: Statements, { currency, given, input, isOfPayer }: GivenAccount): Promise<RailAccount | undefined> {
  const info = currencyOf(currency);
  const fields = isOfPayer ? info?.payerFields : undefined;
  if (isOfPayer && Object.keys(given).length === 0 && info && !canSend(currency)) return undefined;
  if (fields?.length === 0 && Object.keys(given).length === 0 && info && info.fields.length > 0) return undefined;
  return checkGivenAccount(db, currency, given, input, fields);
}

/** Checks several accounts, and reports all their errors together. Throws the errors of `checkGivenAccount`. */
export async function checkCustomerAccounts(
  db: Statements,
  accounts: readonly GivenAccount[],
): Promise<(RailAccount | undefined)[]> {
  const checks = accounts.map((account) => checkGiven(db, account));
  const refusals = (await Promise.allSettled(checks)).flatMap((check) =>
    check.status === 'rejected' ? [check.reason as unknown] : [],
  );
  const graver = refusals.find((refusal) => !(refusal instanceof Problem && refusal.code === 'validation'));
  if (graver !== undefined) throw graver;
  if (refusals.length === 0) return Promise.all(checks);
  const errors = Object.assign(
    {},
    ...(refusals as Problem[]).map(({ details }) => details.errors),
  ) as Problem['details']['errors'];
  throw new Problem('validation', errors ? { errors } : {});
}

/**
 * Screens accounts before money is promised to them. Makes network calls, so no transaction may be open. Throws `account_refused`
 * if the service warns of an account, and `unavailable` if a configured service doesn't answer.
 */
export async function requireClear(
  accounts: readonly { readonly currency: string; readonly account: RailAccount }[],
): Promise<void> {
  const screened = await screen(accounts.map(({ currency, account }) => ({ currency, fields: account.fields })));
  if (screened.outcome !== 'held') return;
  throw new Problem(screened.cause === 'silent' ? 'unavailable' : 'account_refused');
}
