import { z } from 'zod';
import { defineSettings } from '../../../platform/index.ts';

const days = z.int().min(1).max(3_650);

export const maturitySettings = defineSettings('affiliates', {
  'affiliates.mature_days': {
    schema: z.strictObject({ final: days, provider: days, reversible: days }),
    initial: { final: 7, provider: 14, reversible: 180 },
    unit: 'days',
    looser: 'down',
    words:
      'days until a completed order’s rewards and prizes mature: paid over a chain or from a wallet (final), by a payment system or voucher (provider), or by a payment that can be taken back (reversible)',
  },
});
