import { type ChangeEvent, type ReactNode, useRef, useState } from 'react';
import { Form, useRevalidator } from 'react-router';
import { useWork } from '../../../../../features/account/sign-in/use-work.ts';
import { uploadPicture } from '../../../../../features/api/upload-picture.ts';
import { m } from '../../../../../features/words.ts';
import { Button } from '../../../../../ui/fields/button.tsx';
import { shrinkPicture } from '../../../../../ui/fields/shrink-picture.ts';
import { Message } from '../../../../../ui/parts/message.tsx';
import { useAnswer } from '../use-answer.ts';
import css from './store.module.css';

interface PictureOf {
  /** Path of the API to which the picture is uploaded. */
  readonly path: string;
  /** URL of the present picture; undefined: none. */
  readonly picture: string | undefined;
  readonly label: string;
  readonly hint: string;
  /** Name of the picture in the API's errors. */
  readonly field: string;
  /** Intent of the form that removes the picture. */
  readonly removes: string;
  /** Side of the uploaded picture in pixels; by default that of a small one. */
  readonly side?: number;
  readonly fit: 'cover' | 'contain';
}

/** Part that sets, replaces or removes a picture of a store. The page is loaded again afterwards. */
export function PictureForm({ path, picture, label, hint, field, removes, side, fit }: PictureOf): ReactNode {
  const file = useRef<HTMLInputElement>(null);
  const [isUnread, setUnread] = useState(false);
  const { revalidate } = useRevalidator();
  const { wrong, isBusy, run } = useWork([field]);
  const answer = useAnswer(removes);
  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>): void => {
    const [chosen] = currentTarget.files ?? [];
    currentTarget.value = '';
    setUnread(false);
    if (!chosen) return;
    run(async () => {
      const small = await shrinkPicture(chosen, fit, side).catch(() => undefined);
      if (!small) return setUnread(true);
      await uploadPicture(path, small);
      await revalidate();
    });
  };
  const said = isUnread ? m.about_picture_unread() : (wrong.at?.[field] ?? wrong.message ?? answer?.message);
  return (
    <div className={css['markForm']}>
      <b>{label}</b>
      <p className="small soft">{hint}</p>
      {said !== undefined && <Message tone="error" title={said} isLive />}
      <input
        ref={file}
        className={css['file']}
        type="file"
        name="picture"
        tabIndex={-1}
        accept="image/png,image/jpeg,image/webp"
        aria-label={label}
        onChange={choose}
      />
      <span className={css['actions']}>
        <Button look="secondary" size="small" busy={isBusy && m.about_picture_sending()} onClick={() => file.current?.click()}>
          {picture === undefined ? m.about_picture_add() : m.about_picture_other()}
        </Button>
        {picture !== undefined && !isBusy && (
          <Form method="post" preventScrollReset>
            <Button type="submit" name="intent" value={removes} look="quiet" size="small">
              {m.about_picture_remove()}
            </Button>
          </Form>
        )}
      </span>
    </div>
  );
}
