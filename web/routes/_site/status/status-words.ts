import en from '../../../content/status/en-US.json';
import ru from '../../../content/status/ru-RU.json';

export const STATUS_WORDS = { en, ru } satisfies Record<string, typeof en>;
