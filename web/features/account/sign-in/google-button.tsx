import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { Button } from '../../../ui/fields/button.tsx';
import { useLocale } from '../../../ui/base/locale.ts';
import type { SiteData } from '../../../routes/_site/site-data.ts';
import { decide, decided, hostOf } from '../../consent.ts';
import { useSite } from '../../site.ts';
import { m } from '../../words.ts';
import { beginGoogle, type GoogleShown } from '../account-calls.ts';
import { openGoogle } from './google.ts';
import css from './sign-in.module.css';

type State = 'loading' | 'ready' | 'failed';

interface Props {
  /** True while the server checks the token that Google's button returned. */
  isBusy: boolean;
  onShown: (shown: GoogleShown) => void;
}

/**
 * Button to sign in with Google; absent if Google is not configured. Our own button is shown first. Pressing it permits Google's
 * script, which then shows Google's button. Google's button gets a new nonce each time it is shown.
 */
export function GoogleButton(props: Props): ReactNode {
  const { google } = useSite();
  const [round, setRound] = useState(0);
  const [allowed, setAllowed] = useState(() => decided('google') === 'yes');
  const allow = (): void => {
    decide('google', 'yes');
    setAllowed(true);
  };
  if (!google) return null;
  if (!allowed) return <Asking google={google} onAllow={allow} />;
  return <Round key={round} {...props} google={google} onAgain={() => setRound(round + 1)} />;
}

/** Our own button, shown before anything is loaded from Google. The text below says what the visitor permits by pressing it. */
function Asking({ google, onAllow }: { google: NonNullable<SiteData['google']>; onAllow: () => void }): ReactNode {
  const note = useId();
  return (
    <div className={css['google']}>
      <Button look="secondary" isWide icon="google-logo" aria-describedby={note} onClick={onAllow}>
        {m.google_continue()}
      </Button>
      <p className={css['googleNote']} id={note}>
        {m.google_consent({ host: hostOf(google.script) })}
      </p>
    </div>
  );
}

/**
 * Google's button for one nonce, shown by Google's script. Our own button is shown until the script has loaded. After a failure,
 * pressing our button tries again. Shortly before the nonce expires, `onAgain` replaces this component by one with a new nonce.
 */
function Round({
  google,
  isBusy,
  onShown,
  onAgain,
}: Props & { google: NonNullable<SiteData['google']>; onAgain: () => void }): ReactNode {
  const locale = useLocale();
  const place = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<State>('loading');
  const show = useEffectEvent(onShown);
  const again = useEffectEvent(onAgain);
  useEffect(() => {
    let isGone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const begin = async (): Promise<void> => {
      const { nonce, nonce_key, expires_in } = await beginGoogle();
      if (isGone) return;
      timer = setTimeout(() => again(), expires_in * 900);
      const onToken = (token_id: string): void => {
        if (!isGone) show({ token_id, nonce_key });
      };
      const draw = await openGoogle(google, { nonce, onToken });
      if (isGone || !place.current) return;
      draw(place.current, { isDark: isDark(), locale });
      setState('ready');
    };
    begin().catch(() => !isGone && setState('failed'));
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [google, locale]);
  const isStandIn = state !== 'ready' || isBusy;
  return (
    <div className={css['google']}>
      <div ref={place} className={css['googlePlace']} inert={isStandIn} data-out={isStandIn || undefined} />
      {isStandIn && (
        <Button
          look="secondary"
          isWide
          icon="google-logo"
          busy={isBusy && m.code_checking()}
          disabled={state === 'loading'}
          onClick={onAgain}
        >
          {m.google_continue()}
        </Button>
      )}
      <p className={css['googleNote']} aria-live="polite">
        {state === 'failed' && m.google_failed()}
      </p>
    </div>
  );
}

/** True if the page is shown in dark colours. */
function isDark(): boolean {
  const { colorScheme } = getComputedStyle(document.documentElement);
  return colorScheme === 'dark' || (colorScheme === 'light dark' && matchMedia('(prefers-color-scheme: dark)').matches);
}
