/** Messages of a refused call: by field, and a general one. */
export interface Refused {
  readonly errors?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly message?: string | undefined;
}

/**
 * Returns the message that a form shows above its fields: messages of fields that it lacks, or the general one if no field is
 * named. Undefined if its fields show everything. A message is never shown at another field.
 */
export function restOf({ errors = {}, message }: Refused, isShown: (field: string) => boolean): string | undefined {
  const fields = Object.keys(errors);
  if (fields.length === 0) return message;
  const others = fields.filter((field) => !isShown(field)).flatMap((field) => errors[field] ?? []);
  return others.length === 0 ? undefined : [...new Set(others)].join(' ');
}

/** Returns the messages of a refused call at the fields of a form, and the rest for the whole form. */
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
