// Handlers of this room's calls.

import type { Routes } from '@kurs/contract';
import type { Db, Work } from '../platform/index.ts';
import { TO_DO } from './alarm.ts';
import { raised, toldLately } from './store.ts';

/** Maximum number of past messages returned. */
const MOST = 200;

/** Returns the handlers of the room's calls, by their names in the contract. */
export const alarmRoutes = (db: Db): { operatorAlarms: Work<Routes['operatorAlarms']> } => ({
  async operatorAlarms({ all }) {
    const open = await raised(db);
    const told = all === '1' ? await toldLately(db, MOST) : [];
    return {
      open: open.map(({ key, words, kind, since, toldAt = since }) => ({
        ...{ alarm: key, words, to_do: TO_DO[kind] },
        ...{ since: since.toISOString(), last_told: toldAt.toISOString() },
      })),
      told: told.map(({ at, telling, key, words, since }) => ({
        ...{ at: at.toISOString(), telling, alarm: key, words, since: since.toISOString() },
      })),
    };
  },
});
