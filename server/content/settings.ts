import { z } from 'zod';
import { defineSettings } from '../platform/index.ts';

export const settings = defineSettings('content', {
  'content.hero': {
    schema: z.strictObject({
      from: z.string().max(40),
      to: z.string().max(40),
      amount: z.string().regex(/^[0-9]{1,20}(\.[0-9]{1,18})?$/),
    }),
    initial: { from: 'BTC', to: 'USDT_ERC20', amount: '0.01' },
    looser: 'none',
    words: 'what the calculator of the home page begins with',
  },
});
