// Calls by which an account holder applies for a business.

import { z } from 'zod';
import { isCountry } from '../../fields/countries.ts';
import { line, lines } from '../../fields/free-text.ts';
import { route } from '../../route.ts';
import { id, time } from '../../wire.ts';

const own = { allows: 'user', tag: 'Business' } as const;

/**
 * States of a business. People of the desk decide about an application. A suspended business makes no invoices, and no money
 * leaves it.
 */
export const businessState = z
  .enum(['applied', 'approved', 'refused', 'suspended', 'closed'])
  .meta({ id: 'BusinessState', description: 'A `suspended` business makes no invoices, and no money leaves it' });

/** Code of a country, of two capital letters (ISO 3166-1). */
export const country = z
  .string()
  .overwrite((text) => text.trim().toUpperCase())
  .regex(/^[A-Z]{2}$/, { error: 'country_format', abort: true })
  .refine(isCountry, { error: 'country_format' });

/** Address of a web site without credentials, path and query. */
const SITE = /^https:\/\/[^\s/?#@\\]{1,253}\/?$/i;

/** Name of a domain, in ASCII: labels, and a top level that begins with a letter. So neither an IP address nor a wildcard. */
const DOMAIN = /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z][a-z\d-]*[a-z\d]\.?$/;

/** Returns the origin of a web site; undefined if the address has no valid host with a domain. */
function originOf(text: string): string | undefined {
  if (!SITE.test(text) || !URL.canParse(text)) return undefined;
  const { origin, hostname } = new URL(text);
  return DOMAIN.test(hostname) ? origin : undefined;
}

/** A web site: an https address without credentials, path and query. It is stored as its origin. */
export const webSite = z
  .string()
  .overwrite((text) => (/^\s*[a-z]+:\/\//i.test(text) ? text.trim() : `https://${text.trim()}`))
  .regex(SITE, { error: 'site_format', abort: true })
  .refine((text) => originOf(text) !== undefined, { error: 'site_format' })
  .overwrite((text) => originOf(text) ?? text)
  .meta({ examples: ['https://shop.example.com'] });

const required = { error: 'required' };
const name = line().min(1, required).max(200, { error: 'too_long' });

/** Content of an application. */
const application = {
  legal_name: name,
  registration_number: line().min(1, required).max(60, { error: 'too_long' }),
  country,
  address: lines().min(5, required).max(500, { error: 'too_long' }),
  web_sites: z.array(webSite).min(1, required).max(10, { error: 'wrong_value' }),
  goods: lines().min(3, required).max(2_000, { error: 'too_long' }).meta({ description: 'What is sold, in words' }),
  turnover_usd: z
    .int({ error: 'wrong_value' })
    .min(1, { error: 'wrong_value' })
    .max(1_000_000_000, { error: 'wrong_value' })
    .meta({ description: 'Expected turnover in a month, in whole USD' }),
  owners: z
    .array(
      z.object({
        name,
        percent: z.int({ error: 'percent_owned' }).min(26, { error: 'percent_owned' }).max(100, { error: 'percent_owned' }),
      }),
    )
    .max(3, { error: 'percent_owned' })
    .refine((owners) => owners.reduce((sum, { percent }) => sum + percent, 0) <= 100, { error: 'percent_owned' })
    .meta({ description: 'The people who own more than a quarter' }),
};

export const business_ = z
  .object({
    id,
    state: businessState,
    /** Time at which the business came into this state. */
    since: time,
    created_at: time,
    /** Words of the desk about a refusal, a suspension or a closing. */
    note: lines().optional(),
    legal_name: line(),
    registration_number: line(),
    country: z.string(),
    address: lines(),
    web_sites: z.array(z.string()),
    goods: lines(),
    turnover_usd: z.int(),
    owners: z.array(z.object({ name: line(), percent: z.int() })),
  })
  .meta({ id: 'Business' });

export const business = route({
  ...own,
  method: 'GET',
  path: '/business',
  summary: 'The account’s newest business, and what an application must not be about',
  input: z.object({}),
  output: z.object({
    business: business_.optional(),
    /** Level that the owner needs before people approve. */
    level_needed: z.int(),
    /** The account's level. */
    level: z.int(),
    countries_refused: z.array(z.string()).meta({ description: 'Codes of countries that the desk doesn’t serve' }),
    goods_refused: z.array(z.string()).meta({ description: 'Goods and services for which the desk takes no payments' }),
  }),
  problems: [],
});

export const businessApply = route({
  ...own,
  method: 'POST',
  path: '/business/apply',
  summary:
    'Apply for a business. An account has one; after a refusal or a closing it may apply again. The desk answers by letter',
  input: z.object(application),
  output: business_,
  problems: ['level_needed', 'business_exists'],
  isIdempotent: true,
});
