import { createHash } from 'node:crypto';
import type { Form } from '../provider/index.ts';

/** Signed fields of a shop's form, in order. Additional fields (`m_params`) come before the secret, if there are any. */
const FORM = ['m_shop', 'm_orderid', 'm_amount', 'm_curr', 'm_desc'];
/** Signed fields of Payeer's message. */
const MESSAGE = [
  ...['m_operation_id', 'm_operation_ps', 'm_operation_date', 'm_operation_pay_date'],
  ...['m_shop', 'm_orderid', 'm_amount', 'm_curr', 'm_desc', 'm_status'],
];

function sign(names: readonly string[], fields: Form, secret: string): string {
  const hash = createHash('sha256');
  for (const name of names) hash.update(`${fields[name] ?? ''}:`);
  if (fields['m_params'] !== undefined) hash.update(`${fields['m_params']}:`);
  return hash.update(secret).digest('hex').toUpperCase();
}

/** Returns the signature of a shop's form. */
export const signForm = (fields: Form, secret: string): string => sign(FORM, fields, secret);

/** Returns a message with Payeer's signature. */
export const signMessage = (fields: Form, secret: string): Form => ({ ...fields, m_sign: sign(MESSAGE, fields, secret) });
