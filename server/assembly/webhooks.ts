import { alarmWebhook } from '../alarms/index.ts';
import { type Deliveries, openPost, runDeliveries } from '../deliveries/index.ts';
import { type Config, type Db, openSealer, serverKeys } from '../platform/index.ts';

/** Makes deliveries of all kinds that this version knows, until stopped. */
export function runWebhooks(config: Config, db: Db): Deliveries {
  return runDeliveries({
    db,
    kinds: [alarmWebhook],
    sealer: openSealer(serverKeys(config.KURS_DATA), 'webhook secrets'),
    poster: openPost({ privateOrigin: config.KURS_PRIVATE_WEBHOOKS }),
  });
}
