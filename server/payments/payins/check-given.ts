import { Problem, fieldProblem } from '@kurs/contract';
import type { Statements } from '../../platform/index.ts';
import { accountProblem } from '../rails/account-problem.ts';
import { isOwnAddress } from './open-payin.ts';
import { checkAccount, currencyOf } from '../rails/registry.ts';

type Fields = Readonly<Record<string, string>>;

/** A checked account: canonical fields and one key. */
export interface GivenAccount {
  readonly fields: Fields;
  readonly key: string;
}

/**
 * Checks an account given by a customer, by decoding it. Takes the currency, its fields as typed, and the name of the input
 * (`receive`). Throws `validation` on `<input>.<field>` if it is empty, another network's, has a wrong checksum, is no address,
 * or is one of our own.
 */
export async function checkGivenAccount(
  db: Statements,
  currency: string,
  given: Fields,
  input: string,
  fields = currencyOf(currency)?.fields ?? [],
): Promise<GivenAccount> {
  const info = currencyOf(currency);
  if (!info) throw new Problem('direction_closed', { params: { reason: 'rail_off' } });
  const unknown = Object.keys(given).find((name) => !fields.some((field) => field.name === name));
  if (unknown !== undefined) throw fieldProblem(`${input}.${unknown}`, 'unknown_field');
  const checked = checkAccount(currency, given);
  if (!checked.ok) {
    const { code, params } = accountProblem(info.network, checked);
    throw fieldProblem(`${input}.${checked.field}`, code, params);
  }
  if (await isOwnAddress(db, checked.key)) {
    const field = fields[0]?.name ?? 'address';
    throw fieldProblem(`${input}.${field}`, field === 'address' ? 'address_is_ours' : 'account_is_ours');
  }
  return { fields: checked.fields, key: checked.key };
}
