import { type ReactNode, useState } from 'react';
import { useRevalidator } from 'react-router';
import { useWork } from '../../../../../features/account/sign-in/use-work.ts';
import { m } from '../../../../../features/words.ts';
import { Button } from '../../../../../ui/fields/button.tsx';
import { Message } from '../../../../../ui/parts/message.tsx';
import { moneyCalls } from '../../confirm/money-calls.ts';
import css from './withdraw.module.css';

/** Button that cancels one withdrawal. */
export function CallOff({ id }: { id: string }): ReactNode {
  const { wrong, isBusy, run } = useWork([]);
  const { revalidate } = useRevalidator();
  const callOff = (): void =>
    run(async () => {
      try {
        await moneyCalls.walletWithdrawCancel({ id });
      } finally {
        await revalidate();
      }
    });
  return (
    <div className={css['callOff']}>
      {wrong.message && <Message tone="error" title={wrong.message} isLive />}
      <Button look="secondary" busy={isBusy && m.withdraw_calling_off()} onClick={callOff}>
        {m.withdraw_call_off()}
      </Button>
    </div>
  );
}

/** Button that cancels all withdrawals that were not sent yet, for holders who see withdrawals that they did not request. */
export function CallAllOff(): ReactNode {
  const { wrong, isBusy, run } = useWork([]);
  const { revalidate } = useRevalidator();
  const [cancelled, setCancelled] = useState<number>();
  const callOff = (): void =>
    run(async () => {
      try {
        setCancelled((await moneyCalls.walletWithdrawCancelWaiting({})).cancelled);
      } finally {
        await revalidate();
      }
    });
  return (
    <div className={css['callOff']}>
      {wrong.message && <Message tone="error" title={wrong.message} isLive />}
      {cancelled !== undefined && (
        <Message tone="success" title={m.withdraw_called_all_off({ count: String(cancelled) })} isLive />
      )}
      <p className="soft">{m.withdraw_call_all_off_lead()}</p>
      <Button look="secondary" busy={isBusy && m.withdraw_calling_off()} onClick={callOff}>
        {m.withdraw_call_all_off()}
      </Button>
    </div>
  );
}
