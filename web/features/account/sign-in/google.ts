// The part of Google's client script that a sign-in button needs:
// https://developers.google.com/identity/gsi/web/reference/js-reference

import { hideReferrer, trustedScriptUrl } from '../../trusted-script.ts';

interface GoogleId {
  initialize(settings: {
    client_id: string;
    nonce: string;
    callback: (given: { credential: string }) => void;
    ux_mode: 'popup';
    auto_select: boolean;
  }): void;
  renderButton(
    place: HTMLElement,
    looks: {
      type: 'standard';
      theme: 'outline' | 'filled_black';
      size: 'large';
      text: 'continue_with';
      logo_alignment: 'center';
      width: number;
      locale: string;
    },
  ): void;
}

/** Maximum width of Google's button, in pixels. */
const WIDEST = 400;

let loading: Promise<GoogleId> | undefined;

/**
 * Loads Google's script and prepares a sign-in with a nonce. Returns the function that shows Google's button. Throws an Error
 * "clientId is required" if Google is not configured or there is no document; another Error if the script can't be loaded.
 */
export async function openGoogle(
  { clientId, script }: { clientId: string | undefined; script: string },
  { nonce, onToken }: { nonce: string; onToken: (token: string) => void },
): Promise<(place: HTMLElement, looks: { isDark: boolean; locale: string }) => void> {
  if (clientId === undefined || clientId === '' || typeof document === 'undefined') throw new Error('clientId is required');
  loading ??= load(script);
  const id = await loading.catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  id.initialize({
    client_id: clientId,
    nonce,
    callback: ({ credential }) => onToken(credential),
    ux_mode: 'popup',
    auto_select: false,
  });
  return (place, { isDark, locale }) =>
    id.renderButton(place, {
      type: 'standard',
      theme: isDark ? 'filled_black' : 'outline',
      size: 'large',
      text: 'continue_with',
      logo_alignment: 'center',
      width: Math.min(WIDEST, place.clientWidth),
      locale,
    });
}

function load(address: string): Promise<GoogleId> {
  hideReferrer();
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const fail = (): void => {
      script.remove();
      reject(new Error('Google’s script did not come'));
    };
    script.addEventListener('load', () => {
      const { google } = globalThis as { google?: { accounts?: { id?: GoogleId } } };
      if (google?.accounts?.id) resolve(google.accounts.id);
      else fail();
    });
    script.addEventListener('error', fail);
    script.async = true;
    script.src = trustedScriptUrl(address);
    document.head.append(script);
  });
}
