/**
 * Joins JSON texts to one JSON array, for a statement that splits it by `jsonb_array_elements`. In a PostgreSQL array each
 * quotation mark of each text would have to be escaped.
 */
export const jsonArray = (texts: readonly string[]): string => `[${texts.join(',')}]`;
