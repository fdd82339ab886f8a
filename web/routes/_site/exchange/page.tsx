import type { ReactNode } from 'react';
import { useActionData, useLoaderData, useSearchParams } from 'react-router';
import { useSite } from '../../../features/site.ts';
import { m } from '../../../features/words.ts';
import { ButtonLink } from '../../../ui/fields/button.tsx';
import { cx } from '../../../ui/base/cx.ts';
import { Icon } from '../../../ui/base/icon.tsx';
import { Stepper } from '../../../ui/parts/stepper.tsx';
import { useTitle } from '../../../ui/base/title.ts';
import { pageUrl } from '../../pages.ts';
import { Main } from '../layout.tsx';
import { BotCheck } from './bot-check.tsx';
import { DetailsStep } from './details-step.tsx';
import { useCalculatorUrl } from './calculator-url.ts';
import type { Calculation, ExchangeAnswer, ExchangeData } from './page.server.ts';
import css from './exchange.module.css';
import { useFlow } from './flow.ts';
import { ReviewStep } from './review-step.tsx';

/** Steps 2 and 3 of an exchange. `confirm` renders the field that confirms a payment from a wallet, inside the dashboard. */
export default function ExchangePage({ confirm }: { confirm?: (about: string) => ReactNode }): ReactNode {
  const data = useLoaderData<ExchangeData>();
  const answer = useActionData<ExchangeAnswer>();
  const site = useSite();
  // True if the e-mail address of step 2 is bound to another affiliate than the affiliate of the link in step 1. The price has
  // then changed.
  const hasSenderChanged = useSearchParams()[0].get('changed') === 'sender';
  useTitle(answer?.head?.title ?? data.head.title, site.name);
  if (answer?.review || data.step === 'review') {
    const review = answer?.review ?? (data as Extract<ExchangeData, { step: 'review' }>).review;
    return (
      <>
        <StepBar calculation={review} current={2} />
        <ReviewStep key={review.quote.expires_at} review={review} now={data.now} {...{ answer, hasSenderChanged, confirm }} />
      </>
    );
  }
  if (data.step === 'details') {
    return (
      <>
        <StepBar calculation={data.calculation} current={1} />
        <DetailsStep {...data} answer={answer} />
      </>
    );
  }
  if (data.step === 'check') return <BotCheck challenge={data.challenge} />;
  return <Over data={data} />;
}

/** Page for an exchange that can't continue: the reason, and a link to start another exchange. */
function Over({ data: { title, message, request } }: { data: Extract<ExchangeData, { step: 'over' }> }): ReactNode {
  return (
    <Main className={cx('wrap', css['over'])}>
      <h1 className="title">{title}</h1>
      <p className="soft">{message}</p>
      <ButtonLink href={useCalculatorUrl(request)} size="large">
        {request ? m.exchange_other_amount() : m.exchange_again()}
      </ButtonLink>
    </Main>
  );
}

function StepBar({ calculation, current }: { calculation: Calculation; current: 1 | 2 }): ReactNode {
  const { locale } = useSite();
  const back = useCalculatorUrl(calculation);
  const details = pageUrl(locale, useFlow().steps, { id: calculation.id, step: '2' });
  return (
    <nav className={css['bar']} aria-label={m.steps_label()}>
      <div className={cx('wrap', css['barRow'])}>
        <a className={css['back']} href={current === 1 ? back : details}>
          <Icon name="arrow-left" size={18} />
          <span>{current === 1 ? m.step_direction_change() : m.step_details()}</span>
        </a>
        <Stepper
          current={current}
          label={m.calculator_step({ step: current + 1, of: 3 })}
          steps={[{ name: m.step_direction(), href: back }, { name: m.step_details(), href: details }, { name: m.step_review() }]}
        />
        <span className={cx(css['about'], 'tiny mute not-mobile')} />
      </div>
    </nav>
  );
}
