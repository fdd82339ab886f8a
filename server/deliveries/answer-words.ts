import { deliveryErrorOf } from '@kurs/contract/delivery-errors';
import { letterWords } from '../platform/index.ts';
import type { Health } from './endpoints.ts';

/** Returns the last answer of an endpoint in words for a letter, or why there was none; undefined if nothing was attempted. */
export function answerWords({ status, said }: Pick<Health, 'status' | 'said'>, locale: 'en' | 'ru'): string | undefined {
  if (status !== null) return `HTTP ${status}`;
  return said ? letterWords(locale, 'delivery_error', { error: said })(deliveryErrorOf(said)) : undefined;
}
