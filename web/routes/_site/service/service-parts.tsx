import type { ReactNode } from 'react';
import { Crumbs } from '../../../features/blocks/crumbs.tsx';
import { coinOf } from '../../../features/currency.ts';
import { Money } from '../../../features/money.tsx';
import { useSite } from '../../../features/site.ts';
import { m } from '../../../features/words.ts';
import { writeAmount, writePercent } from '../../../ui/base/amount.ts';
import { Rich } from '../../../server/document/rich-text.tsx';
import { cx } from '../../../ui/base/cx.ts';
import { Coin, Icon } from '../../../ui/base/icon.tsx';
import { useLocale } from '../../../ui/base/locale.ts';
import { Message } from '../../../ui/parts/message.tsx';
import { SlipLine, SlipLines } from '../../../ui/parts/slip.tsx';
import { minDigits } from '../../../features/currency.ts';
import { pageUrl } from '../../pages.ts';
import { RateChart } from './rate-chart.tsx';
import css from './service.module.css';
import { type ServiceFacts, shortName } from './service-facts.ts';
import { closedOf, costsOf, feeOf, leadOf, questionsOf, stepsOf, takenOf } from './service-words.ts';

// Parts of a direction's page that only the server renders. Their code is not in the browser's bundle.

/** Head of the page: breadcrumbs, title and summary of the direction, and the reason if it is closed. */
export function Intro({ facts }: { facts: ServiceFacts }): ReactNode {
  const locale = useLocale();
  const { currencies } = useSite();
  const closed = closedOf(facts, locale);
  return (
    <>
      <Crumbs
        name={shortName(facts.direction, currencies)}
        between={[{ name: m.nav_directions(), to: pageUrl(locale, 'rates') }]}
        locale={locale}
      />
      <h1 className={css['title']}>{unbroken(m.service_title(facts.names))}</h1>
      <p className={css['lead']}>{leadOf(facts)}</p>
      {closed && (
        <div className={css['closed']}>
          <Message tone="warning" title={closed.title}>
            {closed.text}
          </Message>
        </div>
      )}
      {facts.reversible && (
        <div className={css['closed']}>
          <Message tone="info" title={facts.reversible.title}>
            <Rich text={facts.reversible.text} locale={locale} />
          </Message>
        </div>
      )}
    </>
  );
}

/** Returns a text in which names of networks (`TRC-20`) and vouchers (`e-voucher`) are never broken across lines. */
const unbroken = (text: string): ReactNode =>
  text.split(/([A-Z]+-\d+|e-[a-z]+)/).map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      <span key={at} className={css['whole']}>
        {part}
      </span>
    ),
  );

/** List of the direction's figures: fee, limits, costs and times. */
export function Conditions({ facts }: { facts: ServiceFacts }): ReactNode {
  const locale = useLocale();
  const { direction, from, to, confirmations, payIn, lockMinutes, reversible } = facts;
  const { terms, usual_minutes: minutes } = direction;
  const [min, digits] = [direction.min, minDigits(from.payDigits)];
  return (
    <SlipLines>
      <SlipLine label={m.directions_fee()}>{feeOf(facts, locale)}</SlipLine>
      {terms && (
        <SlipLine label={m.service_fact_least()}>
          <Money of={{ amount: takenOf(terms.least_fee, from), currency: from.code }} />
        </SlipLine>
      )}
      {costsOf(facts, locale).map(([name, sum]) => (
        <SlipLine key={name} label={name}>
          {sum}
        </SlipLine>
      ))}
      {terms && (
        <SlipLine label={m.service_fact_limits()}>
          {writeAmount(min, digits, locale)} – <Money of={{ amount: direction.max, currency: from.code }} />
        </SlipLine>
      )}
      {reversible && (
        <>
          <SlipLine label={reversible.facts.first}>{reversible.facts.first_most}</SlipLine>
          <SlipLine label={reversible.facts.level}>{reversible.level}</SlipLine>
          <SlipLine label={reversible.facts.wait}>{reversible.facts.wait_hours}</SlipLine>
        </>
      )}
      {terms && (
        <SlipLine label={m.service_fact_reserve()}>
          <Money of={{ amount: direction.reserve, currency: to.code }} />
        </SlipLine>
      )}
      {minutes !== undefined && <SlipLine label={m.service_fact_time()}>{m.minutes({ minutes })}</SlipLine>}
      {payIn === 'address' && confirmations !== undefined && (
        <SlipLine label={m.service_fact_confirmations()}>{confirmations}</SlipLine>
      )}
      <SlipLine label={m.service_fact_hold()}>{m.minutes({ minutes: lockMinutes })}</SlipLine>
    </SlipLines>
  );
}

/** Content below the calculator: steps, the week's rates, questions, and links to other directions. */
export function Story({ facts, now }: { facts: ServiceFacts; now: string }): ReactNode {
  const locale = useLocale();
  return (
    <>
      <section aria-labelledby="steps-title">
        <h2 className={cx('section-title', css['heading'])} id="steps-title">
          {m.service_steps()}
        </h2>
        <ol className={css['steps']}>
          {stepsOf(facts).map(([title, text], index) => (
            <li key={title}>
              <b aria-hidden="true">{index + 1}</b>
              <div>
                <h3 className="card-title">{title}</h3>
                <p>{text}</p>
              </div>
            </li>
          ))}
        </ol>
      </section>
      <RateChart facts={facts} now={now} />
      <section id="questions" aria-labelledby="questions-title">
        <h2 className={cx('section-title', css['heading'])} id="questions-title">
          {m.service_questions()}
        </h2>
        {questionsOf(facts, locale).map(([question, answer], index) => (
          <details key={question} className={css['question']} open={index === 0}>
            <summary>
              {question}
              <Icon name="caret-down" size={16} />
            </summary>
            <p>{answer}</p>
          </details>
        ))}
      </section>
      {facts.similar.length > 0 && <Similar facts={facts} />}
    </>
  );
}

function Similar({ facts }: { facts: ServiceFacts }): ReactNode {
  const locale = useLocale();
  const { currencies } = useSite();
  return (
    <section aria-labelledby="similar-title">
      <h2 className={cx('card-title', css['similarTitle'])} id="similar-title">
        {m.service_similar()}
      </h2>
      <ul className={cx('card', css['similar'])}>
        {facts.similar.map((direction) => (
          <li key={direction.slug}>
            <a href={pageUrl(locale, 'service', { slug: direction.slug })}>
              <span className={css['coins']}>
                <Coin {...coinOf(direction.from)} size={28} />
                <Coin {...coinOf(direction.to)} size={28} />
              </span>
              <span>{unbroken(shortName(direction, currencies))}</span>
              <span className="small mute num">{writePercent(direction.fee_percent, locale)}</span>
              <Icon name="arrow-right" size={16} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
