// Binds the handlers of the desk's calls, which the operator's console serves.

import { alarmRoutes, hasAlarmSince } from '../../alarms/index.ts';
import { deskSessionRoutes, operatorRoutes } from '../../operator/index.ts';
import type { Server } from '../../platform/index.ts';
import { healthCall } from './health.ts';
import { mountAll } from './mount-all.ts';
import type { RoomParts } from './mount-rooms.ts';

/** Dependencies of the desk's handlers. */
export type DeskParts = Pick<RoomParts, 'db' | 'mode' | 'build' | 'sender' | 'receipts' | 'factors' | 'owners'>;

/** Binds the desk's handlers to the contract's calls. */
export function mountDesk(to: Server, { db, mode, build, sender, receipts, factors, owners }: DeskParts): void {
  mountAll(to, {
    health: healthCall({ db, mode, build }),
    ...alarmRoutes(db),
    ...deskSessionRoutes({ db, mode, name: sender.name, sealer: factors }),
    ...operatorRoutes(
      { db, sender, receipts },
      { isSandbox: mode === 'sandbox', name: sender.name, owners, sealer: factors, hasAlarmSince },
    ),
  });
}
