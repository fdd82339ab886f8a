/**
 * Joins JSON texts into one JSON array, for statements that split it by `jsonb_array_elements`. A PostgreSQL array would be
 * longer, since it escapes each quotation mark.
 */
export const jsonArray = (texts: readonly string[]): string => `[${texts.join(',')}]`;
