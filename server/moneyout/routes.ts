// Binds the contract's routes to this room's functions; no logic.

import type { Routes } from '@kurs/contract';
import { type Work, userOf } from '../platform/index.ts';
import { limitsView } from './limits.ts';
import { type BookDeps, bookView, forget, switchList, writeDown, writePersonDown } from './address-book.ts';

type RouteName =
  | 'walletLimits'
  | 'walletAddresses'
  | 'walletAddressStore'
  | 'walletPersonStore'
  | 'walletAddressRemove'
  | 'walletAllowList';

/** Returns the handlers of the room's routes. Each reads and changes only the data of the account holder who calls. */
export function moneyOutRoutes(deps: BookDeps): { [N in RouteName]: Work<Routes[N]> } {
  return {
    walletLimits: async (_input, context) => limitsView(deps.db, userOf(context), context),
    walletAddresses: async (_input, context) => bookView(deps.db, userOf(context).id),
    walletAddressStore: async (input, context) => writeDown(deps, userOf(context), input),
    walletPersonStore: async (input, context) => writePersonDown(deps, userOf(context), input),
    walletAddressRemove: async ({ id }, context) => forget(deps, userOf(context).id, id),
    walletAllowList: async (input, context) => switchList(deps, userOf(context), input),
  };
}
