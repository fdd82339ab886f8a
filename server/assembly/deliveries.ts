import { postbackChannel } from '../affiliates/index.ts';
import { alarmWebhook } from '../alarms/index.ts';
import { storeChannels } from '../gate/index.ts';
import { type Deliveries, mailChannel, openPost, runDeliveries, webhookChannel } from '../deliveries/index.ts';
import { type Config, type Db, log, openSealer, serverKeys } from '../platform/index.ts';
import { postOf } from './sender.ts';

/** Delivers letters and webhooks of all kinds that this version knows, until stopped. Without a mail server letters wait. */
export function runAllDeliveries(config: Config, db: Db): Deliveries {
  const sealer = openSealer(serverKeys(config.KURS_DATA), 'webhook secrets');
  const poster = openPost({ privateOrigin: config.KURS_PRIVATE_WEBHOOKS });
  const post = postOf(config);
  if (post.smtpUrl === '') log.warn('SMTP_URL is not set: mail stays queued');
  return runDeliveries({
    db,
    channels: [
      webhookChannel(alarmWebhook, { db, sealer, poster }),
      postbackChannel({ db, sealer, poster }),
      ...storeChannels({ db, sealer, poster }),
      ...(post.smtpUrl === '' ? [] : [mailChannel(post)]),
    ],
  });
}
