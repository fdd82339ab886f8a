import en from '../../../content/contact-us/en-US.json';
import ru from '../../../content/contact-us/ru-RU.json';

export type ContactWords = typeof en;

export const CONTACT_WORDS = { en, ru } satisfies Record<string, ContactWords>;
