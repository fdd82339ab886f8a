import { m } from '../../../../features/words.ts';
import type { OwnStore } from './store-words.ts';

/** Page of a store. */
export interface StoreTab {
  readonly page: 'store' | 'storeMembers' | 'storeKeys';
  readonly word: () => string;
}

const SETTINGS: StoreTab = { page: 'store', word: () => m.store_settings() };
const MEMBERS: StoreTab = { page: 'storeMembers', word: () => m.store_members() };
const KEYS: StoreTab = { page: 'storeKeys', word: () => m.store_keys() };

/** Returns the pages of a store that the account holder may open. A personal store has neither members nor keys. */
export const tabsOf = ({ kind, permissions }: Pick<OwnStore, 'kind' | 'permissions'>): readonly StoreTab[] => [
  SETTINGS,
  ...(kind !== 'personal' && permissions.includes('members.manage') ? [MEMBERS] : []),
  ...(kind !== 'personal' && permissions.includes('keys.manage') ? [KEYS] : []),
];
