import en from '../../../content/faq/en-US.json';
import ru from '../../../content/faq/ru-RU.json';

export type FaqWords = typeof en;

export const FAQ_WORDS = { en, ru } satisfies Record<string, FaqWords>;
