import { type PublicPage, pageUrl } from '../../routes/pages.ts';
import type { SiteConfig, SiteResponse } from '../../site.ts';
import { type Headers, COMMON_HEADERS } from '../routing/headers.ts';

// Small files that programs request by a fixed path. They describe the site, or say how to contact its operator.

const DAY_MS = 24 * 3600 * 1000;
/** Days until security.txt expires. It must be reviewed at least once a year (RFC 9116 §2.5.5). */
const SECURITY_DAYS = 180;

/**
 * Path to which browsers send people who want to change their password (https://w3c.github.io/webappsec-change-password-url/).
 */
export const CHANGE_PASSWORD = '/.well-known/change-password';

/** Returns the small file with a path; undefined if there is none. `now` is the time of the product's clock. */
export function smallFile(path: string, config: SiteConfig, now: Date): SiteResponse | undefined {
  switch (path) {
    case '/robots.txt':
      return text('text/plain', robots(config));
    case '/manifest.webmanifest':
      return text('application/manifest+json', JSON.stringify(manifest(config)));
    case '/llms.txt':
      return text('text/plain', llms(config));
    case '/.well-known/security.txt':
      return text('text/plain', security(config, now));
    default:
      return undefined;
  }
}

const robots = ({ url }: SiteConfig): string =>
  `User-agent: *\nDisallow: /locale\nDisallow: /theme\nDisallow: /api/\nDisallow: /*?did=\nDisallow: /*&did=\nSitemap: ${url}/sitemap.xml\n`;

/** Returns the web app manifest: https://www.w3.org/TR/appmanifest/ */
function manifest({ name }: SiteConfig): object {
  const icon = (file: string, side: number, purpose: string): object => ({
    src: `/${file}`,
    sizes: `${side}x${side}`,
    type: 'image/png',
    purpose,
  });
  return {
    name,
    short_name: name,
    id: '/',
    start_url: '/',
    display: 'browser',
    background_color: '#fafaf7',
    theme_color: '#fafaf7',
    icons: [icon('icon-192.png', 192, 'any'), icon('icon-512.png', 512, 'any'), icon('icon-maskable-512.png', 512, 'maskable')],
  };
}

/** Returns security.txt (RFC 9116). If no e-mail address is configured, the file names the contact form. */
function security({ url, contacts }: SiteConfig, now: Date): string {
  const expires = new Date(Math.ceil(now.getTime() / DAY_MS) * DAY_MS + SECURITY_DAYS * DAY_MS);
  return [
    `Contact: ${contacts?.email ? `mailto:${contacts.email}` : url + pageUrl('en', 'contact')}`,
    `Expires: ${expires.toISOString()}`,
    'Preferred-Languages: en, ru',
    `Canonical: ${url}/.well-known/security.txt`,
    '',
  ].join('\n');
}

/**
 * Descriptions of public pages in English, for `llms.txt`. Pages of single directions are left out, because the page of rates
 * lists them.
 */
const LISTED: Readonly<Record<Exclude<PublicPage, 'service'>, string>> = {
  home: 'Calculator with the live price of every direction',
  rates: 'All directions with rate, fee, reserve and usual time',
  faq: 'How an exchange works, what it costs, late and wrong payments, refunds, checks',
  status: 'How each network and payment system runs, and how long exchanges took',
  track: 'Find an order by its number',
  verify: 'Check a signed receipt',
  contact: 'Write to the desk: a ticket with an answer by e-mail',
  hiWallet: 'HiWallet: wallets of account holders, what they cost and how they are kept',
  exchangePaypal: 'Exchanges to PayPal and from it',
  vouchers: 'Perfect Money e-vouchers, bought and sold',
  onlinePayment: 'Being paid online: a payment link, or a link to a ready exchange',
  forBusiness: 'For businesses: what works today, stores, invoices and links',
  paymentGate: 'The payment gate: a demonstration of the checkout, and the API for shops with a quick start',
  terms: 'Terms of service',
  aml: 'AML and KYC policy',
  privacy: 'Privacy policy',
  affiliateProgram: 'Affiliate programme: a share of our profit, links, a calculator for other sites',
  earnFree: 'Earn page: draws that anyone can check, and tasks',
  brand: 'Brand guidelines: mark, colours, type, downloads',
};

/** Returns llms.txt, a description of the site for language models: https://llmstxt.org */
function llms({ name, url, api = url }: SiteConfig): string {
  return [
    `# ${name}`,
    '',
    `> ${name} exchanges money between payment wallets, vouchers and cryptocurrencies. The price is shown before an order is placed, and the software is open source.`,
    '',
    'Amounts are decimal strings. Every page exists in English (`/En`) and Russian (`/Ru`).',
    '',
    '## Pages',
    '',
    ...(Object.keys(LISTED) as (keyof typeof LISTED)[]).map((page) => `- [${LISTED[page]}](${url}${pageUrl('en', page)})`),
    '',
    '## For programs',
    '',
    `- [API reference](${url}/api/docs)`,
    `- [OpenAPI document](${api}/api/v1/openapi.json)`,
    `- [Rates as XML, in the format of rate monitors](${url}/rates.xml)`,
    '',
  ].join('\n');
}

/** Returns a plain text instead of a page; caches don't store it. */
export function plain(status: number, body: string, more: Headers = []): SiteResponse {
  return {
    status,
    headers: [...COMMON_HEADERS, ['content-type', 'text/plain; charset=utf-8'], ['cache-control', 'no-store'], ...more],
    body,
    isCacheable: false,
  };
}

/** Returns a small file, which caches may store for an hour. */
export function text(type: string, body: string, more: Headers = []): SiteResponse {
  return {
    status: 200,
    headers: [...COMMON_HEADERS, ['content-type', `${type}; charset=utf-8`], ['cache-control', 'public, max-age=3600'], ...more],
    body,
    isCacheable: false,
  };
}
