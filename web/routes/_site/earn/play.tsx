import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { beginBotCheck, checked as botChecked } from '../../../features/account/account-calls.ts';
import { useWork } from '../../../features/account/sign-in/use-work.ts';
import { useSite } from '../../../features/site.ts';
import { m } from '../../../features/words.ts';
import { writeAmount } from '../../../ui/base/amount.ts';
import { writeClock } from '../../../ui/base/time.ts';
import { Button } from '../../../ui/fields/button.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { Code } from '../../../ui/parts/copyable.tsx';
import { Message } from '../../../ui/parts/message.tsx';
import { DrawFigures } from './draw-figures.tsx';
import css from './earn.module.css';
import { type MadeDraw, type OwnEarn, earnCalls, refreshOwn, useChecked, useOwn } from './own-earn.ts';

/** Part in which the account holder starts a draw, claims it with a text of their own, and sees it checked by this browser. */
export function Play({ isOpen }: { isOpen: boolean }): ReactNode {
  const own = useOwn();
  const [won, setWon] = useState<MadeDraw>();
  const { wrong, isBusy, run } = useWork(['client_seed']);
  const place = useRef<HTMLDivElement>(null);
  const site = useSite();
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    refreshOwn().catch(() => setLost(true));
  }, []);
  const begin = (): void =>
    run(async () => {
      setWon(undefined);
      const bot = await beginBotCheck(site);
      await botChecked(
        () => bot(place.current as HTMLDivElement),
        (token) => earnCalls.earnBegin(token),
      );
      await refreshOwn();
    });
  const claim = (open: OpenDraw, client_seed: string): void =>
    run(async () => {
      const made = await earnCalls.earnClaim({ id: open.id, client_seed });
      // Only the seed and the prize are taken from this answer. The commitment and the table were received at the draw's start,
      // so the server can't change them now.
      setWon({ ...made, id: open.id, commit: open.commit, table: open.table, client_seed });
      await refreshOwn();
    });
  return (
    <div className={css['play']}>
      {won && <Won key={won.id} draw={won} />}
      {own?.open ? (
        <Claim key={own.open.id} open={own.open} wrong={wrong.at?.['client_seed']} isBusy={isBusy} onClaim={claim} />
      ) : own?.next_at ? (
        <p className="small soft">{m.earn_next({ time: writeClock(own.next_at) })}</p>
      ) : own && !isOpen ? (
        <p className="small soft">{m.earn_closed_now()}</p>
      ) : isLost ? null : (
        <Button isWide size="large" onClick={begin} busy={(isBusy || !own) && m.earn_working()}>
          {m.earn_begin()}
        </Button>
      )}
      {isLost && <Message tone="error" title={m.offline_lead()} />}
      <div ref={place} />
      {wrong.message !== undefined && <Message tone="error" isLive title={wrong.message} />}
    </div>
  );
}

type OpenDraw = NonNullable<OwnEarn['open']>;

/** Open draw: our commitment, and a field for the holder's text. */
function Claim({
  open,
  wrong,
  isBusy,
  onClaim,
}: {
  open: OpenDraw;
  wrong: string | undefined;
  isBusy: boolean;
  onClaim: (open: OpenDraw, text: string) => void;
}): ReactNode {
  const [made] = useState(ownText);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onClaim(open, String(new FormData(event.currentTarget).get('client_seed')));
  };
  return (
    <form onSubmit={submit}>
      <div>
        <p className="small soft">{m.earn_commit()}</p>
        <Code>{open.commit}</Code>
      </div>
      <Field
        name="client_seed"
        label={m.earn_text()}
        hint={m.earn_text_hint()}
        defaultValue={made}
        maxLength={64}
        required
        isMono
        error={wrong}
      />
      <Button type="submit" isWide size="large" busy={isBusy && m.earn_working()}>
        {m.earn_claim()}
      </Button>
      <p className="tiny mute">{m.earn_until({ time: writeClock(open.expires_at) })}</p>
    </form>
  );
}

/** Prize of a draw, and the result of checking the draw in this browser. */
function Won({ draw }: { draw: MadeDraw }): ReactNode {
  const { locale } = useSite();
  const found = useChecked(draw);
  const usd = (sum: string): string => `${writeAmount(sum, 2, locale)}\u00a0USD`;
  if (!found) return null;
  if (!found.isRight)
    return (
      <>
        <Message tone="error" isLive title={m.earn_tampered()} />
        <DrawFigures draw={draw} number={found.number} />
      </>
    );
  return (
    <Message tone="success" isLive title={m.earn_won({ sum: usd(draw.prize) })}>
      {m.earn_checked({ number: writeAmount(String(found.number), 0, locale), sum: usd(found.prize) })}
    </Message>
  );
}

/** Returns a random text for holders who type no text of their own. */
const ownText = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('');
