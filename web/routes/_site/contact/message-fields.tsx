import { FILES_OF_MESSAGE } from '@kurs/contract/support';
import type { ReactNode } from 'react';
import { filled } from '../../../server/document/page-words.ts';
import type { SiteLocale } from '../../../site.ts';
import { cx } from '../../../ui/base/cx.ts';
import { FieldError, fieldId } from '../../../ui/fields/field.tsx';
import { Icon } from '../../../ui/base/icon.tsx';
import field from '../../../ui/fields/field.module.css';
import css from './contact.module.css';
import type { ContactWords } from './contact-words.ts';

// Fields of a message to the desk: topic and files. Rendered on the server only.

export type Errors = Readonly<Record<string, readonly string[]>>;

/** Choice of the message's topic. */
export function TopicField({
  words,
  chosen,
  error,
  children,
}: {
  words: ContactWords['form'];
  chosen: string;
  error: string | undefined;
  children: ReactNode;
}): ReactNode {
  const id = fieldId('topic');
  return (
    <div className={field['field']}>
      <div className={field['label']}>
        <label htmlFor={id}>{words.topic}</label>
      </div>
      <div className={css['topic']}>
        <select
          id={id}
          name="topic"
          defaultValue={chosen}
          className={cx(error !== undefined && css['wrong'])}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={error === undefined ? undefined : `${id}-error`}
        >
          <option value="">{words.choose}</option>
          {children}
        </select>
        <Icon name="caret-down" size={16} />
      </div>
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  );
}

/**
 * Field for files to attach. If the form is shown again because of an error, the files have to be chosen again. The browser's
 * file field has texts in the browser's language. So with JavaScript the file field is invisible and lies over a button in the
 * page's language. `send.ts` writes the names of chosen files beside the button.
 */
export function FilesField({
  words,
  locale,
  error,
  isAgain,
}: {
  words: ContactWords['form'];
  locale: SiteLocale;
  error?: string | undefined;
  isAgain: boolean;
}): ReactNode {
  const id = fieldId('files');
  const bounds = { max: FILES_OF_MESSAGE.max, size: FILES_OF_MESSAGE.bytes / 1024 / 1024 };
  return (
    <div className={field['field']}>
      <div className={field['label']}>
        <label htmlFor={id}>{words.files}</label>
      </div>
      <p id={`${id}-hint`} className={field['hint']}>
        {filled(words.files_hint, locale, bounds)}
      </p>
      <div className={cx(css['chooser'], error !== undefined && css['wrong'])}>
        <input
          type="file"
          id={id}
          name="files"
          multiple
          accept="image/png,image/jpeg,image/webp,application/pdf"
          className={css['files']}
          // Without a title the browser shows a hint like "no file chosen" in its own language.
          title=""
          data-max={bounds.max}
          data-bytes={FILES_OF_MESSAGE.bytes}
          data-wrong={filled(words.files_wrong, locale, bounds)}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={`${id}-hint${error === undefined && !isAgain ? '' : ` ${id}-error`}`}
        />
        <label htmlFor={id} className={css['choose']}>
          {words.files_choose}
        </label>
        <span className={css['chosen']} data-chosen="" />
      </div>
      <FieldError id={`${id}-error`}>{error ?? (isAgain ? words.files_again : undefined)}</FieldError>
    </div>
  );
}

/** Returns the error of a field, or of a part of it, such as `files.0` of `files`. */
export function errorOf(errors: Errors, name: string): string | undefined {
  const found = Object.entries(errors).find(([field]) => field === name || field.startsWith(`${name}.`));
  return found?.[1][0];
}
