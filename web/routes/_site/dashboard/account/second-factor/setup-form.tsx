import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { m } from '../../../../../features/words.ts';
import { Button } from '../../../../../ui/fields/button.tsx';
import { CopyButton } from '../../../../../ui/parts/copyable.tsx';
import { Field } from '../../../../../ui/fields/field.tsx';
import { Message } from '../../../../../ui/parts/message.tsx';
import css from '../account.module.css';
import { type StepUp, OnceMore, requestedOnceMore } from '../once-more.tsx';
import { type Setup, securityClient } from '../security-client.ts';
import { useWork } from '../../../../../features/account/sign-in/use-work.ts';

/** Form that shows the secret for an authenticator as a QR code and as text, and asks for the authenticator's first code. */
export function SetupForm({
  setup,
  email,
  onEnabled,
}: {
  setup: Setup;
  email: string;
  onEnabled: (codes: readonly string[]) => void;
}): ReactNode {
  const [code, setCode] = useState('');
  const shown = useRef<HTMLElement>(null);
  const [more, setMore] = useState<StepUp>({});
  const { wrong, isBusy, run } = useWork(['two_factor_code', 'password', 'otp']);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    run(async () => {
      const enable = () => securityClient.enable2fa({ two_factor_code: code, ...more });
      const enabled = await requestedOnceMore('two_factor', enable, setMore);
      if (enabled) onEnabled(enabled.recovery_codes);
    });
  };
  const groups = setup.secret.match(/.{1,4}/g) ?? [];
  return (
    <>
      <div className={css['setup']}>
        <QrPicture svg={setup.qr} />
        <ol className={css['steps']}>
          <li>{m.two_factor_scan()}</li>
          <li>
            {m.two_factor_type()}
            <span className={css['key']}>
              <code ref={shown}>{groups.join(' ')}</code>
              <CopyButton
                value={setup.secret}
                words={{ copy: m.copy(), copied: m.copied() }}
                name={m.two_factor_key()}
                selects={shown}
              />
            </span>
          </li>
          <li>
            {m.two_factor_enter()}
            <form onSubmit={submit} noValidate className={css['enter']}>
              <Field
                name="two_factor_code"
                label={m.second_label()}
                inputMode="numeric"
                autoComplete="one-time-code"
                maxLength={6}
                value={code}
                error={wrong.at?.['two_factor_code']}
                onChange={(event) => setCode(event.currentTarget.value.replace(/\D/g, ''))}
              />
              <OnceMore email={email} request={more} wrong={wrong} onChange={setMore} />
              <Button type="submit" busy={isBusy && m.code_checking()}>
                {m.two_factor_switch_on()}
              </Button>
            </form>
          </li>
        </ol>
      </div>
      {wrong.message && <Message tone="error" title={wrong.message} isLive />}
      <Message tone="info">{m.two_factor_next()}</Message>
    </>
  );
}

/**
 * QR code from the server's SVG. Only the view box and the path are taken from the SVG, so no other markup can get into the page.
 */
function QrPicture({ svg }: { svg: string }): ReactNode {
  const box = /viewBox="([-\d ]+)"/.exec(svg)?.[1];
  const path = /<path d="([Mhvz\d -]+)"/.exec(svg)?.[1];
  if (box === undefined || path === undefined) return null;
  return (
    <svg className={css['qr']} viewBox={box} role="img" aria-label={m.two_factor_qr()} shapeRendering="crispEdges">
      <path d={path} />
    </svg>
  );
}
