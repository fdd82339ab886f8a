import { type FormAnswer, answered } from '../../answered.ts';

/** Result of a form that may show a secret. */
export interface SecretAnswer extends FormAnswer {
  readonly secret?: string;
}

/** Makes the calls of a form as `answered` does. The secret that `work` returns is shown with the result. */
export async function answeredWithSecret(
  form: URLSearchParams,
  work: () => Promise<{ readonly secret: string }>,
): Promise<unknown> {
  let secret: string | undefined;
  const answer = await answered(form, async () => {
    ({ secret } = await work());
  });
  return secret === undefined ? answer : ({ ...(answer as FormAnswer), secret } satisfies SecretAnswer);
}
