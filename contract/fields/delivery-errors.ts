/** Kinds of errors of a request to somebody's address. `other`: one that is not known. */
export type DeliveryError =
  | 'connection'
  | 'silent'
  | 'partial'
  | 'refused'
  | 'closed'
  | 'name'
  | 'private'
  | 'certificate'
  | 'other';

/** Errors as the log of deliveries has them, in English, with their kinds. The first that fits counts. */
const ERRORS: readonly (readonly [error: RegExp, kind: DeliveryError])[] = [
  [/^Timeout: no connection$|\bETIMEDOUT\b|\bE(HOST|NET)UNREACH\b/, 'connection'],
  [/^Timeout: no answer$/, 'silent'],
  [/^no whole answer in time$/, 'partial'],
  [/\bECONNREFUSED\b/, 'refused'],
  [/^the connection was closed$|\b(ECONNRESET|EPIPE)\b|^aborted$/, 'closed'],
  [/^the name has no address$|\b(ENOTFOUND|EAI_AGAIN|ENODATA|ESERVFAIL)\b/, 'name'],
  [/^the address is not public$/, 'private'],
  [/certificate|\bCERT_|\baltnames\b/i, 'certificate'],
];

/** Returns the kind of an error as the log of deliveries has it. */
export const deliveryErrorOf = (error: string): DeliveryError => ERRORS.find(([pattern]) => pattern.test(error))?.[1] ?? 'other';
