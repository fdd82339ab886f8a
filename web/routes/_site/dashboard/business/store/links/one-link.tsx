import type { ReactNode } from 'react';
import { Form, useNavigation } from 'react-router';
import { useSite } from '../../../../../../features/site.ts';
import { m } from '../../../../../../features/words.ts';
import { Button, ButtonLink } from '../../../../../../ui/fields/button.tsx';
import { Copyable } from '../../../../../../ui/parts/copyable.tsx';
import { Message } from '../../../../../../ui/parts/message.tsx';
import { QrCode } from '../../../../../../ui/parts/qr-code.tsx';
import { pageUrl } from '../../../../../pages.ts';
import { Card } from '../../card.tsx';
import { useAnswer } from '../../use-answer.ts';
import { PictureForm } from '../picture-form.tsx';
import { LinkForm } from './link-fields.tsx';
import { LinkPill } from './link-pill.tsx';
import css from './links.module.css';
import type { LinksData } from './page.server.ts';

type Link = NonNullable<LinksData['one']>;

/** One link: its address with a QR code, the number of its uses, its fields and its picture. */
export function OneLink({ data, link }: { data: LinksData; link: Link }): ReactNode {
  const { locale } = useSite();
  return (
    <div className={css['one']}>
      <p className="small">
        <a className="link" href={pageUrl(locale, 'storeLinks', { store: data.store.id })}>
          {m.links_back()}
        </a>
      </p>
      <Result />
      <Address link={link} />
      <LinkForm data={data} link={link} />
      <Card id="picture" title={m.links_picture()}>
        <div className={css['picture']}>
          {link.picture !== undefined && <img src={link.picture} crossOrigin="anonymous" alt="" width={96} height={96} />}
          <PictureForm
            path={`/store/${data.store.id}/links/${link.id}/picture`}
            picture={link.picture}
            label={m.links_picture()}
            hint={m.links_picture_hint()}
            field="picture"
            removes="picture-remove"
            side={640}
            fit="cover"
          />
        </div>
      </Card>
      <Remove title={link.title} />
    </div>
  );
}

/** Result of switching the link on or off, or of removing its picture. */
function Result(): ReactNode {
  const [switched, removed] = [useAnswer('switch'), useAnswer('remove')];
  const refused = switched?.message ?? removed?.message;
  return refused === undefined ? null : <Message tone="error" isLive title={refused} />;
}

/** Address of the link's page, to copy and as a QR code, and the switch. */
function Address({ link }: { link: Link }): ReactNode {
  const { title, url, qr, on, uses, uses_held: held, max_uses: max } = link;
  const busy = useNavigation().formData?.get('intent') === 'switch';
  return (
    <section className={`card ${css['address']}`} aria-labelledby="address-title">
      <div className={css['about']}>
        <div className={css['head']}>
          <h2 className="card-title" id="address-title">
            {title}
          </h2>
          <LinkPill link={link} />
        </div>
        <Copyable
          label={m.links_address()}
          value={url}
          hint={m.links_address_hint()}
          words={{ copy: m.copy(), copied: m.copied() }}
          isStacked
        >
          <span className={css['url']}>{url}</span>
        </Copyable>
        <p className="small soft">
          {max === undefined ? m.links_paid({ uses }) : m.links_paid_of({ uses, max })} {held > 0 && m.links_held({ held })}
        </p>
        <div className={css['acts']}>
          <ButtonLink look="secondary" size="small" icon="link-simple" href={url} target="_blank" rel="noopener">
            {m.links_open()}
          </ButtonLink>
          <Form method="post" preventScrollReset>
            <input type="hidden" name="intent" value="switch" />
            <Button type="submit" name="on" value={String(!on)} look="secondary" size="small" busy={busy && m.account_saving()}>
              {on ? m.links_switch_off() : m.links_switch_on()}
            </Button>
          </Form>
        </div>
      </div>
      <QrCode qr={qr} label={m.links_qr()} className={css['qr']} />
    </section>
  );
}

/** Opens the form that removes the link. */
function Remove({ title }: { title: string }): ReactNode {
  const busy = useNavigation().formData?.get('intent') === 'remove';
  return (
    <details className={css['remove']}>
      <summary>{m.links_remove()}</summary>
      <Form method="post">
        <input type="hidden" name="intent" value="remove" />
        <p className="small soft">{m.links_remove_lead()}</p>
        <Button type="submit" look="danger" size="small" busy={busy && m.account_saving()}>
          {m.links_remove_sure({ title })}
        </Button>
      </Form>
    </details>
  );
}
