/**
 * JSON texts as the text of one JSON array, for a statement that takes it apart by `jsonb_array_elements`. In an array of
 * PostgreSQL's each quote of each text would be written and read with a mark of its own.
 */
export const jsonArray = (texts: readonly string[]): string => `[${texts.join(',')}]`;
