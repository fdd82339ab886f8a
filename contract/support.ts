/** What a ticket is about. */
export const TICKET_TOPICS = ['payment', 'payout', 'order', 'account', 'verification', 'business', 'other'] as const;
/** How long what somebody writes may be, in characters. */
export const LONGEST_MESSAGE = { ticket: 4_000, chat: 1_000 } as const;
/** How large the files of one message may be: bytes of each, and how many. */
export const FILES_OF_MESSAGE = { bytes: 4 * 1024 * 1024, most: 3 } as const;
/** Formats of files, as their bytes say. */
export const FILE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'application/pdf'] as const;
/** Where a file of a ticket is read: bytes, so no call like the others. */
export const TICKET_FILE_PATH = '/support/file';
