import { z } from 'zod';
import { defineSettings } from '../../platform/index.ts';

const count = z.int().min(0).max(10_000);

export const partnerSettings = defineSettings('partner', {
  'partner.open_new': {
    schema: count,
    initial: 10,
    unit: 'orders',
    looser: 'up',
    words: 'maximum open unpaid orders of a new partner’s programs; after as many paid orders the partner is known',
  },
  'partner.open_known': {
    schema: count,
    initial: 20,
    unit: 'orders',
    looser: 'up',
    words: 'maximum open unpaid orders of a known partner’s programs',
  },
  'partner.reserve_percent': {
    schema: z.int().min(0).max(100),
    initial: 10,
    unit: '%',
    looser: 'up',
    words: 'share of a reserve that unpaid orders of all partners’ programs may hold together',
  },
  'partner.expiries_day': {
    schema: count,
    initial: 50,
    unit: 'orders',
    looser: 'up',
    words: 'orders of a partner’s programs that may expire unpaid in 24 hours before new ones are refused',
  },
  'partner.age_days': {
    schema: z.int().min(0).max(365),
    initial: 7,
    unit: 'days',
    looser: 'down',
    words: 'minimum age in days of an account whose programs may act as a partner’s',
  },
});
