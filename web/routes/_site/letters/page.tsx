import type { ReactNode } from 'react';
import { Form, useActionData, useLoaderData, useNavigation } from 'react-router';
import { useSite } from '../../../features/site.ts';
import { m } from '../../../features/words.ts';
import { Button, ButtonLink } from '../../../ui/fields/button.tsx';
import { cx } from '../../../ui/base/cx.ts';
import { Message } from '../../../ui/parts/message.tsx';
import { useTitle } from '../../../ui/base/title.ts';
import { pageUrl } from '../../pages.ts';
import { Main } from '../layout.tsx';
import type { LettersAnswer, LettersData } from './page.server.ts';
import css from './letters.module.css';

/** Page of the link in a letter that switches off letters of the same kind. */
export default function LettersPage(): ReactNode {
  const { head, isWhole, of } = useLoaderData<LettersData>();
  const isOfRewards = of === 'rewards';
  const answer = useActionData<LettersAnswer>();
  const { locale, name } = useSite();
  const busy = useNavigation().state === 'submitting';
  useTitle(head.title, name);
  const isWrong = answer ? !answer.isOff : !isWhole;
  return (
    <Main className={cx('wrap', css['page'])}>
      <h1 className="title">{isOfRewards ? m.letters_rewards_title() : m.letters_title()}</h1>
      <p className="soft">{isOfRewards ? m.letters_rewards_lead() : m.letters_lead()}</p>
      {answer?.isOff && (
        <Message tone="success" isLive title={m.letters_done()}>
          {isOfRewards ? m.letters_rewards_again() : m.letters_again()}
        </Message>
      )}
      {isWrong && (
        <Message tone="error" isLive={answer !== undefined} title={m.letters_wrong()}>
          {isOfRewards ? m.letters_rewards_wrong_lead() : m.letters_wrong_lead()}
        </Message>
      )}
      {answer || isWrong ? (
        <div>
          <ButtonLink look="secondary" href={pageUrl(locale, isOfRewards ? 'affiliates' : 'account')}>
            {isOfRewards ? m.letters_rewards_account() : m.letters_account()}
          </ButtonLink>
        </div>
      ) : (
        <Form method="post">
          <Button type="submit" busy={busy && m.letters_off()}>
            {m.letters_off()}
          </Button>
        </Form>
      )}
    </Main>
  );
}
