/** Messages of a refused call: `errors` by field, and a general `message`. */
export interface Refused {
  readonly errors?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly message?: string | undefined;
}

/**
 * Returns the message to show above a form. It joins the messages of fields that the form doesn't have, or is the general message
 * if the refusal names no field. Returns undefined if the form's own fields show all messages.
 */
export function restOf({ errors = {}, message }: Refused, isShown: (field: string) => boolean): string | undefined {
  const fields = Object.keys(errors);
  if (fields.length === 0) return message;
  const others = fields.filter((field) => !isShown(field)).flatMap((field) => errors[field] ?? []);
  return others.length === 0 ? undefined : [...new Set(others)].join(' ');
}

/**
 * Splits the messages of a refused call: `at` has the messages of the form's fields, `rest` is the text to show above the form.
 */
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
