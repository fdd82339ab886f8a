import { PREFIX } from '../../routes/pages.ts';
import type { SiteLocale } from '../../site.ts';

const SOLUTIONS = 'solutions';
const GATE = `${SOLUTIONS}/payment-gate`;

/** Directions whose pages had shorter names for a while. */
const RENAMED = {
  ...Object.fromEntries(
    ['advcash', 'bitcoin', 'payeer', 'perfectmoney', 'tether', 'webmoney'].flatMap((name) => [
      [`services/${name}`, `services/${name}-to-paypal-exchange`],
      [`services/paypal-${name}`, `services/paypal-to-${name}-exchange`],
    ]),
  ),
  'services/moneygo-usdt': 'services/moneygo-usdt-exchange',
  'services/usdt-moneygo': 'services/usdt-moneygo-exchange',
};

/** Addresses that pages once had, by what stands behind the language; each leads to where its page is now. */
const MOVED: Readonly<Record<string, string>> = {
  'buy-sell-perfectmoney-voucher': `${SOLUTIONS}/buy-sell-perfectmoney-voucher`,
  'receive-paypal': `${SOLUTIONS}/exchange-paypal`,
  'services/exchange-perfectmoney-paypal': 'services/perfectmoney-to-paypal-exchange',
  'why-sign-up': 'aml-kyc-policy',
  'story-of-us': 'contact-us',
  'paypal-invoice': GATE,
  'payment-gate': GATE,
  'visa-master-invoice': GATE,
  disclaimer: 'terms-of-services',
  'tether-to-Pmvoucher-exchange': '',
  'services/tether-to-Pmvoucher-exchange': '',
  ...RENAMED,
};

/**
 * Where an old address leads for good, in one hop: to the same language, or to English where it names none; a slash at its
 * end and a language in lower case make no difference. Undefined for every other path.
 */
export function movedTo(path: string): string | undefined {
  const parts = path.slice(1).replace(/\/$/, '').split('/');
  const locale = (Object.keys(PREFIX) as SiteLocale[]).find((one) => one === parts[0]?.toLowerCase());
  const old = (locale ? parts.slice(1) : parts).join('/');
  if (!Object.hasOwn(MOVED, old)) return undefined;
  const target = MOVED[old] as string;
  return `/${PREFIX[locale ?? 'en']}${target === '' ? '' : `/${target}`}`;
}
