import { data } from 'react-router';
import { isCallError } from '../../../../server/document/failure.ts';

/** Result of a form on the pages of businesses and stores. */
export interface FormAnswer {
  /** Name of the form, for pages with several. */
  readonly of: string;
  /** Id of the list's entry that the form is about; empty for the page's only form of its kind. */
  readonly about: string;
  /** Values that were typed into a refused form; empty after a success. */
  readonly values: Readonly<Record<string, string>>;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  /** Message of a refusal; absent after a success. */
  readonly message?: string;
}

/**
 * Makes the calls of a form. Returns their result for the page, or the refusal with the typed values. A response of `work`, such
 * as a redirect, is passed on.
 */
export async function answered(
  form: URLSearchParams,
  work: () => Promise<unknown>,
  named: (errors: Readonly<Record<string, readonly string[]>>) => FormAnswer['errors'] = (errors) => errors,
): Promise<unknown> {
  const answer = { of: form.get('intent') ?? '', about: form.get('id') ?? '' };
  try {
    const result = await work();
    return result instanceof Response ? result : ({ ...answer, values: {} } satisfies FormAnswer);
  } catch (error) {
    if (!isCallError(error) || error.status >= 500 || error.status === 401) throw error;
    const errors = named(error.errors) ?? {};
    const refused: FormAnswer = { ...answer, values: Object.fromEntries(form), errors, message: error.message };
    return data(refused, { status: error.status });
  }
}
