import { readTyped } from '@kurs/money';
import type { Routes, Sent } from '@kurs/contract';
import { unreadable } from '../../../../../../features/unreadable.ts';
import { m } from '../../../../../../features/words.ts';

type NewLink = Omit<Sent<Routes['storeLinkMake']>, 'store'>;
type Errors = Readonly<Record<string, readonly string[]>>;

/** Names of the form's fields, in the order of the page. */
export const LINK_FIELDS = ['title', 'amount', 'least', 'most', 'currency', 'max_uses'] as const;

/** Reads a link from the values of its form. Fields that can't be read have an error. */
export function readLinkForm(
  values: Readonly<Record<string, string>>,
  locale: 'en' | 'ru',
): { readonly input: NewLink; readonly errors: Errors } {
  const errors: Record<string, readonly string[]> = {};
  const typed = (name: string): string => (values[name] ?? '').trim();
  const sum = (name: 'amount' | 'least' | 'most'): Partial<NewLink> => {
    const text = typed(name);
    const read = readTyped(text, locale, 18);
    if (read === undefined || read === '') errors[name] = [text === '' ? m.link_sum_missing() : unreadable(text)];
    return { [name]: read ?? '' };
  };
  const uses = typed('max_uses').replaceAll(/\s/g, '');
  if (!/^[0-9]{0,7}$/.test(uses)) errors['max_uses'] = [m.links_uses_wrong()];
  const input: NewLink = {
    title: typed('title'),
    currency: typed('currency'),
    ...(typed('kind') === 'any' ? { ...sum('least'), ...sum('most') } : sum('amount')),
    ...(uses !== '' && { max_uses: Number.parseInt(uses, 10) }),
  };
  return { input, errors };
}
