import { STORE_ROLES } from '@kurs/contract';
import { resourceRoles, setResourceRole } from '../../auth/index.ts';
import type { Tx } from '../../platform/index.ts';
import { STORE } from './store.ts';

/** Stores the permissions of each role on stores, where the stored ones differ from the contract's. */
export async function seedStoreRoles(tx: Tx): Promise<void> {
  const stored = await resourceRoles(tx, STORE);
  for (const [role, permissions] of Object.entries(STORE_ROLES))
    if (stored.get(role)?.join() !== permissions.join())
      await setResourceRole(tx, { kind: STORE, role, permissions, by: 'installation' });
}
