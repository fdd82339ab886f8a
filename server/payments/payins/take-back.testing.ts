import { newId } from '../../platform/index.ts';
import type { PayinWord } from './decide-payin.ts';

/** The word of two people that a payment is taken back: all of it, or so many of its parts. */
export const takeBack = (payinId: string, parts?: bigint): PayinWord => ({
  ...{ id: newId(), payinId, word: 'take_back', evidence: 'statement', by: ['olga', 'oscar'] },
  ...(parts !== undefined && { parts }),
});
