import { type ChangeEvent, type ReactNode, useRef, useState } from 'react';
import { Form, useRevalidator } from 'react-router';
import { useWork } from '../../../../../features/account/sign-in/use-work.ts';
import { uploadPicture } from '../../../../../features/api/upload-picture.ts';
import { m } from '../../../../../features/words.ts';
import { Button } from '../../../../../ui/fields/button.tsx';
import { shrinkPicture } from '../../../../../ui/fields/shrink-picture.ts';
import { Message } from '../../../../../ui/parts/message.tsx';
import type { OwnStore } from '../store-words.ts';
import { useAnswer } from '../use-answer.ts';
import css from './store.module.css';

/** Part that sets, replaces or removes the picture of a store. The page is loaded again afterwards. */
export function MarkForm({ store }: { store: OwnStore }): ReactNode {
  const file = useRef<HTMLInputElement>(null);
  const [isUnread, setUnread] = useState(false);
  const { revalidate } = useRevalidator();
  const { wrong, isBusy, run } = useWork(['mark']);
  const answer = useAnswer('mark-remove');
  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>): void => {
    const [chosen] = currentTarget.files ?? [];
    currentTarget.value = '';
    setUnread(false);
    if (!chosen) return;
    run(async () => {
      const small = await shrinkPicture(chosen, 'contain').catch(() => undefined);
      if (!small) return setUnread(true);
      await uploadPicture(`/store/${store.id}/mark`, small);
      await revalidate();
    });
  };
  const said = isUnread ? m.about_picture_unread() : (wrong.at?.['mark'] ?? wrong.message ?? answer?.message);
  return (
    <div className={css['markForm']}>
      <b>{m.store_mark()}</b>
      <p className="small soft">{m.store_mark_hint()}</p>
      {said !== undefined && <Message tone="error" title={said} isLive />}
      <input
        ref={file}
        className={css['file']}
        type="file"
        name="picture"
        tabIndex={-1}
        accept="image/png,image/jpeg,image/webp"
        aria-label={m.store_mark()}
        onChange={choose}
      />
      <span className={css['actions']}>
        <Button look="secondary" size="small" busy={isBusy && m.about_picture_sending()} onClick={() => file.current?.click()}>
          {store.mark === undefined ? m.about_picture_add() : m.about_picture_other()}
        </Button>
        {store.mark !== undefined && !isBusy && (
          <Form method="post" preventScrollReset>
            <Button type="submit" name="intent" value="mark-remove" look="quiet" size="small">
              {m.about_picture_remove()}
            </Button>
          </Form>
        )}
      </span>
    </div>
  );
}
