// Third-party robot checks: Turnstile and reCAPTCHA version 2. Both are shown by the same calls:
// https://developers.cloudflare.com/turnstile/get-started/client-side-rendering/ and
// https://developers.google.com/recaptcha/docs/display

import { CallError } from '@kurs/contract/client';
import look from '../../ui/fields/button.module.css';
import css from './ask-provider.module.css';
import { decide, decided, hostOf } from '../consent.ts';
import { hideReferrer, trustedScriptUrl } from '../trusted-script.ts';
import { m } from '../words.ts';

/** Width of the providers' normal check, in pixels. In narrower places the compact check is shown. */
const USUAL_WIDTH = 304;

interface Api {
  render(place: HTMLElement, settings: Readonly<Record<string, unknown>>): unknown;
  ready?(then: () => void): void;
}

/** Provider of the check, as the API's challenge names it. */
export interface Provider {
  readonly name: 'turnstile' | 'recaptcha';
  readonly site_key: string;
}

const NAMES = { turnstile: 'Cloudflare Turnstile', recaptcha: 'Google reCAPTCHA' } as const;
const GLOBAL = { turnstile: 'turnstile', recaptcha: 'grecaptcha' } as const;
let loading: Promise<Api> | undefined;

/**
 * Shows a provider's check in `place`, and returns its token once the visitor has passed it. First asks for permission to load
 * the provider's script, unless permission was given before. Removes the check at the end. `script` is the configured URL. Throws
 * a CallError `bot_check_failed` if the script can't be loaded, the check fails or `signal` aborts.
 */
export async function askProvider(
  { name, site_key }: Provider,
  place: HTMLElement,
  { script, locale, signal }: { script: string; locale: string; signal?: AbortSignal },
): Promise<string> {
  const note = document.createElement('p');
  const box = document.createElement('div');
  const ask = document.createElement('div');
  ask.className = css['ask'] ?? '';
  ask.append(note, box);
  place.replaceChildren(ask);
  try {
    if (decided('robots') !== 'yes') await consent(NAMES[name], { script, note, box, signal });
    note.textContent = m.bot_confirm();
    box.replaceChildren();
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

/** Names the provider whose script would be loaded, and waits for the visitor's permission. */
function consent(
  provider: string,
  { script, note, box, signal }: { script: string; note: HTMLElement; box: HTMLElement; signal: AbortSignal | undefined },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = [look['button'], look['secondary'], look['normal']].join(' ');
    button.textContent = m.bot_load({ provider });
    button.addEventListener('click', () => {
      decide('robots', 'yes');
      resolve();
    });
    signal?.addEventListener('abort', () => reject(failure()));
    note.textContent = m.bot_consent({ provider, host: hostOf(script) });
    box.append(button);
    box.scrollIntoView({ block: 'nearest' });
  });
}

const failure = (): CallError => new CallError(0, { code: 'bot_check_failed', message: m.bot_not_loaded() });

function load(name: Provider['name'], address: string, locale: string): Promise<Api> {
  hideReferrer();
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const fail = (): void => {
      script.remove();
      reject(failure());
    };
    script.addEventListener('load', () => {
      const api = (globalThis as unknown as Record<string, Api | undefined>)[GLOBAL[name]];
      if (!api) return fail();
      // reCAPTCHA's script loads a second script, and can show a check only after the second script has loaded.
      if (name === 'recaptcha' && api.ready) api.ready(() => resolve(api));
      else resolve(api);
    });
    script.addEventListener('error', fail);
    script.async = true;
    script.src = trustedScriptUrl(`${address}?render=explicit&hl=${locale}`);
    document.head.append(script);
  });
}

/** True if the page is shown in dark colours. */
function isDark(): boolean {
  const { colorScheme } = getComputedStyle(document.documentElement);
  return colorScheme === 'dark' || (colorScheme === 'light dark' && matchMedia('(prefers-color-scheme: dark)').matches);
}
