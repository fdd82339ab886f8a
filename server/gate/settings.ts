import { isCountry, tolerance } from '@kurs/contract';
import { z } from 'zod';
import { defineSettings, fewer } from '../platform/index.ts';
import { usdSum } from '../rates/index.ts';

/** A percentage with at most two decimals, below 50. */
const percentText = z.string().regex(/^[0-4]?[0-9](\.[0-9]{1,2})?$/);
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
  'gate.paypal_invoice_usd': {
    schema: usdSum,
    initial: '500',
    unit: 'USD',
    looser: 'up',
    words: 'maximum in USD of one invoice that can be paid by PayPal, unless the business has a maximum of its own',
  },
  'gate.paypal_receipts_usd': {
    schema: usdSum,
    initial: '2000',
    unit: 'USD',
    looser: 'up',
    words: 'maximum in USD of what one business received by PayPal in 180 days, unless the business has a maximum of its own',
  },
  'gate.lock_minutes': {
    schema: z.int().min(5).max(60),
    initial: 15,
    unit: 'minutes',
    looser: 'up',
    words: 'minutes for which a payment option of an invoice holds its price',
  },
  'gate.choices_hour': {
    schema: z.int().min(1).max(1_000),
    initial: 10,
    unit: 'times',
    looser: 'up',
    words: 'times an hour that the method of one invoice may be chosen',
  },
  'gate.hold_hours': {
    schema: z.int().min(1).max(720),
    initial: 72,
    unit: 'hours',
    looser: 'up',
    words: 'hours for which a payment that the desk checks counts towards its invoice',
  },
  'gate.decide_hours': {
    schema: z.int().min(1).max(720),
    initial: 72,
    unit: 'hours',
    looser: 'none',
    words: 'hours after which a partly paid invoice that nobody decides about follows its store’s setting',
  },
  'gate.accept_days': {
    schema: z.int().min(1).max(60),
    initial: 7,
    unit: 'days',
    looser: 'up',
    words: 'days within which a store may accept a payment that came after its invoice had ended',
  },
  'gate.fee': {
    schema: percentText,
    initial: '0.8',
    unit: '%',
    looser: 'down',
    words: 'the desk’s fee, in percent of what is settled to a store',
  },
  'gate.cost_most': {
    schema: z.int().min(1).max(100),
    initial: 25,
    unit: '%',
    looser: 'none',
    words: 'largest share of the sum due, in percent, that the costs of paying it may reach; a method above it is closed',
  },
  'gate.reserve_share': {
    schema: z.int().min(0).max(100),
    initial: 30,
    unit: '%',
    looser: 'up',
    words: 'largest share of a unit’s free money, in percent, that is reserved for the payments of all invoices',
  },
  'gate.reserve_share_business': {
    schema: z.int().min(0).max(100),
    initial: 10,
    unit: '%',
    looser: 'up',
    words: 'largest share of a unit’s free money, in percent, that is reserved for the payments of one business',
  },
  'gate.unpaid_options': {
    schema: z.int().min(1).max(1_000_000),
    initial: 500,
    unit: 'addresses',
    looser: 'up',
    words: 'addresses a day that a store may hand out without a payment; a personal store a twenty-fifth of it',
  },
  'gate.metadata_kb': {
    schema: z.int().min(1).max(64),
    initial: 8,
    unit: 'kB',
    looser: 'none',
    words: 'size in kB of the data that a shop may store with an invoice',
  },
  'gate.forget_days': {
    schema: z.int().min(30).max(3_650),
    initial: 400,
    unit: 'days',
    looser: 'none',
    words: 'days after the end of an invoice or a refund after which its metadata and its e-mail address are forgotten',
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
  'gate.refund_days': {
    schema: z.int().min(1).max(365),
    initial: 30,
    unit: 'days',
    looser: 'none',
    words: 'days for which the link of a refund can be claimed; then the money returns to the store',
  },
  'gate.tolerance': {
    schema: tolerance,
    initial: '0.5',
    unit: '%',
    looser: 'none',
    words: 'percent of the amount that may be missing in invoices of a new store',
  },
});
