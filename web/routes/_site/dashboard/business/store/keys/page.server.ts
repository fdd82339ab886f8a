import type { Visit } from '../../../../../../server/routing/visit.ts';
import { type StoreData, ownStore } from '../own-store.ts';

/** Loads the store whose keys the page shows. The keys are loaded by the page itself, as those of an account are. */
export const load = (visit: Visit): Promise<StoreData> => ownStore(visit, 'storeKeys');
