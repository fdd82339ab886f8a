import { type RedirectFunction, redirect } from 'react-router';
import type { Visit } from '../../../../../server/routing/visit.ts';
import { pageUrl } from '../../../../pages.ts';
import { answered } from '../answered.ts';
import type { BusinessAnswer } from '../page.server.ts';
import { errorsOf, readApplication, valuesOf } from './application-form.ts';

/** Data of the form for an application. */
export interface ApplyData extends Omit<BusinessAnswer, 'business'> {
  /** Values of the form's fields of an earlier application that was refused, or of a business that was closed. */
  readonly values: Readonly<Record<string, string>>;
}

/** Loads the form. An account whose business isn't refused or closed is sent to the business's page. */
export async function load({ client, locale }: Visit): Promise<ApplyData | ReturnType<RedirectFunction>> {
  const { business, ...rest } = await client.business({});
  if (business && business.state !== 'refused' && business.state !== 'closed') return redirect(pageUrl(locale, 'business'));
  return { ...rest, values: business ? valuesOf(business) : {} };
}

/** Sends the application. */
export const submit = ({ client, locale }: Visit, form: URLSearchParams): Promise<unknown> =>
  answered(
    form,
    async () => {
      await client.businessApply(readApplication(form, locale));
      return redirect(pageUrl(locale, 'business'), 303);
    },
    (errors) => errorsOf(errors, form),
  );
