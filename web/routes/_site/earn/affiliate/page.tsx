import { format } from '@kurs/money';
import { type ReactNode, useState } from 'react';
import { useLoaderData } from 'react-router';
import blocks from '../../../../features/blocks/blocks.module.css';
import { ServerPart } from '../../../../features/server-part.tsx';
import { useSite } from '../../../../features/site.ts';
import { m } from '../../../../features/words.ts';
import { writeAmount, writeDecimal, writePercent } from '../../../../ui/base/amount.ts';
import { Button } from '../../../../ui/fields/button.tsx';
import { cx } from '../../../../ui/base/cx.ts';
import { Select } from '../../../../ui/fields/select.tsx';
import { Slip, SlipLine, SlipLines } from '../../../../ui/parts/slip.tsx';
import { useTitle } from '../../../../ui/base/title.ts';
import { pageUrl } from '../../../pages.ts';
import { Main } from '../../layout.tsx';
import type { AffiliateData } from './page.server.tsx';
import css from '../earn.module.css';
import { SUMS, incomeOf } from '../income.ts';

/**
 * Page of the affiliate programme. The browser renders the calculator, the server everything else. Always loaded as a document.
 */
export default function AffiliatePage(): ReactNode {
  const data = useLoaderData<AffiliateData>();
  useTitle(data.head.title, useSite().name);
  return (
    <Main className={css['page']}>
      <div className={blocks['hero']}>
        <div className={blocks['rosette']} aria-hidden="true" />
        <div className={cx('wrap', blocks['split'])}>
          <ServerPart name="intro" />
          <div className={blocks['beside']}>
            <IncomeSlip data={data} />
          </div>
        </div>
      </div>
      <ServerPart name="story" className="below" />
    </Main>
  );
}

/** Calculator for an affiliate's reward in a month. It is a form, so it also works without JavaScript. */
function IncomeSlip({ data }: { data: AffiliateData }): ReactNode {
  const { locale } = useSite();
  const [request, setRequested] = useState({ sum: data.sum, fee: data.fee, share: data.share });
  const { fee, reward } = incomeOf(request);
  const usd = (amount: string): string => `${writeAmount(amount, 2, locale)}\u00a0USD`;
  const sum = `${writeDecimal(request.sum, locale)}\u00a0USD`;
  return (
    <form
      id="income"
      action={`${pageUrl(locale, 'affiliateProgram')}#income`}
      onInput={({ currentTarget }) => {
        const form = new FormData(currentTarget);
        const read = (name: keyof typeof request): string => String(form.get(name));
        setRequested({ sum: read('sum'), fee: read('fee'), share: read('share') });
      }}
    >
      <Slip labelledBy="income-title">
        <h2 className={css['slipTitle']} id="income-title">
          {m.income_title()}
        </h2>
        <div className={css['label']}>
          <label htmlFor="income-sum">{m.income_sum()}</label>{' '}
          <output className="num" htmlFor="income-sum">
            {sum}
          </output>
        </div>
        <input
          className={css['range']}
          id="income-sum"
          type="range"
          name="sum"
          min={0}
          max={SUMS.max}
          step={SUMS.step}
          defaultValue={data.sum}
          aria-valuetext={sum}
        />
        <div className={css['two']}>
          <Select name="fee" label={m.income_fee()} defaultValue={data.fee}>
            {data.fees.map((one) => (
              <option key={one} value={one}>
                {writePercent(one, locale)}
              </option>
            ))}
          </Select>
          <Select name="share" label={m.income_share()} defaultValue={data.share}>
            {data.shares.map((share) => (
              <option key={share} value={share}>
                {writePercent(share, locale)}
              </option>
            ))}
          </Select>
        </div>
        <div aria-live="polite">
          <SlipLines>
            <SlipLine label={m.income_ours()}>{usd(format(fee))}</SlipLine>
            <SlipLine label={m.income_yours()} isTotal>
              {usd(format(reward))}
            </SlipLine>
          </SlipLines>
        </div>
        <p className="tiny mute">{m.income_note()}</p>
        <noscript>
          <Button type="submit">{m.income_go()}</Button>
        </noscript>
      </Slip>
    </form>
  );
}
