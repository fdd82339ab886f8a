import { type ReactNode, useRef } from 'react';
import { useSite } from '../../../../../features/site.ts';
import { m } from '../../../../../features/words.ts';
import { Button } from '../../../../../ui/fields/button.tsx';
import { CopyButton } from '../../../../../ui/parts/copyable.tsx';
import { Message } from '../../../../../ui/parts/message.tsx';
import css from '../account.module.css';

/** Shows the recovery codes once, to copy or to save as a file. */
export function RecoveryCodes({
  email,
  codes,
  title,
  onStored,
}: {
  email: string;
  /** Title that says why the codes are new. */
  title: string;
  codes: readonly string[];
  onStored: () => void;
}): ReactNode {
  const { name } = useSite();
  const list = useRef<HTMLUListElement>(null);
  const text = codes.join('\n');
  const save = (): void => {
    const file = new Blob([`${name} · ${email}\n${m.recovery_file_lead()}\n\n${text}\n`], { type: 'text/plain' });
    const link = document.createElement('a');
    link.href = URL.createObjectURL(file);
    link.download = `${name.toLowerCase()}-recovery-codes.txt`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
  };
  return (
    <>
      <Message tone="success" title={title} isLive />
      <div>
        <h3 className="card-title">{m.recovery_title()}</h3>
        <p className={css['lead']}>{m.recovery_lead()}</p>
      </div>
      <ul ref={list} className={css['codes']}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={css['row']}>
        <span className={css['actions']}>
          <CopyButton value={text} words={{ copy: m.copy(), copied: m.copied() }} name={m.recovery_title()} selects={list} />
          <Button look="secondary" size="small" icon="download-simple" onClick={save}>
            {m.recovery_download()}
          </Button>
        </span>
        <Button size="small" onClick={onStored}>
          {m.recovery_kept()}
        </Button>
      </div>
    </>
  );
}
