import type { ReactNode } from 'react';
import { Form, useLoaderData } from 'react-router';
import { m } from '../../../../../features/words.ts';
import { Button } from '../../../../../ui/fields/button.tsx';
import { Message } from '../../../../../ui/parts/message.tsx';
import type { Closed } from '../../../../closed.ts';
import { Card } from '../card.tsx';
import business from '../business.module.css';
import { useAnswer } from '../use-answer.ts';
import { InvoicesCard } from './invoices-card.tsx';
import { LookCard } from './look-card.tsx';
import { MoneyCard } from './money-card.tsx';
import type { StoreData } from './own-store.ts';
import { SitesCard } from './sites-card.tsx';
import { AboutStore, SettingFacts } from './store-facts.tsx';
import { StorePage } from './store-head.tsx';
import css from './store.module.css';

/** Settings of a store, a card for each group. Members who may not change them read them. */
export default function StoreSettingsPage(): ReactNode {
  const data = useLoaderData<StoreData | Closed>();
  return (
    <StorePage page="store" data={data}>
      {({ store, choices }) => {
        const mayManage = store.permissions.includes('store.manage');
        return (
          <div className={css['stack']}>
            {mayManage ? (
              <>
                <p className="soft">{m.store_settings_lead()}</p>
                <LookCard key={store.id} store={store} />
                <MoneyCard store={store} choices={choices} />
                <InvoicesCard store={store} choices={choices} />
              </>
            ) : (
              <Card id="settings" title={m.store_settings()}>
                <div className={css['body']}>
                  <SettingFacts store={store} />
                </div>
              </Card>
            )}
            {store.kind === 'business' && <SitesCard store={store} mayManage={mayManage} />}
            <Card id="about" title={m.store_about()}>
              <div className={css['body']}>
                <AboutStore store={store} />
              </div>
            </Card>
            {store.role !== 'owner' && <Leave />}
          </div>
        );
      }}
    </StorePage>
  );
}

function Leave(): ReactNode {
  const answer = useAnswer('leave');
  return (
    <Card id="leave" title={m.store_leave()}>
      <Form method="post" className={business['form']}>
        <p className="small soft">{m.store_leave_lead()}</p>
        {answer?.message !== undefined && <Message tone="error" isLive title={answer.message} />}
        <div>
          <Button type="submit" name="intent" value="leave" look="secondary">
            {m.store_leave()}
          </Button>
        </div>
      </Form>
    </Card>
  );
}
