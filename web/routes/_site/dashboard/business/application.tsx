import type { ReactNode } from 'react';
import { useSite } from '../../../../features/site.ts';
import { m } from '../../../../features/words.ts';
import { ButtonLink } from '../../../../ui/fields/button.tsx';
import { cx } from '../../../../ui/base/cx.ts';
import type { IconName } from '../../../../ui/base/icons.ts';
import { Message } from '../../../../ui/parts/message.tsx';
import { Pill, type PillTone } from '../../../../ui/parts/pill.tsx';
import { writeTime } from '../../../../ui/base/time.ts';
import { pageUrl } from '../../../pages.ts';
import { countryName } from './apply/countries.ts';
import css from './business.module.css';
import { Card } from './card.tsx';
import type { Business } from './page.server.ts';

type State = Business['state'];

const TONE: Readonly<Record<State, PillTone>> = {
  applied: 'warning',
  approved: 'success',
  refused: 'error',
  suspended: 'warning',
  closed: 'neutral',
};
const ICON: Readonly<Record<State, IconName>> = {
  applied: 'hourglass-medium',
  approved: 'check-circle',
  refused: 'x-circle',
  suspended: 'prohibit',
  closed: 'lock-simple',
};
const WORD: Readonly<Record<State, () => string>> = {
  applied: () => m.business_state_applied(),
  approved: () => m.business_state_approved(),
  refused: () => m.business_state_refused(),
  suspended: () => m.business_state_suspended(),
  closed: () => m.business_state_closed(),
};
const NEXT: Readonly<Record<State, () => string>> = {
  applied: () => m.business_next_applied(),
  approved: () => m.business_next_approved(),
  refused: () => m.business_next_refused(),
  suspended: () => m.business_next_suspended(),
  closed: () => m.business_next_closed(),
};

/** State of the account's business, the next step, and the main data of its application. */
export function Application({
  business,
  level,
  levelNeeded,
}: {
  business: Business;
  level: number;
  levelNeeded: number;
}): ReactNode {
  const { locale } = useSite();
  const { state, note } = business;
  const isOver = state === 'refused' || state === 'closed';
  return (
    <Card
      id="application"
      title={business.legal_name}
      pill={
        <Pill tone={TONE[state]} icon={ICON[state]}>
          {WORD[state]()}
        </Pill>
      }
    >
      <div className={css['state']}>
        <p className="soft">{NEXT[state]()}</p>
        {note !== undefined && (
          <Message tone="neutral" title={m.business_note()}>
            <p className={css['note']}>{note}</p>
          </Message>
        )}
        {state === 'applied' && level < levelNeeded && <LevelMessage {...{ level, levelNeeded }} isSent />}
        <Facts business={business} />
        {isOver && (
          <p>
            <ButtonLink href={pageUrl(locale, 'businessApply')}>{m.business_apply_again()}</ButtonLink>
          </p>
        )}
        {state === 'suspended' && (
          <p>
            <a className="link" href={pageUrl(locale, 'contact')}>
              {m.business_write()}
            </a>
          </p>
        )}
      </div>
    </Card>
  );
}

/** Message that the owner needs a higher level before people approve, with a link to the form that requests it. */
export function LevelMessage({
  level,
  levelNeeded,
  isSent = false,
}: {
  level: number;
  levelNeeded: number;
  isSent?: boolean;
}): ReactNode {
  const { locale } = useSite();
  return (
    <Message tone="info" title={m.business_level({ level: levelNeeded })}>
      <p>{isSent ? m.business_level_sent({ level }) : m.business_level_text({ level })}</p>
      <a className="link" href={pageUrl(locale, 'contact', { topic: 'verification' })}>
        {m.calculator_level_link()}
      </a>
    </Message>
  );
}

function Facts({ business }: { business: Business }): ReactNode {
  const { locale } = useSite();
  const facts = [
    [m.business_registration(), business.registration_number],
    [m.business_country(), countryName(business.country, locale)],
    [m.business_sites(), business.web_sites.map((site) => site.replace(/^https:\/\//, '')).join(', ')],
    [m.business_since(), writeTime(business.since, locale)],
  ] as const;
  return (
    <dl className={css['facts']}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt className={cx('tiny', 'mute')}>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
