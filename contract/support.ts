/** Topics of tickets. */
export const TICKET_TOPICS = ['payment', 'payout', 'order', 'account', 'verification', 'business', 'other'] as const;
/** Maximum length of a message, in characters. */
export const LONGEST_MESSAGE = { ticket: 4_000, chat: 1_000 } as const;
/** Maximum bytes of a file, and maximum number of files in one message. */
export const FILES_OF_MESSAGE = { bytes: 4 * 1024 * 1024, max: 3 } as const;
/** Accepted formats of files, recognized by their bytes. */
export const FILE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'application/pdf'] as const;
/** Path of a ticket's files. The answer is the file's bytes instead of JSON. */
export const TICKET_FILE_PATH = '/support/file';
