// Settings of a store: those that a new store begins with, those that a call gives, and the checks of changed ones.

import { type Input, type Routes, fieldProblem } from '@kurs/contract';
import type { Tx } from '../../platform/index.ts';
import { settings } from '../settings.ts';
import { requireCurrencies } from './currencies.ts';
import type { Store } from './store.ts';
import { hundredthsOf } from './tolerance.ts';
import { requireOnSites } from './require-on-sites.ts';

type StoreInput = Omit<Input<Routes['storeChange']>, 'store'>;
type InvoiceSettings = Pick<
  Store,
  'tolerance' | 'lifeMinutes' | 'costsBearer' | 'shortPreset' | 'returnUrl' | 'methods' | 'colour' | 'mark' | 'hasLetters'
>;

/** Returns the bounds of the minutes for which an invoice can be paid. */
export const lifeBounds = (): { readonly least: number; readonly most: number } => ({
  least: settings.get('gate.life_least'),
  most: settings.get('gate.life_most'),
});

/** Returns the settings for invoices that a new store begins with. */
export function initialSettings(): InvoiceSettings {
  const { least, most } = lifeBounds();
  return {
    tolerance: hundredthsOf(settings.get('gate.tolerance')),
    lifeMinutes: Math.max(least, Math.min(most, settings.get('gate.life'))),
    ...{ costsBearer: 'buyer', shortPreset: 'give_back', hasLetters: false },
    ...{ returnUrl: undefined, methods: undefined, colour: undefined, mark: undefined },
  };
}

/** Returns a store with the settings that a call gives. Left-out settings stay. */
export const withInput = (store: Store, input: StoreInput): Store => ({
  ...store,
  name: input.name ?? store.name,
  timezone: input.timezone ?? store.timezone,
  invoiceCurrency: input.invoice_currency ?? store.invoiceCurrency,
  settlementCurrency: input.settlement_currency ?? store.settlementCurrency,
  tolerance: input.tolerance === undefined ? store.tolerance : hundredthsOf(input.tolerance),
  lifeMinutes: input.life_minutes ?? store.lifeMinutes,
  costsBearer: input.costs_bearer ?? store.costsBearer,
  shortPreset: input.short_preset ?? store.shortPreset,
  returnUrl: given(input.return_url, store.returnUrl),
  methods: given(input.methods && [...new Set(input.methods)], store.methods),
  colour: given(input.colour, store.colour),
  hasLetters: input.letters ?? store.hasLetters,
});

/** Returns the value that a call gives for a setting that may be none, which null stands for. A left-out one stays. */
const given = <Value>(value: Value | null | undefined, present: Value | undefined): Value | undefined =>
  value === null ? undefined : (value ?? present);

/**
 * Throws `validation` for a changed setting that the store may not have; `requireReturn` checks the return address. A present
 * setting stays, even if it could not be chosen at the moment.
 */
export function requireChoices(store: Store, before?: Store): void {
  const isNew = (name: 'invoiceCurrency' | 'settlementCurrency' | 'lifeMinutes'): boolean => store[name] !== before?.[name];
  requireCurrencies({
    kind: store.kind,
    ...(isNew('invoiceCurrency') && { invoiceCurrency: store.invoiceCurrency }),
    ...(isNew('settlementCurrency') && { settlementCurrency: store.settlementCurrency }),
    methods: store.methods?.filter((code) => before?.methods?.includes(code) !== true),
  });
  if (isNew('lifeMinutes')) requireLife(store.lifeMinutes);
}

/** Throws `validation` at `return_url` for a changed return address that leads to none of the stored sites of the store. */
export async function requireReturn(tx: Tx, store: Store, before?: Store): Promise<void> {
  const { returnUrl } = store;
  if (returnUrl !== undefined && returnUrl !== before?.returnUrl) await requireOnSites(tx, store, returnUrl, 'return_url');
}

/** Throws `validation` at `life_minutes` for a number of minutes outside the desk's bounds. */
export function requireLife(minutes: number): void {
  const { least, most } = lifeBounds();
  if (minutes < least || minutes > most)
    throw fieldProblem('life_minutes', 'life_bounds', { least: String(least), most: String(most) });
}
