import { type Statements, canonicalEmail } from '../../platform/index.ts';

/**
 * Whose code a newcomer came with: an account's id. Undefined for the code of nobody, of an account that is closed, and of
 * the newcomer under another spelling of the same address.
 */
export async function referrerOf(db: Statements, code: string | undefined, email: string): Promise<string | undefined> {
  if (code === undefined) return undefined;
  const found = await db.row<{ id: string; email: string }>(
    'select id, email from account_holder where referral_code = upper($1) and closed_at is null',
    [code],
  );
  return found && canonicalEmail(found.email) !== canonicalEmail(email) ? found.id : undefined;
}
