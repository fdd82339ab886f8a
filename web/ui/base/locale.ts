import { createContext, useContext } from 'react';

export type Locale = 'en' | 'ru';

const LocaleContext = createContext<Locale>('en');

export const LocaleProvider = LocaleContext.Provider;

/** Returns the language of the page. */
export const useLocale = (): Locale => useContext(LocaleContext);
