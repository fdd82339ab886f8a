import { restOf } from '../../../features/rest-of.ts';
import type { Invoice, PayAnswer } from './pay-data.ts';

/** Returns the error of a form's field; undefined if there is none, or another form was sent last. */
export const errorOf = (answer: PayAnswer | undefined, intent: string, field: string): string | undefined =>
  answer?.intent === intent ? answer.errors?.[field]?.[0] : undefined;

/** Returns the value that was typed into a field of a refused form; empty if another form was sent last. */
export const valueOf = (answer: PayAnswer | undefined, intent: string, field: string): string =>
  (answer?.intent === intent && answer.values?.[field]) || '';

/** Returns the method whose fields of the payer's account the page asks for, first or again; undefined if it asks for none. */
export function askedMethod(answer: PayAnswer | undefined): string | undefined {
  const isWrong = Object.keys(answer?.errors ?? {}).some((name) => name.startsWith('payer.'));
  return answer?.asks ?? (isWrong ? answer?.values?.['method'] : undefined);
}

type Payable = Pick<Invoice, 'stated' | 'methods' | 'option'>;

/** Returns the names of the fields that the page shows after an answer. */
function shownFields(answer: PayAnswer, { stated, methods, option }: Payable): readonly string[] {
  if (answer.intent === 'email') return ['email'];
  if (answer.intent === 'sandbox') return option && option.amount === undefined ? ['amount'] : [];
  const asked = methods.find(({ method }) => method === askedMethod(answer));
  if (asked) return asked.payer_fields.map(({ name }) => `payer.${name}`);
  return stated === undefined ? ['amount'] : [];
}

/** Returns the message of a refusal that no field of the page shows. */
export const messageOf = (answer: PayAnswer, invoice: Payable): string | undefined => {
  const shown = shownFields(answer, invoice);
  return restOf(answer, (field) => shown.includes(field));
};
