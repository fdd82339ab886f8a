import type { ReactNode } from 'react';
import { Form, useActionData, useNavigation } from 'react-router';
import { Money } from '../../../../features/money.tsx';
import { restOf } from '../../../../features/rest-of.ts';
import { useSite } from '../../../../features/site.ts';
import { m } from '../../../../features/words.ts';
import { writeDecimal } from '../../../../ui/base/amount.ts';
import { cx } from '../../../../ui/base/cx.ts';
import { Button } from '../../../../ui/fields/button.tsx';
import { Field } from '../../../../ui/fields/field.tsx';
import { Select } from '../../../../ui/fields/select.tsx';
import { Message } from '../../../../ui/parts/message.tsx';
import { pageUrl } from '../../../pages.ts';
import { Copyable } from '../../../../ui/parts/copyable.tsx';
import type { AffiliatesAnswer, AffiliatesData } from './page.server.ts';
import css from './affiliates.module.css';
import { rewardOf } from './days.ts';
import { Troubles } from './troubles.tsx';

/** Section that lists an affiliate's campaigns with their results, and has a form to create or change a campaign. */
export function Campaigns({ data }: { data: AffiliatesData }): ReactNode {
  return (
    <section className="card" aria-labelledby="campaigns-title">
      <div className={css['head']}>
        <h2 className="card-title" id="campaigns-title">
          {m.affiliates_campaigns()}
        </h2>
      </div>
      {data.campaigns.length > 0 && <Table data={data} />}
      <Troubles campaigns={data.campaigns} />
      <Store maxSplit={data.maxSplit} />
    </section>
  );
}

function Table({ data: { campaigns, statistics, campaign: shown } }: { data: AffiliatesData }): ReactNode {
  const { locale } = useSite();
  const rowsOf = (name: string) => statistics.days.filter(({ campaign }) => campaign === name);
  const sum = (name: string, of: 'clicks' | 'orders'): string =>
    writeDecimal(String(rowsOf(name).reduce((all, row) => all + row[of], 0)), locale);
  return (
    <div className={css['scroll']}>
      <table className={cx(css['table'], css['campaigns'])}>
        <thead>
          <tr>
            <th scope="col">{m.affiliates_campaign()}</th>
            <th scope="col">{m.affiliates_split()}</th>
            <th scope="col">{m.affiliates_clicks()}</th>
            <th scope="col">{m.affiliates_column_orders()}</th>
            <th scope="col">{m.affiliates_column_reward()}</th>
            <th scope="col">
              <span className="sr">{m.affiliates_link()}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {campaigns.map(({ name, split }) => (
            <tr key={name} aria-current={name === shown ? 'true' : undefined}>
              <th scope="row">{name}</th>
              <td className="num" data-name={m.affiliates_split()}>
                {`${split}%`}
              </td>
              <td className="num" data-name={m.affiliates_clicks()}>
                {sum(name, 'clicks')}
              </td>
              <td className="num" data-name={m.affiliates_column_orders()}>
                {sum(name, 'orders')}
              </td>
              <td>
                <Money of={{ amount: rewardOf(rowsOf(name)), currency: 'USDT' }} look="quiet" />
              </td>
              <td>
                <a className="link" href={pageUrl(locale, 'affiliates', { campaign: name })}>
                  {m.affiliates_show_link()}
                </a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const FIELDS: ReadonlySet<string> = new Set(['name', 'split', 'postback']);

/** Form that creates a campaign, or changes the campaign with the same name. */
function Store({ maxSplit }: { maxSplit: number }): ReactNode {
  const given = useActionData<AffiliatesAnswer | null>();
  const answer = given?.of === 'campaign' ? given : undefined;
  const busy = useNavigation().state === 'submitting';
  const errorOf = (name: string): { error?: string } => {
    const [error] = answer?.errors?.[name] ?? [];
    return error === undefined ? {} : { error };
  };
  const rest = answer && restOf(answer, (name) => FIELDS.has(name));
  const isStored = answer !== undefined && answer.message === undefined;
  const splits = Array.from({ length: maxSplit / 10 + 1 }, (_, at) => at * 10);
  return (
    <Form method="post" className={css['keep']} key={isStored ? answer.name : 'form'}>
      <p className={cx('small', 'soft', css['note'])}>{m.affiliates_campaigns_note()}</p>
      <Field
        name="name"
        label={m.affiliates_campaign()}
        hint={m.affiliates_campaign_hint()}
        maxLength={32}
        required
        isMono
        defaultValue={answer?.values['name']}
        {...errorOf('name')}
      />
      <Select name="split" label={m.affiliates_split_label()} defaultValue={answer?.values['split'] ?? '0'} {...errorOf('split')}>
        {splits.map((split) => (
          <option key={split} value={split}>{`${split}%`}</option>
        ))}
      </Select>
      <Field
        name="postback"
        label={m.affiliates_postback()}
        hint={marksAsCode(m.affiliates_postback_hint({ campaign: '{campaign}', sub: '{sub}' }))}
        inputMode="url"
        maxLength={1000}
        isMono
        defaultValue={answer?.values['postback']}
        {...errorOf('postback')}
      />
      <Button type="submit" look="secondary" busy={busy && m.affiliates_keep()}>
        {m.affiliates_keep()}
      </Button>
      {rest !== undefined && <Message tone="error" isLive title={rest} />}
      {answer?.secret !== undefined && (
        <div className={css['note']}>
          <Copyable
            label={m.affiliates_secret()}
            value={answer.secret}
            words={{ copy: m.copy(), copied: m.copied() }}
            hint={m.affiliates_secret_hint()}
            isStacked
          />
        </div>
      )}
      {isStored && <Message tone="success" isLive title={m.affiliates_kept({ campaign: answer.name })} />}
    </Form>
  );
}

/** Shows placeholders in braces, such as `{id}`, as code, since affiliates type them literally. */
const marksAsCode = (text: string): ReactNode =>
  text.split(/(\{\w+\})/).map((part, at) => (at % 2 === 1 ? <code key={part}>{part}</code> : part));
