import { fetchApi } from '../../../features/api/address.ts';
import type { Challenge } from '../../../features/bot-check/solve.ts';
import type { askProvider } from '../../../features/bot-check/ask-provider.ts';

type Options = Parameters<typeof askProvider>[2];
interface Given {
  readonly locale: string;
  readonly signal: AbortSignal;
  readonly botCheck: Pick<Options, 'script'> | undefined;
}

/**
 * Says which files were chosen and looks at them before they are sent, and proves meanwhile that no robot writes, where the
 * form asks for that.
 */
export function watchForm(form: HTMLFormElement, given: Given): void {
  const { signal } = given;
  let proof: Promise<void> | undefined;
  const prove = (): Promise<void> => (proof ??= proveInto(form, given));
  // Nothing is worked on before somebody begins to write.
  if (form.dataset['check'] !== undefined) form.addEventListener('input', () => void prove(), { signal, once: true });
  // They may have been chosen before this script came.
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

/** Whether the chosen files may be sent; says so at the field where not. */
function checkFiles(form: HTMLFormElement): boolean {
  const field = form.querySelector<HTMLInputElement>('input[type=file]');
  if (!field) return true;
  const files = [...(field.files ?? [])];
  const { most = '', bytes = '', wrong = '' } = field.dataset;
  const fits = files.length <= +most && files.every(({ size }) => size <= +bytes);
  field.setCustomValidity(fits ? '' : wrong);
  return field.reportValidity();
}

/** Puts the proof into the form. Without one the ticket waits until the link in its letter is opened. */
async function proveInto(form: HTMLFormElement, { botCheck, locale, signal }: Given): Promise<void> {
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
    // The server says what is to be done without it.
  }
  form.dataset['check'] = 'over';
}
