import type { ReactNode } from 'react';
import { Form, useLoaderData } from 'react-router';
import { clientOf } from '@kurs/contract/client';
import { affiliateExportTicket } from '@kurs/contract/paths';
import { accessToken } from '../../../../features/account/access-token.ts';
import { pageTransport } from '../../../../features/api/client.ts';
import { useSite } from '../../../../features/site.ts';
import { m } from '../../../../features/words.ts';
import { cx } from '../../../../ui/base/cx.ts';
import { Button } from '../../../../ui/fields/button.tsx';
import { Field } from '../../../../ui/fields/field.tsx';
import { Copyable, LinkText } from '../../../../ui/parts/copyable.tsx';
import { QrCode } from '../../../../ui/parts/qr-code.tsx';
import { type Closed, isClosed } from '../../../closed.ts';
import { pageUrl } from '../../../pages.ts';
import { ExportButtons } from '../orders/export-buttons.tsx';
import { Skeleton } from '../frame/skeleton.tsx';
import type { AffiliatesData } from './page.server.ts';
import css from './affiliates.module.css';
import { Campaigns } from './campaigns.tsx';
import { Earnings } from './earnings.tsx';
import { Figures } from './figures.tsx';
import { Level } from './level.tsx';
import { linkOf } from './links.ts';
import { Materials } from './materials.tsx';
import { Rewards } from './rewards.tsx';

/** Page of an affiliate: their links, the results of the links, and material for their own pages. */
export default function AffiliatesPage(): ReactNode {
  const data = useLoaderData<AffiliatesData | Closed>();
  const { locale } = useSite();
  return (
    <>
      <div className={css['page']}>
        <h1 className="title">{m.dashboard_affiliates()}</h1>
        <p className="soft">
          {m.affiliates_lead()}{' '}
          <a className="link" href={pageUrl(locale, 'affiliateProgram')}>
            {m.affiliates_rules()}
          </a>
        </p>
      </div>
      {isClosed(data) ? <Skeleton rows={6} /> : <Affiliates data={data} />}
    </>
  );
}

function Affiliates({ data }: { data: AffiliatesData }): ReactNode {
  return (
    <div className={css['stack']}>
      <Link data={data} />
      <Figures data={data} />
      <div className={css['beside']}>
        <Earnings
          statistics={data.statistics}
          tools={<ExportButtons ticket={(format) => exportClient.affiliateExportTicket({ format })} />}
        />
        <Level terms={data.terms} />
      </div>
      <Rewards data={data} />
      <Campaigns data={data} />
      <Materials data={data} />
    </div>
  );
}

/** The affiliate's link as text and as a QR code. */
function Link({ data: { url, code, campaign, sub, subWrong, qr } }: { data: AffiliatesData }): ReactNode {
  const link = linkOf(url, code, campaign, subWrong ? '' : sub);
  const wrong = { long: m.affiliates_sub_long({ count: String(sub.length) }), signs: m.affiliates_sub_signs() };
  return (
    <section className={cx('card', 'pad', css['link'])} aria-labelledby="link-title">
      <div>
        <h2 className="card-title" id="link-title">
          {campaign === '' ? m.affiliates_link() : m.affiliates_link_of({ campaign })}
        </h2>
        <Copyable
          label={m.affiliates_address()}
          value={link}
          words={{ copy: m.copy(), copied: m.copied() }}
          look="primary"
          hint={m.affiliates_link_hint()}
          isStacked
        >
          <LinkText>{link}</LinkText>
        </Copyable>
        <Form method="get" className={css['sub']} preventScrollReset>
          {campaign !== '' && <input type="hidden" name="campaign" value={campaign} />}
          <Field
            name="sub"
            label={m.affiliates_sub()}
            hint={m.affiliates_sub_hint()}
            isMono
            defaultValue={sub}
            {...(subWrong && { error: wrong[subWrong] })}
          />
          <Button type="submit" look="secondary">
            {m.affiliates_sub_show()}
          </Button>
        </Form>
      </div>
      <QrCode qr={qr} label={m.affiliates_qr()} className={css['qr']} />
    </section>
  );
}

/** API client that requests a download link for an export, with the account's token. */
const exportClient = clientOf(pageTransport(accessToken), { affiliateExportTicket });
