import type { ReactNode } from 'react';
import { tickerOf } from '../../../../features/currency.ts';
import { useMoneyText } from '../../../../features/money.tsx';
import { MailboxLink } from '../../../../features/sandbox/mailbox-link.tsx';
import { ServerPart } from '../../../../features/server-part.tsx';
import { useSite } from '../../../../features/site.ts';
import store from '../../../../features/store/store-panel.module.css';
import { useCurrency } from '../../../../features/use-currency.ts';
import { m } from '../../../../features/words.ts';
import { cx } from '../../../../ui/base/cx.ts';
import { useTitle } from '../../../../ui/base/title.ts';
import { Button } from '../../../../ui/fields/button.tsx';
import { Field } from '../../../../ui/fields/field.tsx';
import { Message } from '../../../../ui/parts/message.tsx';
import { LanguageLinks } from '../../language-links.tsx';
import panel from '../invoice-panel.module.css';
import css from '../pay-page.module.css';
import { LINK_PANEL, type LinkAnswer, type LinkData, type NoLink } from './link-data.ts';
import own from './link-page.module.css';

/**
 * Page of a store's link: who is paid, for what and how much. Its button makes an invoice, whose page follows. Other sites may
 * show it in a frame. An unknown link has the same page with an explanation.
 */
export function LinkPage({ given, answered }: { given: LinkData | NoLink; answered: LinkAnswer | undefined }): ReactNode {
  const { name, locale, mode } = useSite();
  useTitle(given.head.title, name);
  if (!given.link) return <Missing />;
  const { link, path, isSandbox } = given;
  return (
    <div className={css['page']}>
      <ServerPart name={LINK_PANEL} className={cx(store['place'], panel['part'])} />
      <main id="main" tabIndex={-1} className={css['main']}>
        <div className={css['column']}>
          <div className={css['top']}>
            <span />
            <LanguageLinks locale={locale} path={path} />
          </div>
          {isSandbox && (
            <p className={css['sandbox']}>
              {m.sandbox_banner()} <MailboxLink mode={mode} />
            </p>
          )}
          {link.closed ? <Closed link={link} reason={link.closed} /> : <PayForm data={given} answer={answered} />}
        </div>
      </main>
    </div>
  );
}

function Missing(): ReactNode {
  return (
    <main id="main" tabIndex={-1} className={css['missing']}>
      <h1 className="title">{m.link_missing()}</h1>
      <p className="soft">{m.link_missing_text()}</p>
    </main>
  );
}

type Link = LinkData['link'];

/** Reason why no invoice is made by the link now. */
function Closed({ link: { store: of }, reason }: { link: Link; reason: NonNullable<Link['closed']> }): ReactNode {
  const words = { store: of.name };
  const isOff = reason === 'off';
  return (
    <div className={own['form']}>
      <h1 className="title">{isOff ? m.link_is_off() : m.link_used_up()}</h1>
      <Message tone="neutral">{isOff ? m.link_is_off_text(words) : m.link_used_up_text(words)}</Message>
    </div>
  );
}

/** Form that makes the invoice: a button, and a field for the sum if the buyer states it. */
function PayForm({ data: { link, path, key }, answer }: { data: LinkData; answer: LinkAnswer | undefined }): ReactNode {
  const { amount, currency, test, store: of } = link;
  const text = useMoneyText();
  return (
    <form method="post" action={path} noValidate className={own['form']}>
      <h1 className="title">{m.link_head({ store: of.name })}</h1>
      <input type="hidden" name="key" value={key} />
      {test && (
        <Message tone="warning" title={m.checkout_test()}>
          {m.link_test_text()}
        </Message>
      )}
      {answer?.message !== undefined && <Message tone="error" title={answer.message} isLive />}
      {amount === undefined && <SumField link={link} answer={answer} />}
      <Button type="submit" size="large" isWide>
        {amount === undefined ? m.link_pay_any() : m.link_pay({ sum: text({ amount, currency }) })}
      </Button>
      <p className="small soft">
        {m.link_next()} {amount === undefined && m.link_rate({ store: of.name })}
      </p>
    </form>
  );
}

function SumField({ link, answer }: { link: Link; answer: LinkAnswer | undefined }): ReactNode {
  const { least = '0', most = '0', currency } = link;
  const text = useMoneyText();
  const shown = useCurrency(currency);
  return (
    <Field
      name="amount"
      label={m.link_sum()}
      hint={m.link_bounds({ least: text({ amount: least, currency }), most: text({ amount: most, currency }) })}
      inputMode="decimal"
      maxLength={40}
      defaultValue={answer?.typed}
      error={answer?.error}
      trailing={<span className="mute">{tickerOf(shown)}</span>}
    />
  );
}
