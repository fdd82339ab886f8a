// A robot check by somebody else: https://developers.cloudflare.com/turnstile/get-started/client-side-rendering/ and
// https://developers.google.com/recaptcha/docs/display (version 2), which draw themselves alike.

import { CallError } from '@kurs/contract/client';
import { trustedScriptUrl } from '../trusted-script.ts';
import { m } from '../words.ts';

/** Pixels that the providers' usual size takes; below it they have a compact one. */
const USUAL_WIDTH = 304;

interface Api {
  render(place: HTMLElement, settings: Readonly<Record<string, unknown>>): unknown;
  ready?(then: () => void): void;
}

/** Who checks, as the challenge names him. */
export interface Provider {
  readonly name: 'turnstile' | 'recaptcha';
  readonly site_key: string;
}

const GLOBAL = { turnstile: 'turnstile', recaptcha: 'grecaptcha' } as const;
let loading: Promise<Api> | undefined;

/**
 * Draws the provider's check into a place and gives its token once it is passed; what was drawn is gone then. `script`: its
 * address by the site's configuration. Throws a CallError `bot_check_failed` with words for people where it doesn't come or
 * fails, or when `signal` says that nobody waits any more.
 */
export async function askProvider(
  { name, site_key }: Provider,
  place: HTMLElement,
  { script, locale, signal }: { script: string; locale: string; signal?: AbortSignal },
): Promise<string> {
  const note = document.createElement('p');
  note.textContent = m.bot_confirm();
  const box = document.createElement('div');
  place.replaceChildren(note, box);
  try {
    loading ??= load(name, script, locale);
    const api = await loading;
    place.scrollIntoView({ block: 'nearest' });
    return await new Promise<string>((resolve, reject) => {
      const fail = (): void => reject(failure());
      signal?.addEventListener('abort', fail);
      const theme = isDark() ? 'dark' : 'light';
      const size = place.clientWidth < USUAL_WIDTH ? 'compact' : 'normal';
      const heard = { callback: resolve, 'error-callback': fail, 'expired-callback': fail };
      api.render(box, { sitekey: site_key, theme, size, language: locale, hl: locale, ...heard });
    });
  } catch (error) {
    loading = undefined;
    throw error instanceof CallError ? error : failure();
  } finally {
    place.replaceChildren();
  }
}

const failure = (): CallError => new CallError(0, { code: 'bot_check_failed', message: m.bot_not_loaded() });

function load(name: Provider['name'], address: string, locale: string): Promise<Api> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const fail = (): void => {
      script.remove();
      reject(failure());
    };
    script.addEventListener('load', () => {
      const api = (globalThis as unknown as Record<string, Api | undefined>)[GLOBAL[name]];
      if (!api) return fail();
      // reCAPTCHA's script loads another before it can draw.
      if (name === 'recaptcha' && api.ready) api.ready(() => resolve(api));
      else resolve(api);
    });
    script.addEventListener('error', fail);
    script.async = true;
    script.src = trustedScriptUrl(`${address}?render=explicit&hl=${locale}`);
    document.head.append(script);
  });
}

/** Which of the two sides the page shows. */
function isDark(): boolean {
  const { colorScheme } = getComputedStyle(document.documentElement);
  return colorScheme === 'dark' || (colorScheme === 'light dark' && matchMedia('(prefers-color-scheme: dark)').matches);
}
