import { fieldProblem } from '@kurs/contract';
import type { AccountField } from '../../rails/rail.ts';

/**
 * Returns the entered fields of a voucher without spaces and dashes, which people and banks add. Throws `validation` on
 * `fields.<name>` if a field is unknown, missing or malformed.
 */
export function voucherFields(fields: readonly AccountField[], given: Readonly<Record<string, string>>): Record<string, string> {
  const unknown = Object.keys(given).find((name) => !fields.some((field) => field.name === name));
  if (unknown !== undefined) throw fieldProblem(`fields.${unknown}`, 'unknown_field');
  return Object.fromEntries(
    fields.map(({ name, required, pattern }) => {
      const text = (given[name] ?? '').replaceAll(/[\s-]/g, '');
      if (text === '' && required) throw fieldProblem(`fields.${name}`, 'required');
      if (pattern !== undefined && !new RegExp(pattern).test(text)) throw fieldProblem(`fields.${name}`, 'voucher_format');
      return [name, text];
    }),
  );
}
