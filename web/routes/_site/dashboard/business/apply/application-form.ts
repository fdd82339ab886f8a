import { readTyped } from '@kurs/money';
import type { Routes, Sent } from '@kurs/contract';
import { m } from '../../../../../features/words.ts';
import type { SiteLocale } from '../../../../../site.ts';
import type { Business } from '../page.server.ts';

type Application = Sent<Routes['businessApply']>;
type Errors = Readonly<Record<string, readonly string[]>>;

/** Number of owners that the form has fields for. More than three can't own over a quarter each. */
export const OWNERS = 3;

/** Names of the form's fields, in the order of the page. */
export const APPLICATION_FIELDS: readonly string[] = [
  ...['legal_name', 'registration_number', 'country', 'address', 'web_sites', 'goods', 'turnover_usd', 'owners'],
  ...Array.from({ length: OWNERS }, (_, at) => [`owners.${at}.name`, `owners.${at}.percent`]).flat(),
];

/** Returns the values of the form's fields for an earlier application. */
export function valuesOf(business: Business): Readonly<Record<string, string>> {
  const { legal_name, registration_number, country, address, goods } = business;
  return {
    ...{ legal_name, registration_number, country, address, goods },
    web_sites: business.web_sites.join('\n'),
    turnover_usd: String(business.turnover_usd),
    ...Object.fromEntries(
      business.owners.flatMap(({ name, percent }, at) => [
        [`owners.${at}.name`, name],
        [`owners.${at}.percent`, String(percent)],
      ]),
    ),
  };
}

/** Returns the lines of a typed text that are not empty. */
const linesOf = (text: string): string[] =>
  text
    .split(/[\n,;]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Returns a typed whole number; `NaN`, which the API refuses, if it can't be read. */
function wholeNumber(text: string, locale: SiteLocale): number {
  const read = readTyped(text.replace('%', ''), locale, 2) ?? '';
  return /^\d+(?:\.0+)?$/.test(read) ? Number.parseInt(read, 10) : Number.NaN;
}

/** Rows of owners in which something is typed, by their numbers. */
const ownerRows = (form: URLSearchParams): number[] =>
  Array.from({ length: OWNERS }, (_, at) => at).filter((at) =>
    ['name', 'percent'].some((part) => (form.get(`owners.${at}.${part}`) ?? '').trim() !== ''),
  );

/** Reads an application from the page's form. */
export function readApplication(form: URLSearchParams, locale: SiteLocale): Application {
  const typed = (name: string): string => form.get(name) ?? '';
  return {
    legal_name: typed('legal_name'),
    registration_number: typed('registration_number'),
    country: typed('country'),
    address: typed('address'),
    web_sites: linesOf(typed('web_sites')),
    goods: typed('goods'),
    turnover_usd: wholeNumber(typed('turnover_usd'), locale),
    owners: ownerRows(form).map((at) => ({
      name: typed(`owners.${at}.name`),
      percent: wholeNumber(typed(`owners.${at}.percent`), locale),
    })),
  };
}

/**
 * Converts the errors of the API to errors of the form's fields. Web sites are one field, whose error names the wrong line.
 * Owners are counted without the rows that were left empty. Errors that are meant for programs get words of their own.
 */
export function errorsOf(errors: Errors, form: URLSearchParams): Errors {
  const sites = linesOf(form.get('web_sites') ?? '');
  const rows = ownerRows(form);
  return Object.fromEntries(
    Object.entries(errors).map(([field, words]) => {
      const [list = '', at = '', part = ''] = field.split('.');
      if (list === 'web_sites' && at !== '') return [list, words.map((word) => `${sites[+at]}: ${word}`)];
      if (list === 'owners' && part !== '') return [`owners.${rows[+at]}.${part}`, words];
      if (list === 'country' && (form.get('country') ?? '') === '') return [list, [m.business_country_choose()]];
      return [field, list === 'turnover_usd' ? [m.business_turnover_wrong()] : words];
    }),
  );
}
