// Failure responses for the OpenAPI document. Used for the contract's calls, and for the calls that are described by hand.

import { PROBLEMS, type ProblemCode } from '../problems.ts';
import { say } from '../words.ts';

type Json = { [key: string]: unknown };

/** Problems of every call. */
export const OF_ALL: readonly ProblemCode[] = ['method_not_allowed', 'unavailable', 'internal'];
/** Problems of calls with a body. */
export const OF_BODY: readonly ProblemCode[] = ['payload_too_large', 'unsupported_media_type'];

const integer = (description: string): Json => ({ description, schema: { type: 'integer' } });
const text = (description: string): Json => ({ description, schema: { type: 'string' } });

const RETRY = { 'Retry-After': integer('Seconds after which to try again') };
/** Headers of failures, by status. */
const HEADERS: Readonly<Record<number, Json>> = {
  401: { 'WWW-Authenticate': text('`Bearer`') },
  405: { Allow: text('The methods of this address') },
  415: { 'Accept-Encoding': text('`identity`, where the body came in an encoding') },
  429: {
    ...RETRY,
    'RateLimit-Limit': integer('How many the window allows'),
    'RateLimit-Remaining': integer('How many are left in it'),
    'RateLimit-Reset': integer('Seconds until it ends'),
  },
  503: RETRY,
};

/** Returns the responses for some problems, by status. `schema` is that of a problem. */
export function problemResponses(codes: Iterable<ProblemCode>, schema: Json): Record<string, Json> {
  const byStatus = new Map<number, Set<ProblemCode>>();
  for (const code of codes) byStatus.set(PROBLEMS[code], (byStatus.get(PROBLEMS[code]) ?? new Set()).add(code));
  return Object.fromEntries(
    [...byStatus].map(([status, own]) => {
      const description = [...own].map((code) => `\`${code}\`: ${say('en', `problems.${code}.title`)}`).join(' · ');
      const headers = HEADERS[status];
      return [`${status}`, { description, content: { 'application/problem+json': { schema } }, ...(headers && { headers }) }];
    }),
  );
}
