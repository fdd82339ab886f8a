import { redirect } from 'react-router';
import { failedWith } from '../../../server/document/failure.ts';
import type { Visit } from '../../../server/routing/visit.ts';
import { pageUrl } from '../../pages.ts';

/** Inputs of the requested exchange, as a query for the calculator. */
type CalculatorQuery = Readonly<Record<string, string>>;

/** Query by which the dashboard's first step knows that the visitor's exchange requires an account. */
export const NEEDS_ACCOUNT = { needs: 'account' } as const;

/**
 * Returns a redirect to the sign-in if a call was refused because the exchange requires an account. After the sign-in the same
 * exchange continues. Returns undefined for any other error.
 */
export function signInFirst({ locale }: Pick<Visit, 'locale'>, error: unknown, request: CalculatorQuery): Response | undefined {
  return failedWith(error, 'sign_in_needed')
    ? redirect(pageUrl(locale, 'newOrder', { ...request, ...NEEDS_ACCOUNT }), 303)
    : undefined;
}
