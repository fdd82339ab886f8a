import { m } from '../../../../../features/words.ts';
import type { keyCalls } from './key-calls.ts';

export type Scope = Awaited<ReturnType<typeof keyCalls.apiKeys>>[number]['scopes'][number];

/** Description of each scope: the calls that it allows a program to make. */
export const SCOPE_WORDS: Readonly<Record<Scope, () => string>> = {
  'orders.read': () => m.keys_scope_orders(),
  'partner.orders': () => m.keys_scope_partner_orders(),
  'partner.read': () => m.keys_scope_partner_read(),
  'wallets.read': () => m.keys_scope_wallets(),
};
