import { type FormEvent, type ReactNode, useState } from 'react';
import { useWork } from '../../../../../features/account/sign-in/use-work.ts';
import { useSite } from '../../../../../features/site.ts';
import { m } from '../../../../../features/words.ts';
import { Button } from '../../../../../ui/fields/button.tsx';
import { Copyable } from '../../../../../ui/parts/copyable.tsx';
import { cx } from '../../../../../ui/base/cx.ts';
import { Message } from '../../../../../ui/parts/message.tsx';
import { writeTime } from '../../../../../ui/base/time.ts';
import { ConfirmPart } from '../../confirm/confirm-part.tsx';
import { moneyCalls } from '../../confirm/money-calls.ts';
import { useConfirm } from '../../confirm/use-confirm.ts';
import type { User } from '../../user.ts';
import type { Withdrawal } from './statuses.ts';
import css from './withdraw.module.css';

type OpenedVoucher = Awaited<ReturnType<typeof moneyCalls.walletWithdrawVoucher>>;

/** Card with the voucher that a withdrawal bought. It is shown on request; after the first time only with a confirmation code. */
export function Voucher({ one, user }: { one: Withdrawal; user: User }): ReactNode {
  const { locale } = useSite();
  const [shown, setShown] = useState<OpenedVoucher>();
  const words = { copy: m.copy(), copied: m.copied() };
  return (
    <section className={cx('card pad', css['voucher'])} aria-labelledby="voucher-title">
      <div>
        <h2 className="card-title" id="voucher-title">
          {m.voucher_title()}
        </h2>
        <p className="small soft">
          {shown ? m.voucher_shown() : one.voucher === 'seen' ? m.withdraw_voucher_again() : m.withdraw_voucher_lead()}
        </p>
      </div>
      {shown ? (
        <>
          {Object.entries(shown.fields).map(([name, value]) => (
            <Copyable key={name} label={labelOf(name)} value={value} words={words} look="primary" />
          ))}
          <p className="tiny mute num">{m.voucher_until({ time: writeTime(shown.until, locale) })}</p>
        </>
      ) : (
        <Show {...{ one, user }} onShown={setShown} />
      )}
    </section>
  );
}

const labelOf = (name: string): string => (name === 'number' ? m.voucher_number() : name === 'code' ? m.voucher_code() : name);

function Show({
  one: { id, voucher },
  user,
  onShown,
}: {
  one: Withdrawal;
  user: User;
  onShown: (shown: OpenedVoucher) => void;
}): ReactNode {
  const confirm = useConfirm(user, id);
  const { wrong, isBusy, run } = useWork([confirm.field]);
  // Another device of this account may have shown the voucher first. Then this device needs a code, too.
  const again = voucher === 'seen' || wrong.at !== undefined;
  const mail = (): void =>
    run(() => confirm.send(async () => (await moneyCalls.walletConfirmation({ action: 'voucher', id })).confirmation));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (again && !confirm.isOpen) return mail();
    run(async () => onShown(await moneyCalls.walletWithdrawVoucher({ id, ...(again && confirm.codes()) })));
  };
  return (
    <form noValidate className={css['voucher']} onSubmit={submit} aria-label={m.voucher_show()}>
      {wrong.message !== undefined && <Message tone="error" title={wrong.message} isLive />}
      {again ? (
        <ConfirmPart {...{ confirm, wrong, isBusy }} email={user.email} name={m.voucher_show()} onMail={mail} />
      ) : (
        <div>
          <Button type="submit" size="large" busy={isBusy && m.voucher_showing()}>
            {m.voucher_show()}
          </Button>
        </div>
      )}
    </form>
  );
}
