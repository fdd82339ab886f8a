import { type ReactNode, useEffect, useState } from 'react';
import { useSite } from '../../../../features/site.ts';
import { m } from '../../../../features/words.ts';
import { Button } from '../../../../ui/fields/button.tsx';
import { Icon } from '../../../../ui/base/icon.tsx';
import { Message } from '../../../../ui/parts/message.tsx';
import { Pill } from '../../../../ui/parts/pill.tsx';
import { writeTime } from '../../../../ui/base/time.ts';
import css from './account.module.css';
import { deviceOf } from './device.ts';
import { Section } from './section.tsx';
import { type SessionRow, securityClient } from './security-client.ts';
import { useWork } from '../../../../features/account/sign-in/use-work.ts';

/** Section with the account's sessions, that of this device first. Each other device can be signed out. */
export function SessionsSection(): ReactNode {
  const [rows, setRows] = useState<readonly SessionRow[]>();
  const { wrong, isBusy, run } = useWork([]);
  const load = async (): Promise<void> => {
    const found = await securityClient.userSessions({});
    setRows([...found.filter(({ current }) => current), ...found.filter(({ current }) => !current)]);
  };
  const [{ first }] = useState(() => ({ first: () => run(load) }));
  useEffect(first, [first]);
  const end = (id: string): void =>
    run(async () => {
      await securityClient.userSessionsEnd({ id });
      await load();
    });
  const endOthers = (): void =>
    run(async () => {
      await securityClient.userSessionsEndOthers({});
      await load();
    });
  return (
    <Section anchor="sessions" title={m.sessions_title()} lead={m.sessions_lead()}>
      {wrong.message && (
        <Message tone="error" title={wrong.message} isLive>
          <button type="button" className="link" onClick={first}>
            {m.sessions_again()}
          </button>
        </Message>
      )}
      <ul className={`card ${css['sessions']}`} aria-busy={isBusy || undefined}>
        {rows ? (
          rows.map((row) => <SessionItem key={row.id} row={row} onEnd={() => end(row.id)} />)
        ) : (
          <li className={css['waitingRow']} />
        )}
      </ul>
      {rows && rows.length > 1 && (
        <div>
          <Button look="secondary" onClick={endOthers}>
            {m.sessions_end_others()}
          </Button>
        </div>
      )}
    </Section>
  );
}

function SessionItem({ row, onEnd }: { row: SessionRow; onEnd: () => void }): ReactNode {
  const { locale } = useSite();
  const { browser, system, isPhone } = deviceOf(row.device);
  const name = [browser, system].filter(Boolean).join(' · ') || m.sessions_unknown();
  return (
    <li className={css['session']}>
      <Icon name={isPhone ? 'device-mobile' : 'desktop'} size={24} />
      <div className={css['device']}>
        <b>{name}</b>
        <span>
          {row.ip} · {row.current ? m.sessions_this() : m.sessions_seen({ time: writeTime(row.seen_at, locale) })}
        </span>
      </div>
      {row.current ? (
        <Pill tone="success" icon="check-circle">
          {m.sessions_active()}
        </Pill>
      ) : (
        <Button look="secondary" size="small" aria-label={m.sessions_end_one({ name })} onClick={onEnd}>
          {m.sessions_end()}
        </Button>
      )}
    </li>
  );
}
