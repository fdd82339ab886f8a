import { redirect } from 'react-router';
import { failedWith } from '../../../server/document/failure.ts';
import type { Visit } from '../../../server/routing/visit.ts';
import { pageUrl } from '../../pages.ts';

/** Input of the requested exchange, as query of the calculator. */
type CalculatorQuery = Readonly<Record<string, string>>;

/** Query that tells the dashboard's first step why its visitor has to sign in. */
export const NEEDS_ACCOUNT = { needs: 'account' } as const;

/**
 * Redirects to the sign-in, which continues with the same exchange, if a call was refused because the exchange requires an
 * account. Returns undefined for any other error.
 */
export function signInFirst({ locale }: Pick<Visit, 'locale'>, error: unknown, request: CalculatorQuery): Response | undefined {
  return failedWith(error, 'sign_in_needed')
    ? redirect(pageUrl(locale, 'newOrder', { ...request, ...NEEDS_ACCOUNT }), 303)
    : undefined;
}
