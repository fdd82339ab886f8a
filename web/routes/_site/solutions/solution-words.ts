import type { Output, Routes } from '@kurs/contract';
import type { Params } from '../../../server/document/page-words.ts';
import type { SiteLocale } from '../../../site.ts';
import { writeAmount } from '../../../ui/base/amount.ts';
import paypalEn from '../../../content/exchange-paypal/en-US.json';
import paypalRu from '../../../content/exchange-paypal/ru-RU.json';
import walletEn from '../../../content/HiWallet/en-US.json';
import walletRu from '../../../content/HiWallet/ru-RU.json';
import vouchersEn from '../../../content/buy-sell-perfectmoney-voucher/en-US.json';
import vouchersRu from '../../../content/buy-sell-perfectmoney-voucher/ru-RU.json';

import businessEn from '../../../content/online-payment-for-business/en-US.json';
import businessRu from '../../../content/online-payment-for-business/ru-RU.json';
import paymentEn from '../../../content/online-payment/en-US.json';
import paymentRu from '../../../content/online-payment/ru-RU.json';
import gateEn from '../../../content/payment-gate/en-US.json';
import gateRu from '../../../content/payment-gate/ru-RU.json';

export type Rules = Output<Routes['rules']>;

export const PAYPAL_WORDS = { en: paypalEn, ru: paypalRu } satisfies Record<string, typeof paypalEn>;
export const WALLET_WORDS = { en: walletEn, ru: walletRu } satisfies Record<string, typeof walletEn>;
export const VOUCHER_WORDS = { en: vouchersEn, ru: vouchersRu } satisfies Record<string, typeof vouchersEn>;

export const GATE_WORDS = { en: gateEn, ru: gateRu } satisfies Record<string, typeof gateEn>;
export const PAYMENT_WORDS = { en: paymentEn, ru: paymentRu } satisfies Record<string, typeof paymentEn>;
export const BUSINESS_WORDS = { en: businessEn, ru: businessRu } satisfies Record<string, typeof businessEn>;

/** Entry of a section. It is a fact if it has an icon, a question if it has an answer, and otherwise a step. */
export interface Entry {
  readonly icon?: string;
  readonly title?: string;
  readonly text?: string;
  readonly question?: string;
  readonly answer?: string;
}

/** Section of a page, with a title. If it has no entries, the page itself renders its content. */
export interface SectionWords {
  readonly id: string;
  readonly title: string;
  readonly lead?: string;
  readonly items: readonly Entry[];
}

/** Texts that every solution page has. */
export interface SolutionWords {
  readonly head: { readonly title: string; readonly description: string };
  readonly title: string;
  readonly lead: string;
  readonly sections: readonly SectionWords[];
  readonly closing: { readonly title: string; readonly text: string; readonly name: string; readonly to: string };
}

const usd = (amount: string, locale: SiteLocale): string => `${writeAmount(amount, 0, locale)}\u00a0USD`;

/** Returns the operator's rules as values for placeholders in texts. */
export function paramsOf({ reversible, money_out: out, voucher_days: recall }: Rules, locale: SiteLocale): Params {
  const sums = (name: string, { per_order, day, month }: Rules['levels'][number]): Params => ({
    [`${name}_order`]: usd(per_order, locale),
    [`${name}_day`]: usd(day, locale),
    [`${name}_month`]: month === null ? '∞' : usd(month, locale),
  });
  const { level, days, first_days: new_days, first_orders, first_hours, later_hours } = reversible;
  return {
    ...{ level, days, new_days, first_orders, first_hours, later_hours, recall },
    ...sums('first', reversible.first),
    ...sums('later', reversible.later),
    ...sums('full', reversible.full),
    alone: usd(out.alone_usd, locale),
    alone_day: usd(out.alone_day_usd, locale),
    two_people: usd(out.two_people_usd, locale),
    cooling: out.new_address_hours,
  };
}
