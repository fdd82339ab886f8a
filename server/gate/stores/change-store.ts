import type { Input, Routes } from '@kurs/contract';
import type { Db } from '../../platform/index.ts';
import { planNextDay } from '../plans/plan-rows.ts';
import type { Store } from './store.ts';
import { lockStore, saveStore } from './store-rows.ts';
import { requireChoices, requireReturn, withInput } from './store-settings.ts';

/** Changes the settings of a store that the input has. Throws `validation` for one that the store may not have. */
export async function changeStore(db: Db, { store: id, ...input }: Input<Routes['storeChange']>): Promise<Store> {
  return db.tx(async (tx) => {
    const before = await lockStore(tx, id);
    const changed = withInput(before, input);
    requireChoices(changed, before);
    await requireReturn(tx, changed, before);
    await saveStore(tx, changed);
    // A day of the store ends at another time now.
    if (changed.timezone !== before.timezone) await planNextDay(tx, id);
    return changed;
  });
}
