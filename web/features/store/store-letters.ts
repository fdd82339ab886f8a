/** Returns the first letters of at most two words of a name, as capitals. */
export const lettersOf = (name: string): string =>
  name
    .split(/[^\p{L}\p{N}]+/u)
    .flatMap((word) => [...word][0] ?? [])
    .slice(0, 2)
    .join('')
    .toUpperCase();
