import { type ReactNode, type SubmitEvent, useRef, useState } from 'react';
import { useActionData, useLoaderData, useSubmit } from 'react-router';
import { type Checked, checkReceipt } from '../../../features/receipt/check.ts';
import { useSite } from '../../../features/site.ts';
import { m } from '../../../features/words.ts';
import { Button } from '../../../ui/fields/button.tsx';
import { useHydrated } from '../../../ui/base/clock.ts';
import { Code } from '../../../ui/parts/copyable.tsx';
import { cx } from '../../../ui/base/cx.ts';
import { Icon } from '../../../ui/base/icon.tsx';
import { Message } from '../../../ui/parts/message.tsx';
import { useTitle } from '../../../ui/base/title.ts';
import { Main } from '../layout.tsx';
import { Promised } from './promised.tsx';
import type { VerifyAnswer, VerifyData } from './page.server.ts';
import css from './verify.module.css';

/** Page that checks a signed receipt in the browser, with the keys in the page's data. */
export default function VerifyPage(): ReactNode {
  const { head, keys } = useLoaderData<VerifyData>();
  const answer = useActionData<VerifyAnswer>();
  const { name } = useSite();
  const submit = useSubmit();
  const text = useRef<HTMLTextAreaElement>(null);
  const [here, setHere] = useState<Checked>();
  const checked = here ?? answer?.checked;
  useTitle(head.title, name);

  const check = async (form: HTMLFormElement): Promise<void> => {
    try {
      setHere(await checkReceipt(text.current?.value ?? '', keys));
    } catch {
      // This browser has no Ed25519, so the server checks the receipt by the same rules.
      setHere(undefined);
      await submit(form, { method: 'post' });
    }
  };
  const onSubmit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    void check(event.currentTarget);
  };
  const onFile = async (file: File | undefined, form: HTMLFormElement | null): Promise<void> => {
    if (!file || !text.current || !form) return;
    text.current.value = await file.text();
    await check(form);
  };

  return (
    <Main className={cx('wrap', css['page'])}>
      <h1 className="title">{m.verify_title()}</h1>
      <p className="soft">{m.verify_lead()}</p>
      <form method="post" className={cx('card pad', css['form'])} onSubmit={onSubmit}>
        <label htmlFor="receipt">{m.verify_label()}</label>
        <p id="receipt-hint" className="small mute">
          {m.verify_hint()}
        </p>
        <textarea
          ref={text}
          id="receipt"
          name="receipt"
          rows={6}
          spellCheck={false}
          autoComplete="off"
          aria-describedby="receipt-hint"
          defaultValue={answer?.text}
        />
        <div className={css['acts']}>
          <Button type="submit">{m.verify_check()}</Button>
          <FileButton onFile={(file, form) => void onFile(file, form)} />
        </div>
        <noscript>
          <p className="small mute">{m.verify_no_script()}</p>
        </noscript>
      </form>
      {checked && <Verdict checked={checked} name={name} />}
      {checked?.verdict === 'fits' && <Promised terms={checked.terms} keyId={checked.keyId} />}
      <CheckingElsewhere keys={keys} />
    </Main>
  );
}

/** Explains how to check a receipt without this page, with the public keys. */
function CheckingElsewhere({ keys }: Pick<VerifyData, 'keys'>): ReactNode {
  return (
    <details className={cx('card', css['how'])}>
      <summary>
        {m.verify_how_title()}
        <Icon name="caret-down" size={16} />
      </summary>
      <p>{m.verify_how_text()}</p>
      <p>{m.verify_how_keys()}</p>
      <ul>
        {keys.map(({ key_id: id, public_key: key }) => (
          <li key={id}>
            {id}: <Code>{key}</Code>
          </li>
        ))}
      </ul>
      <p>
        <a className="link" href="/.well-known/kurs-receipt-keys.json" data-reload>
          {m.verify_how_file()}
        </a>
      </p>
    </details>
  );
}

/** Button to choose a receipt's file. A script reads the file, so without JavaScript there is no button. */
function FileButton({ onFile }: { onFile: (file: File | undefined, form: HTMLFormElement | null) => void }): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  if (!useHydrated()) return null;
  return (
    <>
      <Button look="secondary" onClick={() => input.current?.click()}>
        {m.verify_file()}
      </Button>
      <input
        ref={input}
        hidden
        type="file"
        accept="application/json,.json"
        aria-label={m.verify_file()}
        onChange={({ currentTarget }) => {
          onFile(currentTarget.files?.[0], currentTarget.form);
          currentTarget.value = '';
        }}
      />
    </>
  );
}

function Verdict({ checked, name }: { checked: Checked; name: string }): ReactNode {
  switch (checked.verdict) {
    case 'fits':
      return (
        <Message tone="success" isLive title={m.verify_fits()}>
          {m.verify_fits_text({ name: checked.terms.issuer.name })}
        </Message>
      );
    case 'changed':
      return (
        <Message tone="error" isLive title={m.verify_changed()}>
          {m.verify_changed_text()}
        </Message>
      );
    case 'stranger':
      return (
        <Message tone="error" isLive title={m.verify_stranger({ name })}>
          {m.verify_stranger_text()}
        </Message>
      );
    case 'unreadable':
      return (
        <Message tone="error" isLive title={m.verify_unreadable()}>
          {m.verify_unreadable_text()}
        </Message>
      );
  }
}
