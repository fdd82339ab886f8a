/**
 * Joins JSON texts to one JSON array, which a statement splits by `jsonb_array_elements`. A PostgreSQL array would be longer,
 * since each quotation mark in a text would need an escape.
 */
export const jsonArray = (texts: readonly string[]): string => `[${texts.join(',')}]`;
