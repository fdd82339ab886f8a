import type { ReactNode } from 'react';
import { Form } from 'react-router';
import { m } from '../../../../features/words.ts';
import { writePercent } from '../../../../ui/base/amount.ts';
import { cx } from '../../../../ui/base/cx.ts';
import { useLocale } from '../../../../ui/base/locale.ts';
import { Button } from '../../../../ui/fields/button.tsx';
import type { Terms } from './page.server.ts';
import css from './affiliates.module.css';

/** Affiliate's share, the condition for the next higher share, and the switch for the monthly letter. */
export function Level({ terms: { share, second, active, next, statements } }: { terms: Terms }): ReactNode {
  const locale = useLocale();
  return (
    <section className={cx('card', 'pad', css['level'])} aria-labelledby="share-title">
      <h2 className="card-title" id="share-title">
        {m.affiliates_share()}
      </h2>
      <p className={cx(css['figure'], 'num')}>{writePercent(share, locale)}</p>
      <p className="small soft">{m.affiliates_share_note({ second: writePercent(second, locale) })}</p>
      {next && (
        <div className={css['way']}>
          <progress aria-label={m.affiliates_progress()} max={next.from} value={active} />
          <p className="small soft">{m.affiliates_next({ active, from: next.from, share: writePercent(next.share, locale) })}</p>
        </div>
      )}
      <Form method="post" className={css['letters']}>
        <p className="small soft">{statements ? m.affiliates_letters_on() : m.affiliates_letters_off()}</p>
        <Button type="submit" look="secondary" size="small" name="statements" value={statements ? 'off' : 'on'}>
          {statements ? m.affiliates_letters_stop() : m.affiliates_letters_start()}
        </Button>
      </Form>
    </section>
  );
}
