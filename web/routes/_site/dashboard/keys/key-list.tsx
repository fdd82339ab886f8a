import { type ReactNode, Suspense, lazy, useEffect, useRef, useState } from 'react';
import { useWork } from '../../../../features/account/sign-in/use-work.ts';
import { useSite } from '../../../../features/site.ts';
import { m } from '../../../../features/words.ts';
import { Button } from '../../../../ui/fields/button.tsx';
import { CopyButton } from '../../../../ui/parts/copyable.tsx';
import { Message } from '../../../../ui/parts/message.tsx';
import { writeTime } from '../../../../ui/base/time.ts';
import css from '../account/account.module.css';
import type { User } from '../user.ts';
import type { Choice, KeyBook, KeyRow, NewKey } from './key-book.ts';

// Few customers create a key, so the form's code is loaded on demand.
const KeyForm = lazy(async () => ({ default: (await import('./key-form.tsx')).KeyForm }));

/** Lists, creates and revokes API keys. A new key is shown only once. */
export function KeyList({ book, user }: { book: KeyBook; user: User }): ReactNode {
  const [loaded, setLoaded] = useState<{ rows: readonly KeyRow[]; choices: readonly Choice[] }>();
  const [adding, setAdding] = useState(false);
  const [made, setMade] = useState<NewKey>();
  const { wrong, isBusy, run } = useWork([]);
  const load = async (): Promise<void> => setLoaded(await book.list());
  const [{ first }] = useState(() => ({ first: () => run(load) }));
  useEffect(first, [first]);
  const change = (work: () => Promise<unknown>): void =>
    run(async () => {
      await work();
      await load();
    });
  const rows = loaded?.rows;
  const { revokeAll } = book;
  return (
    <>
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
          rows.map((row) => <KeyItem key={row.id} {...{ row, book }} onRevoke={() => change(() => book.revoke(row.id))} />)
        )}
      </ul>
      {loaded &&
        (adding ? (
          <Suspense fallback={null}>
            <KeyForm
              {...{ user, book, choices: loaded.choices }}
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
            {revokeAll && loaded.rows.length > 1 && (
              <Button look="secondary" onClick={() => change(revokeAll)}>
                {m.keys_revoke_all()}
              </Button>
            )}
          </div>
        ))}
    </>
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

function KeyItem({ row, book, onRevoke }: { row: KeyRow; book: KeyBook; onRevoke: () => void }): ReactNode {
  const { locale } = useSite();
  return (
    <li className={css['session']}>
      <div className={css['device']}>
        <b>{row.name}</b>
        <span>
          <code>{row.hint}…</code> · {row.permissions.map(book.wordsOf).join(', ')}
        </span>
        {row.networks.length > 0 && <span>{m.keys_from({ networks: row.networks.join(', ') })}</span>}
        <span>
          {m.keys_until({ time: writeTime(row.expires_at, locale) })} ·{' '}
          {row.used_at === undefined ? m.keys_unused() : m.keys_used({ time: writeTime(row.used_at, locale) })}
        </span>
        {row.made_by !== undefined && <span>{m.keys_made_by({ email: row.made_by })}</span>}
      </div>
      <Button look="secondary" size="small" aria-label={m.keys_revoke_one({ name: row.name })} onClick={onRevoke}>
        {m.keys_revoke()}
      </Button>
    </li>
  );
}
