import { isCountry, tolerance } from '@kurs/contract';
import { z } from 'zod';
import { defineSettings, fewer } from '../platform/index.ts';
import { usdSum } from '../rates/index.ts';

const words = z.string().trim().min(1).max(200);
const goods = z.strictObject({ en: words, ru: words });
type Goods = z.output<typeof goods>;

/** Returns goods as texts, to compare lists of them. */
const textsOf = (list: readonly Goods[]): string[] => list.map(({ en, ru }) => `${en}\n${ru}`);

/** Minutes for which an invoice can be paid. */
const life = z.int().min(15).max(10_080);

export const settings = defineSettings('gate', {
  'gate.countries_refused': {
    schema: z.array(z.string().refine(isCountry)).max(250),
    initial: ['CU', 'IR', 'KP', 'SY'],
    looser: fewer,
    words: 'codes (ISO 3166-1) of countries whose businesses the desk refuses',
  },
  'gate.goods_refused': {
    schema: z.array(goods).max(50),
    initial: [
      { en: 'weapons, ammunition and explosives', ru: 'оружие, боеприпасы и взрывчатка' },
      { en: 'drugs, and medicines without a licence', ru: 'наркотики, а также лекарства без лицензии' },
      { en: 'gambling and betting without a licence', ru: 'азартные игры и ставки без лицензии' },
      { en: 'sexual content and services', ru: 'материалы и услуги сексуального характера' },
      { en: 'financial pyramids and promised profits', ru: 'финансовые пирамиды и обещания дохода' },
      { en: 'counterfeit and stolen goods', ru: 'подделки и краденое' },
      { en: 'forged documents and stolen data', ru: 'поддельные документы и похищенные данные' },
      { en: 'exchange of money or coins for others', ru: 'обмен денег и монет для других людей' },
    ],
    looser: (before: readonly Goods[], after: readonly Goods[]) => fewer(textsOf(before), textsOf(after)),
    words: 'goods and services for which the desk takes no payments, in English (en) and Russian (ru)',
  },
  'gate.business_day_usd': {
    schema: usdSum,
    initial: '20000',
    unit: 'USD',
    looser: 'up',
    words: 'maximum in USD of settled sums of one business in 24 hours, unless the business has a limit of its own',
  },
  'gate.key_writes_minute': {
    schema: z.int().min(1).max(1_000_000),
    initial: 6_000,
    unit: 'calls',
    looser: 'up',
    words: 'calls per minute of one API key of a store: GET calls, and POST calls',
  },
  'gate.life': {
    schema: life,
    initial: 1_440,
    unit: 'minutes',
    looser: 'none',
    words: 'minutes for which invoices of a new store can be paid',
  },
  'gate.life_least': {
    schema: life,
    initial: 15,
    unit: 'minutes',
    looser: 'none',
    words: 'minimum of the minutes for which a store may let its invoices be paid',
  },
  'gate.life_most': {
    schema: life,
    initial: 10_080,
    unit: 'minutes',
    looser: 'none',
    words: 'maximum of the minutes for which a store may let its invoices be paid',
  },
  'gate.tolerance': {
    schema: tolerance,
    initial: '0.5',
    unit: '%',
    looser: 'none',
    words: 'percent of the amount that may be missing in invoices of a new store',
  },
});
