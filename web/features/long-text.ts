import { createContext, useContext } from 'react';

const LongText = createContext('');

export const LongTextProvider = LongText.Provider;

/** The HTML of a page's long text. Empty in the browser: what the server wrote stays as it is. */
export const useLongText = (): string => useContext(LongText);
