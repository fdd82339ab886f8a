import { z } from 'zod';
import { defineSettings } from '../platform/index.ts';

export const settings = defineSettings('support', {
  'support.chat_mail_seconds': {
    schema: z.int().min(5).max(86_400),
    initial: 60,
    unit: 'seconds',
    looser: 'none',
    words: 'seconds after which unread messages of a chat are mailed to the customer',
  },
  'support.most_messages': {
    schema: z.int().min(10).max(10_000),
    initial: 300,
    unit: 'messages',
    looser: 'none',
    words: 'maximum number of messages in one ticket or chat',
  },
});
