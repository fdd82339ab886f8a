import { EMAIL } from '@kurs/contract';
import { z } from 'zod';
import { defineSettings, fewer } from '../platform/index.ts';

const mailboxes = z.array(z.email({ pattern: EMAIL })).max(20);

export const settings = defineSettings('alarms', {
  'alarms.mail': {
    schema: mailboxes,
    initial: [],
    looser: fewer,
    words: 'mailboxes that receive alarms',
  },
  'alarms.webhook': {
    schema: z.url({ protocol: /^https?$/ }).or(z.literal('')),
    initial: '',
    looser: 'any',
    words: 'URL to which alarms are posted as JSON with chat_id and text, in the form of Telegram; empty for none',
  },
  'alarms.chat': {
    schema: z.string().regex(/^(-?\d{5,20}|@\w{1,60})?$/),
    initial: '',
    looser: 'any',
    words: 'chat_id in posted alarms',
  },
  'alarms.remind_hours': {
    schema: z.int().min(1).max(168),
    initial: 6,
    unit: 'hours',
    looser: 'none',
    words: 'hours between reminders of an open alarm',
  },
  'alarms.reserve_usd': {
    schema: z.int().min(0).max(10_000_000),
    initial: 200,
    unit: 'USD',
    looser: 'none',
    words: 'worth below which the reserve of a currency that directions pay out counts as low',
  },
  'alarms.disk_percent': {
    schema: z.int().min(1).max(50),
    initial: 10,
    unit: '%',
    looser: 'none',
    words: 'minimum free share of the disk with the data folder',
  },
  'alarms.certificate_days': {
    schema: z.int().min(1).max(60),
    initial: 14,
    unit: 'days',
    looser: 'none',
    words: 'days before the end of BASE_URL’s certificate from which an alarm is raised',
  },
});
