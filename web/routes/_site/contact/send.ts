import { fetchApi } from '../../../features/api/address.ts';
import type { Challenge } from '../../../features/bot-check/solve.ts';
import type { askProvider } from '../../../features/bot-check/ask-provider.ts';

type Options = Parameters<typeof askProvider>[2];
interface FormContext {
  readonly locale: string;
  readonly signal: AbortSignal;
  readonly botCheck: Pick<Options, 'script'> | undefined;
}

/**
 * Adds behaviour to a message form. It shows the names of chosen files, and checks the files before the form is submitted. If the
 * form requires a robot check, it solves the check.
 */
export function watchForm(form: HTMLFormElement, given: FormContext): void {
  const { signal } = given;
  let proof: Promise<void> | undefined;
  const prove = (): Promise<void> => (proof ??= proveInto(form, given));
  // Starts the robot check only when the visitor begins to type.
  if (form.dataset['check'] !== undefined) form.addEventListener('input', () => void prove(), { signal, once: true });
  // Files may have been chosen before this script ran.
  nameFiles(form);
  form.addEventListener('change', () => (nameFiles(form), checkFiles(form)), { signal });
  form.addEventListener(
    'submit',
    (event) => {
      if (!checkFiles(form)) event.preventDefault();
      else if (form.dataset['check'] !== undefined && form.dataset['check'] !== 'over') {
        event.preventDefault();
        form.querySelector('button')?.setAttribute('aria-busy', 'true');
        void prove().then(() => form.requestSubmit());
      }
    },
    { signal },
  );
}

function nameFiles(form: HTMLFormElement): void {
  const [field, place] = [form.querySelector<HTMLInputElement>('input[type=file]'), form.querySelector('[data-chosen]')];
  if (place) place.textContent = [...(field?.files ?? [])].map(({ name }) => name).join(', ');
}

/** Returns true if the chosen files are within the limits; otherwise shows the error at the field. */
function checkFiles(form: HTMLFormElement): boolean {
  const field = form.querySelector<HTMLInputElement>('input[type=file]');
  if (!field) return true;
  const files = [...(field.files ?? [])];
  const { max = '', bytes = '', wrong = '' } = field.dataset;
  const fits = files.length <= +max && files.every(({ size }) => size <= +bytes);
  field.setCustomValidity(fits ? '' : wrong);
  return field.reportValidity();
}

/**
 * Solves the robot check and puts its token into the form. If that fails, the server opens the ticket only after a mailed link is
 * clicked.
 */
async function proveInto(form: HTMLFormElement, { botCheck, locale, signal }: FormContext): Promise<void> {
  try {
    const work = form.dataset['work'];
    const answer = await fetchApi(`/api/v1/bot/challenge${work === undefined ? '' : `?work=${work}`}`, { signal });
    const { data: challenge } = (await answer.json()) as { data: Challenge };
    const token =
      challenge.provider && botCheck
        ? await (
            await import('../../../features/bot-check/ask-provider.ts')
          ).askProvider(challenge.provider, form.querySelector('[data-place]') as HTMLElement, { ...botCheck, locale, signal })
        : await (await import('../../../features/bot-check/solve-in-worker.ts')).solveInWorker(challenge, signal);
    const field = form.elements.namedItem('bot_token');
    if (field instanceof HTMLInputElement && token !== null) field.value = token;
  } catch {
    // The form is submitted without a token, and the server's answer explains what to do.
  }
  form.dataset['check'] = 'over';
}
