import type { ReactNode } from 'react';
import { Form, useActionData, useLoaderData, useNavigation } from 'react-router';
import { Status } from '../../../features/order/status.tsx';
import { useSite } from '../../../features/site.ts';
import { restOf } from '../../../features/rest-of.ts';
import { m } from '../../../features/words.ts';
import { Button } from '../../../ui/fields/button.tsx';
import { cx } from '../../../ui/base/cx.ts';
import { Field } from '../../../ui/fields/field.tsx';
import { Message } from '../../../ui/parts/message.tsx';
import { writeTime } from '../../../ui/base/time.ts';
import { useTitle } from '../../../ui/base/title.ts';
import { Main } from '../layout.tsx';
import type { TrackAnswer, TrackData } from './page.server.ts';
import css from './track.module.css';

/** Page that finds an order for customers who don't have its link. */
export default function TrackPage(): ReactNode {
  const data = useLoaderData<TrackData>();
  const answer = useActionData<TrackAnswer>();
  const { locale, name } = useSite();
  const busy = useNavigation().state === 'submitting';
  const refusal = answer && (restOf(answer, (name) => name === 'id' || name === 'email') ?? answer.message);
  useTitle(answer?.head?.title ?? data.head.title, name);
  return (
    <Main className={cx('wrap', css['page'])}>
      <h1 className="title">{m.track_title()}</h1>
      <p className="soft">{m.track_lead()}</p>
      {answer?.found && (
        <Message tone="success" isLive title={m.track_mailed({ email: answer.email ?? '' })}>
          <span className={css['found']}>
            <b className="num">{answer.found.id}</b> <Status status={answer.found.status} />
            <span className="mute num">{writeTime(answer.found.updated_at, locale)}</span>
          </span>
        </Message>
      )}
      {refusal !== undefined && <Message tone="error" isLive title={refusal} />}
      <Form method="post" className={cx('card pad', css['form'])} noValidate>
        <Field
          name="id"
          label={m.track_number()}
          hint={<Unbroken text={m.track_number_hint()} />}
          autoCapitalize="characters"
          maxLength={40}
          defaultValue={answer?.values?.['id'] ?? data.id}
          error={answer?.errors?.['id']?.[0]}
        />
        <Field
          name="email"
          type="email"
          inputMode="email"
          autoComplete="email"
          label={m.track_email()}
          maxLength={254}
          defaultValue={answer?.values?.['email']}
          error={answer?.errors?.['email']?.[0]}
        />
        <Button type="submit" busy={busy && m.track_searching()}>
          {m.track_find()}
        </Button>
      </Form>
    </Main>
  );
}

/** Sentence with an order number that is never broken across lines. */
function Unbroken({ text }: { text: string }): ReactNode {
  const [before, number, after] = text.split(/(KX-[\w-]+)/);
  return (
    <>
      {before}
      <span className={css['number']}>{number}</span>
      {after}
    </>
  );
}
