import type { CallError } from '@kurs/contract/client';
import { m } from '../words.ts';

/** Returns the message of a failed call: the server's words, or that no readable answer came. */
export const saidBy = (error: CallError): string => (error.code === 'network' ? m.offline_lead() : error.message);
