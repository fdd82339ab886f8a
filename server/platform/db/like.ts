/** Returns a text for a `like` pattern in which `%`, `_` and the backslash stand for themselves. */
export const escapeLike = (text: string): string => text.replace(/[%_\\]/g, '\\$&');

/** Returns the `like` pattern of texts that contain a text. */
export const likePart = (text: string): string => `%${escapeLike(text)}%`;
