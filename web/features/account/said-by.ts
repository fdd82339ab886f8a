import type { CallError } from '@kurs/contract/client';
import { m } from '../words.ts';

/** What a failed call of a page says altogether: the server's words, or that there was no answer that can be read. */
export const saidBy = (error: CallError): string => (error.code === 'network' ? m.offline_lead() : error.message);
