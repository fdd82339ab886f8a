import { type ReactNode, useId, useRef, useState } from 'react';
import { IconButton } from './button.tsx';
import { type Day, type Month, monthOf, monthsOn, readDay, weeksOf, writeTypedDay } from './calendar.ts';
import css from './date-field.module.css';
import { Field } from './field.tsx';
import { type Locale, useLocale } from '../base/locale.ts';

/** Labels of a calendar's buttons. */
export interface CalendarWords {
  readonly open: string;
  readonly before: string;
  readonly after: string;
}

/**
 * Field for a day, which the customer types as `MM/dd/yyyy` or picks from a calendar. The calendar opens at the typed day, or at
 * `today` if no valid day is typed.
 */
export function DateField({
  name,
  label,
  start,
  today,
  error,
  words,
}: {
  name: string;
  label: string;
  /** Initial text of the field, as the customer typed it earlier. */
  start: string;
  today: Day;
  error?: string | undefined;
  words: CalendarWords;
}): ReactNode {
  const [text, setText] = useState(start);
  const [open, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const pick = (day: Day): void => {
    setText(writeTypedDay(day));
    setOpen(false);
    place.current?.querySelector('input')?.focus();
  };
  return (
    <div
      ref={place}
      className={css['place']}
      role="none"
      onKeyDown={(event) => event.key === 'Escape' && setOpen(false)}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && setOpen(false)}
    >
      <Field
        name={name}
        label={label}
        note="MM/dd/yyyy"
        inputMode="numeric"
        maxLength={10}
        value={text}
        error={error}
        onChange={(event) => setText(event.target.value)}
        trailing={<IconButton name="calendar-blank" label={words.open} aria-expanded={open} onClick={() => setOpen(!open)} />}
      />
      {open && <Calendar chosen={readDay(text)} today={today} words={words} onPick={pick} />}
    </div>
  );
}

function Calendar({
  chosen,
  today,
  words,
  onPick,
}: {
  chosen: Day | undefined;
  today: Day;
  words: CalendarWords;
  onPick: (day: Day) => void;
}): ReactNode {
  const locale = useLocale();
  const [month, setMonth] = useState<Month>(() => monthOf(chosen ?? today));
  const titleId = useId();
  const weeks = weeksOf(month);
  return (
    <fieldset className={css['calendar']} aria-labelledby={titleId}>
      <div className={css['head']}>
        <IconButton name="arrow-left" label={words.before} onClick={() => setMonth(monthsOn(month, -1))} />
        <b id={titleId} aria-live="polite">
          {monthName(month, locale)}
        </b>
        <IconButton name="arrow-right" label={words.after} onClick={() => setMonth(monthsOn(month, 1))} />
      </div>
      <table>
        <thead>
          <tr>
            {weekDays(locale).map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week.join(' ')}>
              {week.map((day, at) => (
                <td key={day ?? at}>
                  {day !== undefined && (
                    <button
                      type="button"
                      aria-current={day === today ? 'date' : undefined}
                      aria-pressed={day === chosen}
                      onClick={() => onPick(day)}
                    >
                      {day.slice(8).replace(/^0/, '')}
                    </button>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </fieldset>
  );
}

const TAGS: Record<Locale, string> = { en: 'en-US', ru: 'ru-RU' };

function monthName({ year, month }: Month, locale: Locale): string {
  const first = new Date(Date.UTC(year, month - 1, 1));
  const name = new Intl.DateTimeFormat(TAGS[locale], { month: 'long', timeZone: 'UTC' }).format(first);
  return `${name.slice(0, 1).toLocaleUpperCase(TAGS[locale])}${name.slice(1)} ${year}`;
}

/** Returns the short names of the days, Monday to Sunday. January 1, 2024 was a Monday. */
function weekDays(locale: Locale): string[] {
  const write = new Intl.DateTimeFormat(TAGS[locale], { weekday: 'short', timeZone: 'UTC' });
  return Array.from({ length: 7 }, (_, day) => write.format(new Date(Date.UTC(2024, 0, day + 1))));
}
