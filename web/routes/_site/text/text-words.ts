import en from '../../../content/text/en-US.json';
import ru from '../../../content/text/ru-RU.json';

export type TextWords = typeof en;

export const TEXT_WORDS = { en, ru } satisfies Record<string, TextWords>;

/** Folder of each long text in `content/`. */
export const TEXTS = { terms: 'terms-of-services', aml: 'aml-kyc-policy', privacy: 'privacy-policy' } as const;
export type TextName = keyof typeof TEXTS;
