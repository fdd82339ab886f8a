/** What a refused call says: of its fields by their names, and altogether. */
export interface Refused {
  readonly errors?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly message?: string | undefined;
}

/**
 * What a form says altogether of a refused call: the words about fields that it doesn't show, or the message where no field is
 * named. Undefined where its fields say all of it. A refusal is never shown at another field.
 */
export function restOf({ errors = {}, message }: Refused, isShown: (field: string) => boolean): string | undefined {
  const fields = Object.keys(errors);
  if (fields.length === 0) return message;
  const others = fields.filter((field) => !isShown(field)).flatMap((field) => errors[field] ?? []);
  return others.length === 0 ? undefined : [...new Set(others)].join(' ');
}

/** The words of a refused call at the fields of a form, and what is left to say altogether. */
export function placed(
  refused: Refused,
  fields: readonly string[],
): { readonly at: Readonly<Record<string, string>>; readonly rest: string | undefined } {
  const at = Object.fromEntries(
    fields.flatMap((field) => {
      const own = refused.errors?.[field]?.[0];
      return own === undefined ? [] : [[field, own] as const];
    }),
  );
  return { at, rest: restOf(refused, (field) => field in at) };
}
