import { CallError } from '@kurs/contract/client';
import { m } from '../words.ts';

/** What is wrong, at a field or altogether. */
export interface Wrong {
  readonly field?: string;
  readonly message?: string;
}

/** What a failed call says of a field, or altogether. Any other error is thrown on. */
export function wrongOf(error: unknown, field: string): Wrong {
  if (!(error instanceof CallError)) throw error;
  const own = error.errors[field]?.[0];
  if (own !== undefined) return { field: own };
  if (error.code === 'network') return { message: m.offline_lead() };
  return error.code.startsWith('code_') ? { field: error.message } : { message: error.message };
}
