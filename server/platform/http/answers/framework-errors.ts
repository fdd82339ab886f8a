import { Problem, fieldProblem } from '@kurs/contract';

/**
 * True if the framework refused a request with method QUERY for its missing content type. The framework checks the content type
 * before it looks for a route.
 */
export const isUntyped = (error: unknown): boolean => (error as { code?: string }).code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE';

/** Returns the problem for an error of the framework; undefined for any other error. */
export function problemOfFramework(error: unknown): Problem | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, statusCode } = error as Error & { code?: string; statusCode?: number };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Problem('payload_too_large');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new Problem('unsupported_media_type');
  if (code === 'FST_ERR_RATE_LIMITED') return new Problem('rate_limited');
  if (code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_MAX_PARAM_LENGTH') return new Problem('not_found');
  // Malformed JSON, a forbidden key such as `__proto__`, a malformed URL.
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return fieldProblem('body', 'body_json');
  return undefined;
}
