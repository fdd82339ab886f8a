import type { CallError } from '@kurs/contract/client';
import { m } from '../words.ts';

/** Returns the text to show for a failed call: the server's message, or a message that the server could not be reached. */
export const saidBy = (error: CallError): string => (error.code === 'network' ? m.offline_lead() : error.message);
