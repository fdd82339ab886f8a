// Handlers of this room's calls.

import type { Routes } from '@kurs/contract';
import type { Db, Work } from '../platform/index.ts';
import { TO_DO } from './alarm.ts';
import { raised, reportedLately } from './store.ts';

/** Maximum number of past messages returned. */
const MAX = 200;

/** Returns the handlers of the room's calls, by their names in the contract. */
export const alarmRoutes = (db: Db): { operatorAlarms: Work<Routes['operatorAlarms']> } => ({
  async operatorAlarms({ all }) {
    const open = await raised(db);
    const events = all === '1' ? await reportedLately(db, MAX) : [];
    return {
      open: open.map(({ key, words, kind, since, reportedAt = since }) => ({
        ...{ alarm: key, words, to_do: TO_DO[kind] },
        ...{ since: since.toISOString(), last_told: reportedAt.toISOString() },
      })),
      reported: events.map(({ at, notice, key, words, since }) => ({
        ...{ at: at.toISOString(), notice, alarm: key, words, since: since.toISOString() },
      })),
    };
  },
});
