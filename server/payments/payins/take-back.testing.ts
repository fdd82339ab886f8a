import { newId } from '../../platform/index.ts';
import type { PayinWord } from './decide-payin.ts';

/** Returns the decision of two people to take a payment back: all of it, or a number of its parts. */
export const takeBack = (payinId: string, parts?: bigint): PayinWord => ({
  ...{ id: newId(), payinId, word: 'take_back', evidence: 'statement', by: ['olga', 'oscar'] },
  ...(parts !== undefined && { parts }),
});
