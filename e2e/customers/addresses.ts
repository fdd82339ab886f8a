// Lists the addresses of the site and the API with their methods, for tests of properties that each answer must have.

import { ROUTES } from '../looks/seed-routes.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | 'QUERY';

export const METHODS: readonly Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'];

export interface Address {
  readonly path: string;
  readonly methods: readonly Method[];
}

const READ: readonly Method[] = ['GET', 'HEAD'];
const FORM: readonly Method[] = ['GET', 'HEAD', 'POST'];
/** Pages that take a form, and those that providers may post people back to. */
const TAKES_FORMS = new Set([
  ...['', '/exchange', '/order', '/track', '/services/bitcoin-to-paypal-exchange', '/verify', '/contact-us/ticket'],
  ...['/contact-us', '/solutions/exchange-paypal', '/solutions/buy-sell-perfectmoney-voucher', '/dashboard/order'],
  ...['/dashboard/new-order', '/dashboard/discount', '/dashboard/affiliates', '/discount', '/letters'],
  ...['/payment/success', '/payment/fail'],
]);
/** Pages whose GET changes something, so they have no HEAD. */
const CHANGES = new Set([
  ...['/contact-us/ticket', '/dashboard/affiliates', '/order', '/dashboard/order', '/payment/success', '/payment/fail'],
]);
const MORE_PAGES = [
  '/exchange',
  '/order',
  '/track',
  '/verify',
  '/rates',
  '/status',
  '/contact-us/ticket',
  '/discount',
  '/letters',
];

const SMALL = [
  ...['/robots.txt', '/sitemap.xml', '/manifest.webmanifest', '/llms.txt', '/.well-known/security.txt'],
  ...['/.well-known/kurs-receipt-keys.json', '/brand/wordmark.svg', '/favicon.ico', '/builds/latest.json'],
  ...['/rates.xml', '/rates.json', '/rates.txt', '/api/docs', '/api/v1/openapi.json', '/health/live', '/health/ready'],
  ...['/embed/en/calculator', '/embed/ru/calculator?ref=nobodys'],
  ...['/', '/ru', '/En/', '/faq', '/en/faq', '/En/FAQ', '/En/why-sign-up', '/locale?to=/Ru/faq'],
  // Nothing exists at these addresses.
  ...['/assets/nope.js', '/nope', '/En/nope', '/nope.png'],
];

/** Returns the site's addresses: pages of both kinds, redirects, files, feeds, and some that don't exist. */
export function siteAddresses(asset: string): Address[] {
  const pages = [...ROUTES, ...MORE_PAGES]
    .filter((path) => !path.startsWith('/services/') || TAKES_FORMS.has(path))
    .map((path) => ({ path: `${path === '' ? '/Ru' : '/En'}${path}`, methods: methodsOf(path) }));
  return [...pages, ...[...SMALL, asset].map((path) => ({ path, methods: READ })), { path: '/theme', methods: ['POST'] }];
}

const methodsOf = (path: string): readonly Method[] =>
  (TAKES_FORMS.has(path) ? FORM : READ).filter((method) => method !== 'HEAD' || !CHANGES.has(path));

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

/** Returns the API's addresses from its OpenAPI document. Each GET has a HEAD too, unless it changes something. */
export function apiAddresses({ paths }: Document): Address[] {
  return Object.entries(paths).map(([path, operations]) => {
    const methods = Object.keys(operations).map((method) => method.toUpperCase() as Method);
    const isRead = methods.includes('GET') && !/\/(?:logout|track-order|affiliate|support\/ticket|user\/order)$/.test(path);
    return { path: path.replace(/\{[^}]+\}/g, 'x'), methods: isRead ? [...methods, 'HEAD'] : methods };
  });
}
