import { type ReactNode, Suspense, lazy, useEffect, useRef, useState } from 'react';
import { useWork } from '../../../../../features/account/sign-in/use-work.ts';
import { useSite } from '../../../../../features/site.ts';
import { m } from '../../../../../features/words.ts';
import { Button } from '../../../../../ui/fields/button.tsx';
import { CopyButton } from '../../../../../ui/parts/copyable.tsx';
import { Message } from '../../../../../ui/parts/message.tsx';
import { writeTime } from '../../../../../ui/base/time.ts';
import type { User } from '../../user.ts';
import css from '../account.module.css';
import { type KeyRow, type NewKey, keyCalls } from './key-calls.ts';
import { SCOPE_WORDS } from './scope-words.ts';
import { Section } from '../section.tsx';

// Few customers create a key, so the form's code is loaded on demand.
const KeyForm = lazy(async () => ({ default: (await import('./key-form.tsx')).KeyForm }));

/** Section that lists, creates and revokes the account's API keys. A new key is shown only once. */
export function KeysSection({ user }: { user: User }): ReactNode {
  const [rows, setRows] = useState<readonly KeyRow[]>();
  const [adding, setAdding] = useState(false);
  const [made, setMade] = useState<NewKey>();
  const { wrong, isBusy, run } = useWork([]);
  const load = async (): Promise<void> => setRows(await keyCalls.apiKeys({}));
  const [{ first }] = useState(() => ({ first: () => run(load) }));
  useEffect(first, [first]);
  const revoke = (id: string): void =>
    run(async () => {
      await keyCalls.apiKeyRevoke({ id });
      await load();
    });
  const revokeAll = (): void =>
    run(async () => {
      await keyCalls.apiKeyRevokeAll({});
      await load();
    });
  return (
    <Section anchor="keys" title={m.keys_title()} lead={m.keys_lead()}>
      {wrong.message && (
        <Message tone="error" title={wrong.message} isLive>
          <button type="button" className="link" onClick={first}>
            {m.sessions_again()}
          </button>
        </Message>
      )}
      {made && <MadeKey made={made} onStored={() => setMade(undefined)} />}
      <ul className={`card ${css['sessions']}`} aria-busy={isBusy || undefined} aria-label={m.keys_title()}>
        {!rows ? (
          <li className={css['waitingRow']} />
        ) : rows.length === 0 ? (
          <li className={css['session']}>
            <span className="soft">{m.keys_none()}</span>
          </li>
        ) : (
          rows.map((row) => <KeyItem key={row.id} row={row} onRevoke={() => revoke(row.id)} />)
        )}
      </ul>
      {rows &&
        (adding ? (
          <Suspense fallback={null}>
            <KeyForm
              user={user}
              onClose={() => setAdding(false)}
              onMade={(key) => {
                setMade(key);
                setAdding(false);
                run(load);
              }}
            />
          </Suspense>
        ) : (
          <div className={css['row']}>
            <Button look="secondary" icon="plus" onClick={() => setAdding(true)}>
              {m.keys_add()}
            </Button>
            {rows.length > 1 && (
              <Button look="secondary" onClick={revokeAll}>
                {m.keys_revoke_all()}
              </Button>
            )}
          </div>
        ))}
    </Section>
  );
}

/** Shows a new API key. Later it can't be shown or copied again. */
function MadeKey({ made, onStored }: { made: NewKey; onStored: () => void }): ReactNode {
  const shown = useRef<HTMLElement>(null);
  return (
    <div className={`card pad ${css['stack']}`}>
      <Message tone="success" title={m.keys_made({ name: made.name })} isLive>
        {m.keys_once()}
      </Message>
      <p className={css['codes']}>
        <code ref={shown}>{made.key}</code>
      </p>
      <div className={css['row']}>
        <CopyButton value={made.key} words={{ copy: m.copy(), copied: m.copied() }} name={m.keys_key()} selects={shown} />
        <Button size="small" onClick={onStored}>
          {m.keys_kept()}
        </Button>
      </div>
    </div>
  );
}

function KeyItem({ row, onRevoke }: { row: KeyRow; onRevoke: () => void }): ReactNode {
  const { locale } = useSite();
  return (
    <li className={css['session']}>
      <div className={css['device']}>
        <b>{row.name}</b>
        <span>
          <code>{row.hint}…</code> · {row.scopes.map((scope) => SCOPE_WORDS[scope]()).join(', ')}
        </span>
        {row.networks.length > 0 && <span>{m.keys_from({ networks: row.networks.join(', ') })}</span>}
        <span>
          {m.keys_until({ time: writeTime(row.expires_at, locale) })} ·{' '}
          {row.used_at === undefined ? m.keys_unused() : m.keys_used({ time: writeTime(row.used_at, locale) })}
        </span>
      </div>
      <Button look="secondary" size="small" aria-label={m.keys_revoke_one({ name: row.name })} onClick={onRevoke}>
        {m.keys_revoke()}
      </Button>
    </li>
  );
}
