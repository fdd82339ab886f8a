import { idOfText } from '../platform/index.ts';

/**
 * Returns the id of something that happens once, by its name. The ledger accepts one journal under it, even if somebody deletes the
 * row by SQL or restores an older one.
 */
export const idOnce = (name: string): string => idOfText(`earn ${name}`);
