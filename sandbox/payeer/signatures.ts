import { createHash } from 'node:crypto';
import type { Form } from '../provider/index.ts';

/** What a shop's form signs, in this order. Additional fields (`m_params`) stand before the secret where there are any. */
const FORM = ['m_shop', 'm_orderid', 'm_amount', 'm_curr', 'm_desc'];
/** What Payeer's message signs. */
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

/** The signature that a shop's form must carry. */
export const signForm = (fields: Form, secret: string): string => sign(FORM, fields, secret);

/** A message with Payeer's signature. */
export const signMessage = (fields: Form, secret: string): Form => ({ ...fields, m_sign: sign(MESSAGE, fields, secret) });
