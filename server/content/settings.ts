import { z } from 'zod';
import { defineSettings } from '../platform/index.ts';

export const settings = defineSettings('content', {
  'content.hero': {
    schema: z.strictObject({ from: z.string(), to: z.string(), amount: z.string().regex(/^[0-9]{1,20}(\.[0-9]{1,18})?$/) }),
    initial: { from: 'BTC', to: 'USDT_ERC20', amount: '0.01' },
    words: 'what the calculator of the home page begins with',
  },
});
