import type { ReactNode } from 'react';
import { Form, useActionData, useLoaderData, useNavigation } from 'react-router';
import { useSite } from '../../../features/site.ts';
import { m } from '../../../features/words.ts';
import { Button } from '../../../ui/fields/button.tsx';
import { cx } from '../../../ui/base/cx.ts';
import { Message } from '../../../ui/parts/message.tsx';
import { useTitle } from '../../../ui/base/title.ts';
import { Main } from '../layout.tsx';
import type { DiscountButtonAnswer, DiscountButtonData } from './page.server.ts';
import css from './discount-button.module.css';

/** Returns the text about the discounts that the exchange now has. */
const gainsOf = ({ percent = 0, coupon }: DiscountButtonAnswer): string =>
  [
    ...(percent > 0 ? [m.discount_button_done({ percent })] : []),
    ...(coupon === undefined ? [] : [m.discount_button_coupon({ coupon })]),
  ].join(' · ');

/**
 * Page that a link in a letter opens. By pressing the button, the mailbox's owner confirms that the exchange in the letter is
 * theirs.
 */
export default function DiscountButtonPage(): ReactNode {
  const { head, isWhole } = useLoaderData<DiscountButtonData>();
  const answer = useActionData<DiscountButtonAnswer>();
  const { name } = useSite();
  const busy = useNavigation().state === 'submitting';
  useTitle(head.title, name);
  const isWrong = answer ? answer.percent === undefined : !isWhole;
  return (
    <Main className={cx('wrap', css['page'])}>
      <h1 className="title">{m.discount_button_title()}</h1>
      <p className="soft">{m.discount_button_lead()}</p>
      {answer?.percent !== undefined && (
        <Message tone="success" isLive title={gainsOf(answer)}>
          {m.discount_button_next()}
        </Message>
      )}
      {isWrong && (
        <Message tone="error" isLive={answer !== undefined} title={m.discount_button_wrong()}>
          {m.discount_button_wrong_lead()}
        </Message>
      )}
      {!answer && !isWrong && (
        <Form method="post">
          <Button type="submit" busy={busy && m.discount_button_press()}>
            {m.discount_button_press()}
          </Button>
        </Form>
      )}
    </Main>
  );
}
