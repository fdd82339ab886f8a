// Settings of a store as the forms of its page send them.

import type { Visit } from '../../../../../server/routing/visit.ts';

/** Input of a change of a store's settings, without the store. */
type StoreSettings = Omit<Parameters<Visit['client']['storeChange']>[0], 'store'>;

/** Forms of the page that change settings, by their names. */
export const SETTINGS_FORMS = ['look', 'money', 'invoices'] as const;
export type SettingsForm = (typeof SETTINGS_FORMS)[number];

/** Prefix of the names of checkboxes for methods; the rest is the currency's code. */
export const METHOD = 'method-';

/** Returns the settings that a form gives. Empty fields for an address and a colour mean none. */
export function settingsOf(name: SettingsForm, form: URLSearchParams): StoreSettings {
  const typed = (field: string): string => (form.get(field) ?? '').trim();
  const orNone = (text: string): string | null => (text === '' ? null : text);
  switch (name) {
    case 'look':
      return { name: typed('name'), colour: orNone(typed('colour')), timezone: typed('timezone') };
    case 'money':
      return {
        invoice_currency: typed('invoice_currency'),
        settlement_currency: typed('settlement_currency'),
        costs_bearer: typed('costs_bearer') as NonNullable<StoreSettings['costs_bearer']>,
        tolerance: percentageOf(typed('tolerance')),
      };
    case 'invoices':
      return {
        life_minutes: Number.parseInt(typed('life_minutes'), 10),
        short_preset: typed('short_preset') as NonNullable<StoreSettings['short_preset']>,
        methods: typed('methods') === 'some' ? methodsOf(form) : null,
        return_url: orNone(withScheme(typed('return_url'))),
        letters: form.has('letters'),
      };
  }
}

/** Returns a typed percentage as the API takes it: with a point, and without a sign. */
export const percentageOf = (text: string): string => text.replace(',', '.').replace(/[\s%]/g, '');

/** Returns a typed address with its scheme, which may be left out. */
export const withScheme = (text: string): string => (text === '' || /^[a-z]+:/i.test(text) ? text : `https://${text}`);

const methodsOf = (form: URLSearchParams): string[] =>
  [...form.keys()].filter((name) => name.startsWith(METHOD)).map((name) => name.slice(METHOD.length));

/** Returns the messages of a refused form by its fields. Those about single methods belong to the list of methods. */
export const fieldsOf = (errors: Readonly<Record<string, readonly string[]>>): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(Object.entries(errors).map(([field, words]) => [field.replace(/^methods\..*/, 'methods'), words]));
