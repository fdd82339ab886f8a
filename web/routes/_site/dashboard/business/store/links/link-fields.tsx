import type { ReactNode } from 'react';
import { Form, useNavigation } from 'react-router';
import { placed } from '../../../../../../features/rest-of.ts';
import { m } from '../../../../../../features/words.ts';
import { trimZeros, writeDecimal } from '../../../../../../ui/base/amount.ts';
import { useLocale } from '../../../../../../ui/base/locale.ts';
import { Button } from '../../../../../../ui/fields/button.tsx';
import { Choice } from '../../../../../../ui/fields/choice.tsx';
import { Field } from '../../../../../../ui/fields/field.tsx';
import { Select } from '../../../../../../ui/fields/select.tsx';
import { Message } from '../../../../../../ui/parts/message.tsx';
import { useUnitName } from '../../../wallet/unit-name.ts';
import business from '../../business.module.css';
import { Card } from '../../card.tsx';
import { withOwn } from '../../store-fields.tsx';
import { useAnswer } from '../../use-answer.ts';
import { LINK_FIELDS } from './link-form.ts';
import css from './links.module.css';
import type { LinksData, StoreLink } from './page.server.ts';

/** Card with the fields of a link: of a new one, or of `link`. `formKey`: idempotency key of a new one. */
export function LinkForm({ data, link, formKey }: { data: LinksData; link?: StoreLink; formKey?: string }): ReactNode {
  const intent = link ? 'change' : 'make';
  const answer = useAnswer(intent);
  const busy = useNavigation().formData?.get('intent') === intent;
  const isRefused = answer?.message !== undefined;
  const refused = isRefused ? placed(answer, LINK_FIELDS) : undefined;
  const valueOf = useFieldValues(data, link, answer?.values ?? {});
  const of = (name: string) => ({ name, defaultValue: valueOf(name), error: refused?.at[name] });
  return (
    <Card id="link" title={link ? m.links_change() : m.links_new()}>
      <Form method="post" noValidate preventScrollReset className={`${business['form']} ${css['form']}`}>
        <input type="hidden" name="intent" value={intent} />
        {formKey !== undefined && <input type="hidden" name="key" value={formKey} />}
        {refused?.rest !== undefined && <Message tone="error" isLive title={refused.rest} />}
        {answer && !isRefused && <Message tone="success" isLive title={m.about_saved()} />}
        <Field {...of('title')} label={m.links_title()} hint={m.links_title_hint()} maxLength={100} />
        <SumFields of={of} kind={valueOf('kind')} data={data} />
        <Field {...of('max_uses')} label={m.links_uses()} hint={m.links_uses_hint()} inputMode="numeric" maxLength={9} />
        <div>
          <Button type="submit" look={link ? 'secondary' : 'primary'} busy={busy && m.account_saving()}>
            {link ? m.about_save() : m.links_make()}
          </Button>
        </div>
      </Form>
    </Card>
  );
}

type FieldOf = (name: string) => { name: string; defaultValue: string; error: string | undefined };

/** Returns the first value of a field by its name: as typed into a refused form, else that of the link. */
function useFieldValues(
  { store }: LinksData,
  link: StoreLink | undefined,
  typed: Readonly<Record<string, string>>,
): (name: string) => string {
  const locale = useLocale();
  const sum = (text = ''): string => (text === '' ? '' : writeDecimal(trimZeros(text, 0), locale));
  const own: Readonly<Record<string, string>> = {
    title: link?.title ?? '',
    kind: link && link.amount === undefined ? 'any' : 'fixed',
    ...{ amount: sum(link?.amount), least: sum(link?.least), most: sum(link?.most) },
    currency: link?.currency ?? store.invoice_currency,
    max_uses: link?.max_uses?.toString() ?? '',
  };
  return (name) => typed[name] ?? own[name] ?? '';
}

function SumFields({ of, kind, data }: { of: FieldOf; kind: string; data: LinksData }): ReactNode {
  const unitName = useUnitName();
  const currency = of('currency');
  return (
    <>
      <Choice
        name="kind"
        label={m.invoices_sum()}
        defaultValue={kind === 'any' ? 'any' : 'fixed'}
        options={[
          { value: 'fixed', label: m.invoices_kind_fixed(), note: m.links_fixed_note() },
          { value: 'any', label: m.links_any(), note: m.links_any_note() },
        ]}
      />
      <div className={css['sums']}>
        <div className={css['fixed']}>
          <Field {...of('amount')} label={m.invoices_amount()} inputMode="decimal" maxLength={60} />
        </div>
        <div className={css['any']}>
          <Field {...of('least')} label={m.links_least()} inputMode="decimal" maxLength={60} />
          <Field {...of('most')} label={m.links_most()} inputMode="decimal" maxLength={60} />
        </div>
        <Select {...currency} label={m.invoices_currency()}>
          {withOwn(data.choices.invoice_currencies, currency.defaultValue).map((unit) => (
            <option key={unit} value={unit}>
              {unitName(unit)}
            </option>
          ))}
        </Select>
      </div>
    </>
  );
}
