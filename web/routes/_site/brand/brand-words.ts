import en from '../../../content/brand-guidelines/en-US.json';
import ru from '../../../content/brand-guidelines/ru-RU.json';

export type BrandWords = typeof en;

export const BRAND_WORDS = { en, ru } satisfies Record<string, BrandWords>;
