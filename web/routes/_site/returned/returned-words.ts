import en from '../../../content/payment/en-US.json';
import ru from '../../../content/payment/ru-RU.json';

export type ReturnedWords = typeof en;

export const RETURNED_WORDS = { en, ru } satisfies Record<string, ReturnedWords>;
