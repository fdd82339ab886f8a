import { m } from '../../../features/words.ts';

/** Errors of a request as the log of deliveries has them, in English, with their words. The first that fits counts. */
const ERRORS: readonly (readonly [error: RegExp, words: () => string])[] = [
  [/^Timeout: no connection$|\bETIMEDOUT\b|\bE(HOST|NET)UNREACH\b/, () => m.webhooks_error_connection()],
  [/^Timeout: no answer$/, () => m.webhooks_error_silent()],
  [/^no whole answer in time$/, () => m.webhooks_error_partial()],
  [/\bECONNREFUSED\b/, () => m.webhooks_error_refused()],
  [/^the connection was closed$|\b(ECONNRESET|EPIPE)\b|^aborted$/, () => m.webhooks_error_closed()],
  [/^the name has no address$|\b(ENOTFOUND|EAI_AGAIN|ENODATA|ESERVFAIL)\b/, () => m.webhooks_error_name()],
  [/^the address is not public$/, () => m.webhooks_error_private()],
  [/certificate|\bCERT_|\baltnames\b/i, () => m.webhooks_error_certificate()],
];

/** Returns the words of a request's error; of an unknown one its own text, behind words that the request failed. */
export const errorWords = (error: string): string =>
  ERRORS.find(([pattern]) => pattern.test(error))?.[1]() ?? `${m.webhooks_error_other()}: ${error}`;
