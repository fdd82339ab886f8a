import { readTyped } from '@kurs/money';
import { data, redirect } from 'react-router';
import { findCurrency } from '../../../features/currency.ts';
import { unreadable } from '../../../features/unreadable.ts';
import { m } from '../../../features/words.ts';
import { shownCurrencies } from '../../../server/document/currencies.ts';
import { isCallError } from '../../../server/document/failure.ts';
import type { Visit } from '../../../server/routing/visit.ts';
import { storePayer, storedPayer } from './pay-cookie.ts';
import type { Invoice, PayAnswer } from './pay-data.ts';

/** Returns the invoice's id in the URL of the page. */
export const idOf = ({ url }: Visit): string => url.pathname.split('/').at(-1) ?? '';

/** Handles the forms of the page: the choice of a method, an e-mail address, and a payment of the sandbox or to a test invoice. */
export async function submit(visit: Visit, form: URLSearchParams): Promise<unknown> {
  const here = redirect(visit.url.pathname, 303);
  const given = { intent: form.get('intent') ?? '', values: Object.fromEntries(form) };
  const refuse = (refused: Pick<PayAnswer, 'errors' | 'message'>, status: number) =>
    data({ ...given, ...refused } satisfies PayAnswer, { status });
  try {
    const outcome = await actOn(visit, given.intent, form);
    if (outcome === undefined) return here;
    return 'errors' in outcome ? refuse(outcome, 422) : ({ ...given, ...outcome } satisfies PayAnswer);
  } catch (error) {
    if (!isCallError(error) || error.status >= 500) throw error;
    const { message, errors, status } = error;
    return error.code === 'invoice_unknown' ? here : refuse({ message, errors }, status);
  }
}

type TestCase = Parameters<Visit['client']['paymentTest']>[0]['case'];

/** Result of a form that doesn't lead back to the page: errors of its fields, or a further step. */
type Outcome = Pick<PayAnswer, 'asks' | 'isPaid'> | { readonly errors: NonNullable<PayAnswer['errors']> } | undefined;

async function actOn(visit: Visit, intent: string, form: URLSearchParams): Promise<Outcome> {
  const id = idOf(visit);
  switch (intent) {
    case 'email': {
      const secret = storedPayer(visit);
      await visit.client.paymentEmail({ id, email: (form.get('email') ?? '').trim(), ...(secret !== undefined && { secret }) });
      return undefined;
    }
    case 'test':
      await visit.client.paymentTest({ id, case: form.get('case') as TestCase });
      return undefined;
    case 'sandbox':
      return paySandbox(visit, await visit.client.paymentInvoice({ id }), form);
    default:
      return choose(visit, await visit.client.paymentInvoice({ id }), form);
  }
}

/** Chooses a method. Asks for the fields of the payer's account first, if the method requires them. */
async function choose(visit: Visit, invoice: Invoice, form: URLSearchParams): Promise<Outcome> {
  const { id, currency, methods, amount: due, stated } = invoice;
  const method = form.get('method') ?? '';
  const chosen = methods.find((one) => one.method === method);
  const payer = payerIn(form);
  if (chosen && chosen.payer_fields.length > 0 && Object.keys(payer).length === 0) return { asks: method };
  const sum = (form.get('amount') ?? '').trim();
  // The amount of a top-up is required, a part of what is due isn't.
  const isRead = stated === undefined && (due === undefined ? chosen?.kind === 'redirect' : sum !== '');
  const typed: Typed = isRead ? await typedAmount(visit, sum, currency) : {};
  if (typed.error !== undefined) return { errors: { amount: [typed.error] } };
  const { secret } = await visit.client.paymentMethod({ id, method, ...typed, ...(Object.keys(payer).length > 0 && { payer }) });
  if (secret !== undefined) storePayer(visit, id, secret);
  return undefined;
}

/** Returns the fields of the payer's account in a form. */
function payerIn(form: URLSearchParams): Record<string, string> {
  const fields = [...form].filter(([name]) => name.startsWith('payer.'));
  return Object.fromEntries(fields.map(([name, value]) => [name.slice('payer.'.length), value.trim()]));
}

/** Typed amount as decimal text, or the error for its field. */
interface Typed {
  readonly amount?: string;
  readonly error?: string;
}

/** Reads an amount that was typed in the language of the page. */
async function typedAmount(visit: Visit, text: string, code: string): Promise<Typed> {
  const { payDigits } = findCurrency(shownCurrencies(await visit.client.currencies({})), code);
  const amount = readTyped(text, visit.locale, payDigits);
  if (amount === undefined) return { error: unreadable(text) };
  return amount === '' ? { error: m.checkout_amount_missing() } : { amount };
}

/**
 * Pays what the payment option asks for from the wallet of the sandbox's customer. The idempotency key contains the invoice's
 * version, so pressing twice or reloading pays only once.
 */
async function paySandbox(visit: Visit, { id, version, option }: Invoice, form: URLSearchParams): Promise<Outcome> {
  if (option?.address === undefined) return undefined;
  const typed: Typed = option.amount === undefined ? await typedAmount(visit, form.get('amount') ?? '', option.method) : {};
  if (typed.error !== undefined) return { errors: { amount: [typed.error] } };
  await visit.client.sandboxPay(
    { currency: option.method, to: option.address, ...(option.amount !== undefined && { amount: option.amount }), ...typed },
    { idempotencyKey: `${id} pay ${form.get('version') ?? version}` },
  );
  return { isPaid: true };
}
