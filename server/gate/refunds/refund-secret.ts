// The secret of a refund's link. Its holder can claim the refund.

import { Problem } from '@kurs/contract';
import type { Statements, Tokens } from '../../platform/index.ts';
import type { Refund } from './machine/refund.ts';
import { readRefund, requireUnaltered } from './rows/refund-rows.ts';

const SECRET = { kind: 'store_refund', version: 1 } as const;

/** Returns the secret of a refund's link. */
export const refundSecret = (tokens: Tokens, id: string): string => tokens.make(SECRET.kind, id, SECRET.version);

/** Returns the refund that a link opens. Throws `refund_unknown` for a wrong secret, and `record_altered`. */
export async function refundBySecret(
  db: Statements,
  tokens: Tokens,
  { id, token }: { readonly id: string; readonly token: string },
): Promise<Refund> {
  if (!tokens.check(token, SECRET.kind, id, SECRET.version)) throw new Problem('refund_unknown');
  return requireUnaltered(await readRefund(db, id));
}
