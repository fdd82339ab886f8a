import { EMAIL } from '@kurs/contract';
import { z } from 'zod';
import { defineSettings, fewer } from '../platform/index.ts';

const mailboxes = z.array(z.email({ pattern: EMAIL })).max(20);

export const settings = defineSettings('alarms', {
  'alarms.mail': {
    schema: mailboxes,
    initial: [],
    looser: fewer,
    words: 'mailboxes that alarms are written to',
  },
  'alarms.webhook': {
    schema: z.url({ protocol: /^https?$/ }).or(z.literal('')),
    initial: '',
    looser: 'any',
    words: 'address that alarms are posted to as JSON with chat_id and text, as Telegram takes it; none when empty',
  },
  'alarms.chat': {
    schema: z.string().regex(/^(-?\d{5,20}|@\w{1,60})?$/),
    initial: '',
    looser: 'any',
    words: 'chat_id that is posted along',
  },
  'alarms.remind_hours': {
    schema: z.int().min(1).max(168),
    initial: 6,
    unit: 'hours',
    looser: 'none',
    words: 'hours after which an alarm that lasts is told again',
  },
  'alarms.reserve_usd': {
    schema: z.int().min(0).max(10_000_000),
    initial: 200,
    unit: 'USD',
    looser: 'none',
    words: 'worth of a reserve that directions pay out of, below which it counts as low',
  },
  'alarms.disk_percent': {
    schema: z.int().min(1).max(50),
    initial: 10,
    unit: '%',
    looser: 'none',
    words: 'share of the disk under the data folder that should be free',
  },
  'alarms.certificate_days': {
    schema: z.int().min(1).max(60),
    initial: 14,
    unit: 'days',
    looser: 'none',
    words: 'days that the certificate of BASE_URL should still be good for',
  },
});
