import { Problem, fieldProblem } from '@kurs/contract';
import type { Statements } from '../../platform/index.ts';
import { accountProblem } from '../rails/account-problem.ts';
import { isOwnAddress } from './open-payin.ts';
import { checkAccount, currencyOf } from '../rails/registry.ts';

type Fields = Readonly<Record<string, string>>;

/** A checked account. `fields`: in canonical form. `key`: one text that identifies the account. */
export interface GivenAccount {
  readonly fields: Fields;
  readonly key: string;
}

/**
 * Checks an account given by a customer, by decoding it. `given`: the fields as typed. `input`: name of the input (`receive`).
 * Throws `validation` at `<input>.<field>` if that field is unknown, empty or malformed, or if the account has a wrong checksum,
 * is on another network or is our own.
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
