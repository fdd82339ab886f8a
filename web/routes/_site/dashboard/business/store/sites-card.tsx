import type { ReactNode } from 'react';
import { Form, useNavigation } from 'react-router';
import { placed } from '../../../../../features/rest-of.ts';
import { useSite } from '../../../../../features/site.ts';
import { m } from '../../../../../features/words.ts';
import { writeTime } from '../../../../../ui/base/time.ts';
import { Button } from '../../../../../ui/fields/button.tsx';
import { Field } from '../../../../../ui/fields/field.tsx';
import { Message } from '../../../../../ui/parts/message.tsx';
import { Pill } from '../../../../../ui/parts/pill.tsx';
import business from '../business.module.css';
import { Card } from '../card.tsx';
import type { OwnStore } from '../store-words.ts';
import { useAnswer } from '../use-answer.ts';
import css from './store.module.css';

type Site = OwnStore['sites'][number];

/** Card with the web sites of a store. Those who manage the store add and remove sites. */
export function SitesCard({ store, mayManage }: { store: OwnStore; mayManage: boolean }): ReactNode {
  const removed = useAnswer('site-remove');
  return (
    <Card id="sites" title={m.store_sites()}>
      <div className={css['sites']}>
        <p className="small soft">{m.store_sites_lead()}</p>
        {removed?.message !== undefined && (
          <Message tone="error" isLive title={removed.errors?.['site']?.[0] ?? removed.message} />
        )}
        {removed && removed.message === undefined && <Message tone="success" isLive title={m.store_site_removed()} />}
      </div>
      {store.sites.length === 0 ? (
        <p className={`soft ${business['empty']}`}>{m.store_sites_none()}</p>
      ) : (
        <ul className={business['rows']}>
          {store.sites.map((site) => (
            <SiteRow key={site.site} site={site} mayManage={mayManage} />
          ))}
        </ul>
      )}
      {mayManage && <AddForm />}
    </Card>
  );
}

function SiteRow({ site: { site, added_at: at, struck }, mayManage }: { site: Site; mayManage: boolean }): ReactNode {
  const { locale } = useSite();
  return (
    <li>
      <div className={business['what']}>
        <b>{site.replace('https://', '')}</b>
        <span className="tiny mute">{m.store_site_since({ time: writeTime(at, locale) })}</span>
      </div>
      {struck ? (
        <Pill tone="error" icon="prohibit">
          {m.store_site_struck()}
        </Pill>
      ) : (
        mayManage && (
          <Form method="post" preventScrollReset>
            <input type="hidden" name="intent" value="site-remove" />
            <Button
              type="submit"
              name="site"
              value={site}
              look="secondary"
              size="small"
              aria-label={m.store_site_remove_one({ site })}
            >
              {m.about_picture_remove()}
            </Button>
          </Form>
        )
      )}
    </li>
  );
}

function AddForm(): ReactNode {
  const answer = useAnswer('site-add');
  const busy = useNavigation().formData?.get('intent') === 'site-add';
  const isRefused = answer?.message !== undefined;
  const refused = isRefused ? placed(answer, ['site']) : undefined;
  return (
    <Form method="post" noValidate preventScrollReset className={css['add']} key={answer && !isRefused ? 'added' : 'form'}>
      <input type="hidden" name="intent" value="site-add" />
      {refused?.rest !== undefined && <Message tone="error" isLive title={refused.rest} />}
      {answer && !isRefused && <Message tone="success" isLive title={m.store_site_added()} />}
      <Field
        name="site"
        inputMode="url"
        defaultValue={answer?.values['site']}
        error={refused?.at['site']}
        label={m.store_site()}
        hint={m.store_site_hint()}
        maxLength={260}
      />
      <Button type="submit" look="secondary" busy={busy && m.account_saving()}>
        {m.store_site_add()}
      </Button>
    </Form>
  );
}
