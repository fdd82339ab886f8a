import { redirect } from 'react-router';
import { failedWith } from '../../../server/document/failure.ts';
import type { Visit } from '../../../server/routing/visit.ts';
import { pageUrl } from '../../pages.ts';

/** The exchange that a visitor asked for, as the calculator reads it. */
type Asked = Readonly<Record<string, string>>;

/** Says in the address of the dashboard's first step why its visitor is to sign in. */
export const NEEDS_ACCOUNT = { needs: 'account' } as const;

/**
 * The way to sign in and go on with the same exchange, where a call refused it because it takes an account; undefined for any
 * other failure.
 */
export function signInFirst({ locale }: Pick<Visit, 'locale'>, error: unknown, asked: Asked): Response | undefined {
  return failedWith(error, 'sign_in_needed')
    ? redirect(pageUrl(locale, 'newOrder', { ...asked, ...NEEDS_ACCOUNT }), 303)
    : undefined;
}
