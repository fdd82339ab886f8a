import type { ReactElement } from 'react';
import { m } from '../../../features/words.ts';
import { cx } from '../../../ui/base/cx.ts';
import { Icon } from '../../../ui/base/icon.tsx';
import { type PageName, pageUrl } from '../../pages.ts';
import css from './sections.module.css';

/** Sections that explain where the customer's money is at each moment, and the steps of an exchange. */
export function Ways({ quoteMinutes, lockMinutes }: { quoteMinutes: number; lockMinutes: number }): ReactElement {
  return (
    <>
      <MoneyMoments minutes={lockMinutes} />
      <HowItWorks quoteMinutes={quoteMinutes} lockMinutes={lockMinutes} />
    </>
  );
}

/** Section that explains where the customer's money is, from the first moment to the last. */
function MoneyMoments({ minutes }: { minutes: number }): ReactElement {
  const moments: readonly [string, string, string][] = [
    [m.moment_you_title(), m.moment_you_when(), m.moment_you_text({ minutes })],
    [m.moment_network_title(), m.moment_network_when(), m.moment_network_text()],
    [m.moment_desk_title(), m.moment_desk_when(), m.moment_desk_text()],
    [m.moment_back_title(), m.moment_back_when(), m.moment_back_text()],
  ];
  return (
    <section className={css['section']} aria-labelledby="moments-title">
      <h2 className="section-title" id="moments-title">
        {m.moments_title()}
      </h2>
      <ol className={css['moments']}>
        {moments.map(([title, when, text]) => (
          <li key={title}>
            <h3 className="card-title">{title}</h3>
            <span className="tiny mute">{when}</span>
            <p>{text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}

function HowItWorks({ quoteMinutes, lockMinutes }: { quoteMinutes: number; lockMinutes: number }): ReactElement {
  const steps: readonly [string, string][] = [
    [m.how_amount_title(), m.how_amount_text()],
    [m.how_wallet_title(), m.how_wallet_text()],
    [m.how_review_title(), m.how_review_text({ quote: quoteMinutes, lock: lockMinutes })],
  ];
  return (
    <section className={css['section']} aria-labelledby="how-title">
      <h2 className="section-title" id="how-title">
        {m.how_title()}
      </h2>
      <ol className={css['how']}>
        {steps.map(([title, text], index) => (
          <li key={title} className="card">
            <b className="num">{index + 1}</b>
            <h3 className="card-title">{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Section about the desk's products besides exchanges. */
export function Products({ locale }: { locale: 'en' | 'ru' }): ReactElement {
  const products: readonly [PageName, string, string, string][] = [
    ['hiWallet', m.nav_hi_wallet(), m.product_wallet_text(), m.product_wallet_go()],
    ['paymentGate', m.nav_gate(), m.product_gate_text(), m.product_gate_go()],
    ['affiliateProgram', m.nav_affiliate(), m.product_affiliate_text(), m.product_affiliate_go()],
  ];
  return (
    <section className={css['section']} aria-labelledby="products-title">
      <h2 className="sr" id="products-title">
        {m.footer_solutions()}
      </h2>
      <ul className={css['products']}>
        {products.map(([page, title, text, go]) => (
          <li key={page} className="card">
            <h3>{title}</h3>
            <p>{text}</p>
            <a className="link" href={pageUrl(locale, page)}>
              {go}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function Questions({ minutes }: { minutes: number }): ReactElement {
  const questions: readonly [string, string][] = [
    [m.question_price(), m.answer_price()],
    [m.question_late(), m.answer_late({ minutes })],
    [m.question_amount(), m.answer_amount()],
    [m.question_check(), m.answer_check()],
    [m.question_lost(), m.answer_lost()],
  ];
  return (
    <section id="questions" className={cx(css['section'], css['questions'])} aria-labelledby="questions-title">
      <h2 className="section-title" id="questions-title">
        {m.questions_title()}
      </h2>
      <div className="card">
        {questions.map(([question, answer]) => (
          <details key={question}>
            <summary>
              {question}
              <Icon name="caret-down" size={16} />
            </summary>
            <p>{answer}</p>
          </details>
        ))}
      </div>
    </section>
  );
}
