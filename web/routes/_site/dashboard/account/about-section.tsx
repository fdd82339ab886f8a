import { type ChangeEvent, type FormEvent, type ReactNode, useRef, useState } from 'react';
import { m } from '../../../../features/words.ts';
import { Button } from '../../../../ui/fields/button.tsx';
import { Checkbox, Field } from '../../../../ui/fields/field.tsx';
import { Message } from '../../../../ui/parts/message.tsx';
import { Select } from '../../../../ui/fields/select.tsx';
import { shrinkPicture } from '../../../../ui/fields/shrink-picture.ts';
import type { User } from '../user.ts';
import { ZoneOptions } from '../zone-options.tsx';
import { accountCalls, sendPicture } from './account-calls.ts';
import { apiBase } from '../../../../features/api/address.ts';
import css from './account.module.css';
import { Section } from './section.tsx';
import { useWork } from '../../../../features/account/sign-in/use-work.ts';

type Props = {
  readonly user: User;
  /** Called with the account after a change. */
  readonly onUser: (user: User) => void;
};

/** Section with the account's profile: picture, name, language, time zone, and the choice of letters. */
export function AboutSection({ user, onUser }: Props): ReactNode {
  const [name, setName] = useState(user.name);
  const [locale, setLocale] = useState(user.locale);
  const [timezone, setTimezone] = useState(user.timezone);
  const [letters, setLetters] = useState(user.notifications.order_progress);
  const [saved, setSaved] = useState(false);
  const { wrong, isBusy, run } = useWork(['name', 'timezone']);
  const save = (event: FormEvent): void => {
    event.preventDefault();
    setSaved(false);
    run(async () => {
      onUser(await accountCalls.profileUpdate({ name, locale, timezone, notifications: { order_progress: letters } }));
      setSaved(true);
    });
  };
  return (
    <Section title={m.about_title()} lead={m.about_lead()}>
      <Face user={user} onUser={onUser} />
      <form onSubmit={save} noValidate className={css['stack']}>
        {wrong.message && <Message tone="error" title={wrong.message} isLive />}
        {saved && <Message tone="success" title={m.about_saved()} isLive />}
        <Field
          name="name"
          label={m.about_name()}
          autoComplete="name"
          maxLength={100}
          value={name}
          error={wrong.at?.['name']}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <div className={css['pair']}>
          <Select
            name="locale"
            label={m.about_language()}
            value={locale}
            onChange={(event) => setLocale(event.currentTarget.value as User['locale'])}
          >
            <option value="en" lang="en">
              English
            </option>
            <option value="ru" lang="ru">
              Русский
            </option>
          </Select>
          <TimezoneField user={user} value={timezone} error={wrong.at?.['timezone']} onChange={setTimezone} />
        </div>
        <div>
          <Checkbox name="letters" checked={letters} onChange={(event) => setLetters(event.currentTarget.checked)}>
            {m.about_letters()}
          </Checkbox>
          <p className={css['lead']}>{m.about_letters_note()}</p>
        </div>
        <div>
          <Button type="submit" busy={isBusy && m.account_saving()}>
            {m.about_save()}
          </Button>
        </div>
      </form>
    </Section>
  );
}

function TimezoneField({
  user,
  value,
  error,
  onChange,
}: {
  user: User;
  value: string;
  error: string | undefined;
  onChange: (timezone: string) => void;
}): ReactNode {
  return (
    <Select
      name="timezone"
      label={m.about_timezone()}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <ZoneOptions own={user.timezone} />
    </Select>
  );
}

/** Part that sets, replaces or removes the profile picture. */
function Face({ user, onUser }: Props): ReactNode {
  const file = useRef<HTMLInputElement>(null);
  const [unread, setUnread] = useState(false);
  const { wrong, isBusy, run } = useWork(['avatar']);
  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>): void => {
    const [chosen] = currentTarget.files ?? [];
    currentTarget.value = '';
    setUnread(false);
    if (!chosen) return;
    run(async () => {
      const small = await shrinkPicture(chosen, 'cover').catch(() => undefined);
      if (small) onUser(await sendPicture(small));
      else setUnread(true);
    });
  };
  const remove = (): void => run(async () => onUser(await accountCalls.avatarRemove({})));
  const said = unread ? m.about_picture_unread() : (wrong.at?.['avatar'] ?? wrong.message);
  return (
    <div className={css['face']}>
      <span className={css['picture']} aria-hidden="true">
        {user.avatar === null ? (
          [...(user.name || user.email)][0]?.toUpperCase()
        ) : (
          <img src={apiBase() + user.avatar} crossOrigin="anonymous" alt="" width={80} height={80} />
        )}
      </span>
      <div className={css['faceText']}>
        {said && <Message tone="error" title={said} isLive />}
        <input
          ref={file}
          className={css['file']}
          type="file"
          name="picture"
          tabIndex={-1}
          accept="image/png,image/jpeg,image/webp"
          aria-label={m.about_picture()}
          onChange={choose}
        />
        <span className={css['actions']}>
          <Button look="secondary" size="small" busy={isBusy && m.about_picture_sending()} onClick={() => file.current?.click()}>
            {user.avatar === null ? m.about_picture_add() : m.about_picture_other()}
          </Button>
          {user.avatar !== null && !isBusy && (
            <Button look="quiet" size="small" onClick={remove}>
              {m.about_picture_remove()}
            </Button>
          )}
        </span>
        <p className={css['lead']}>{m.about_picture_hint()}</p>
      </div>
    </div>
  );
}
