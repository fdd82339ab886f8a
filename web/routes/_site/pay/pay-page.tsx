import { type ReactNode, useState } from 'react';
import { MailboxLink } from '../../../features/sandbox/mailbox-link.tsx';
import { ServerPart } from '../../../features/server-part.tsx';
import { useSite } from '../../../features/site.ts';
import store from '../../../features/store/store-panel.module.css';
import { m } from '../../../features/words.ts';
import { cx } from '../../../ui/base/cx.ts';
import { Icon } from '../../../ui/base/icon.tsx';
import { Message } from '../../../ui/parts/message.tsx';
import { useTitle } from '../../../ui/base/title.ts';
import { pageUrl } from '../../pages.ts';
import { LanguageLinks } from '../language-links.tsx';
import { messageOf } from './answer.ts';
import { EmailPart } from './email-part.tsx';
import panel from './invoice-panel.module.css';
import { type NoInvoice, PANEL, type PayAnswer, type PayData, isUnfinished } from './pay-data.ts';
import css from './pay-page.module.css';
import { TestCases } from './paying/test-cases.tsx';
import { PayProvider, usePay, usePayState } from './use-pay.ts';
import { viewOf } from './view.ts';
import { MethodsPart } from './paying/methods.tsx';
import { OptionPart } from './paying/option.tsx';
import { DueCard } from './state/due-card.tsx';
import { Headline } from './state/headline.tsx';
import { Payments } from './state/payments.tsx';
import { Receipt } from './state/receipt.tsx';
import { Notes } from './state/situation.tsx';
import { WithNumber } from './state/with-number.tsx';

/**
 * Page on which a buyer pays an invoice and follows the payment; later it is the receipt. Other sites may show it in a frame. An
 * unknown invoice has the same page with an explanation.
 */
export function PayPage({ given, answered }: { given: PayData | NoInvoice; answered: PayAnswer | undefined }): ReactNode {
  const [missing, setMissing] = useState(given.invoice ? undefined : given);
  useTitle((missing ?? given).head.title, useSite().name);
  if (missing || !given.invoice) return <Missing />;
  return <KnownInvoice given={given} answered={answered} onMissing={setMissing} />;
}

function Missing(): ReactNode {
  const { locale } = useSite();
  return (
    <main id="main" tabIndex={-1} className={css['missing']}>
      <h1 className="title">{m.checkout_missing()}</h1>
      <p className="soft">{m.checkout_missing_text()}</p>
      <p>
        <a className="link" href={pageUrl(locale, 'contact')} target="_blank" rel="noopener">
          {m.checkout_help()}
        </a>
      </p>
    </main>
  );
}

function KnownInvoice({
  given,
  answered,
  onMissing,
}: {
  given: PayData;
  answered: PayAnswer | undefined;
  onMissing: (page: NoInvoice) => void;
}): ReactNode {
  const pay = usePayState(given, answered, onMissing);
  const { mode, locale } = useSite();
  const { data } = pay;
  return (
    <PayProvider value={pay}>
      <div className={css['page']}>
        <ServerPart name={PANEL} className={cx(store['place'], panel['part'])} />
        <main id="main" tabIndex={-1} className={css['main']}>
          <div className={css['column']}>
            <div className={css['top']}>
              <BackLink url={data.invoice.return_url} />
              <LanguageLinks locale={locale} path={data.path} />
            </div>
            {data.isSandbox && (
              <p className={css['sandbox']}>
                {m.sandbox_banner()} <MailboxLink mode={mode} />
              </p>
            )}
            <Content />
          </div>
        </main>
      </div>
    </PayProvider>
  );
}

/** Link back to the shop, out of the shop's frame. */
function BackLink({ url }: { url: string | undefined }): ReactNode {
  if (url === undefined) return <span />;
  return (
    <a className={css['back']} href={url} target="_top" rel="noreferrer">
      <Icon name="arrow-left" size={18} />
      {m.checkout_back()}
    </a>
  );
}

/** Content of the page: what to do now, then what has been paid. */
function Content(): ReactNode {
  const pay = usePay();
  const { invoice } = pay.data;
  const view = viewOf(pay);
  return (
    <>
      <Headline view={view} />
      <div className={css['stack']}>
        {invoice.test && (
          <Message tone="warning" title={m.checkout_test()}>
            {m.checkout_test_text()}
          </Message>
        )}
        <Outcome />
        <Notes view={view} />
        <DueCard />
        {(view === 'choose' || view === 'refused') && <MethodsPart isRefused={view === 'refused'} />}
        {view !== 'choose' && view !== 'none' && <OptionPart view={view} />}
        <TestCases />
        {invoice.state === 'settled' && <Receipt />}
        <Payments />
      </div>
      <Foot />
    </>
  );
}

/** Message about the last form: the reason why it was refused, or the sandbox's payment. */
function Outcome(): ReactNode {
  const { answer, data } = usePay();
  if (!answer) return null;
  if (answer.isPaid && data.invoice.payments.length === 0)
    return (
      <Message tone="success" title={m.sandbox_paid()} isLive>
        {m.sandbox_paid_text()}
      </Message>
    );
  const message = messageOf(answer, data.invoice);
  return message === undefined ? null : <Message tone="error" title={message} isLive />;
}

/** End of the page: the status of the connection, the receipt by e-mail, and a link for questions. */
function Foot(): ReactNode {
  const { data, isConnected } = usePay();
  const { locale } = useSite();
  const { invoice } = data;
  const view = viewOf(usePay());
  const waits = view === 'pay' && !invoice.test ? m.checkout_waiting() : m.checkout_watching();
  return (
    <div className={css['foot']}>
      {isUnfinished(invoice) && (
        <output className={cx(css['live'], 'small soft')}>
          <i className={isConnected ? undefined : css['lost']} />
          <span>{isConnected ? waits : m.checkout_reconnecting()}</span>
        </output>
      )}
      {isUnfinished(invoice) && <EmailPart />}
      <p className={cx(css['help'], 'small mute')}>
        <WithNumber>{m.checkout_trouble({ number: invoice.number })}</WithNumber>{' '}
        <a className="link" href={pageUrl(locale, 'contact', { order: invoice.number })} target="_blank" rel="noopener">
          {m.checkout_help()}
        </a>
      </p>
    </div>
  );
}
