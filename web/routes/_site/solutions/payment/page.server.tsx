import type { ReactNode } from 'react';
import { Hero } from '../../../../features/blocks/blocks.tsx';
import { structuredOf } from '../../../../features/blocks/structured.ts';
import type { Direction } from '../../../../features/calculator/price-breakdown.ts';
import { findCurrency, shortNameOf, tickerOf } from '../../../../features/currency.ts';
import { shownCurrencies } from '../../../../server/document/currencies.ts';
import type { Head } from '../../../../server/document/document.ts';
import { filledWords } from '../../../../server/document/page-words.ts';
import { givePartsTo } from '../../../../server/document/server-drawn-parts.ts';
import type { Visit } from '../../../../server/routing/visit.ts';
import { Button } from '../../../../ui/fields/button.tsx';
import { cx } from '../../../../ui/base/cx.ts';
import { Icon } from '../../../../ui/base/icon.tsx';
import { pageUrl } from '../../../pages.ts';
import { CodeFigure } from '../gate/gate-code.tsx';
import { receivableSum } from '../receivable-sum.ts';
import type { SolutionData } from '../solution-data.ts';
import { PAYMENT_WORDS } from '../solution-words.ts';
import css from '../solutions.module.css';
import { Story, questionsIn } from '../story.tsx';

type Words = (typeof PAYMENT_WORDS)['en'];

/** Data of the form that makes a payment link: the open directions, the typed values, and the resulting link. */
interface LinkForm {
  readonly pairs: readonly { readonly slug: string; readonly name: string; readonly unit: string }[];
  readonly slug: string;
  readonly typed: string;
  readonly link: string | undefined;
  /** Error text for the typed amount. */
  readonly wrong: string | undefined;
}

/**
 * Loads the page about online payments. Its form makes a link to a prepared exchange; `pair` and `amount` in the query are the
 * form's values.
 */
export async function load(visit: Visit): Promise<SolutionData> {
  const { client, locale } = visit;
  const [landing, rates, currencies] = await Promise.all([client.landing({}), client.directions({}), client.currencies({})]);
  const words = filledWords(PAYMENT_WORDS[locale], locale, { minutes: landing.lock_minutes });
  const shown = shownCurrencies(currencies);
  // Directions whose payers must be verified are left out, because a new payer could not use the link.
  const verified = new Set(currencies.filter(({ payer_level }) => payer_level > 0).map(({ code }) => code));
  // A currency without account fields is paid out as a voucher. The voucher's code would be shown to the payer instead of the
  // recipient.
  const vouchers = new Set(currencies.filter(({ fields }) => fields.length === 0).map(({ code }) => code));
  const open = rates.directions.filter((one) => one.open && !verified.has(one.from) && !vouchers.has(one.to));
  const name = (code: string): string => shortNameOf(findCurrency(shown, code), shown);
  const chosen = open.find(({ slug }) => slug === visit.url.searchParams.get('pair'));
  // The query contains `amount` only after the form was submitted. Only then an empty amount is an error.
  const sent = visit.url.searchParams.get('amount');
  const typed = (sent ?? '').slice(0, 40);
  const request = chosen && sent !== null ? receivableSum(typed, chosen, shown, locale) : undefined;
  const form: LinkForm = {
    pairs: open.map(({ slug, from, to }) => ({
      slug,
      name: `${name(from)} → ${name(to)}`,
      unit: tickerOf(findCurrency(shown, to)),
    })),
    slug: chosen?.slug ?? '',
    typed,
    link: chosen && request?.amount !== undefined ? linkOf(visit, chosen, request.amount) : undefined,
    wrong: request && (request.limits ?? (request.amount === undefined ? words.link.wrong : undefined)),
  };
  const head: Head = { ...words.head, jsonLd: structuredOf(visit, words.crumb, questionsIn(words.sections)) };
  givePartsTo(head, {
    page: (
      <>
        <Hero title={words.title} crumb={words.crumb} lead={words.lead} locale={locale}>
          <LinkMaker words={words.link} form={form} action={visit.url.pathname} />
        </Hero>
        <Story words={words} locale={locale} />
      </>
    ),
  });
  return { head };
}

/** Returns the URL of a direction's page with an amount to receive. */
function linkOf({ config, locale }: Visit, { from, to, slug }: Direction, amount: string): string {
  return config.url + pageUrl(locale, 'service', { slug, from, to, side: 'get', amount });
}

function LinkMaker({ words, form, action }: { words: Words['link']; form: LinkForm; action: string }): ReactNode {
  const { pairs, slug, typed, link, wrong } = form;
  if (pairs.length === 0) return <p className="card pad soft">{words.none}</p>;
  const isWrong = wrong !== undefined;
  return (
    <section className={cx('card', css['maker'])} aria-labelledby="maker-title">
      <h2 className="card-title" id="maker-title">
        {words.title}
      </h2>
      <form action={action} noValidate>
        <label>
          {words.pair}
          <span className={css['field']}>
            <select name="pair" defaultValue={slug || pairs[0]?.slug}>
              {pairs.map((pair) => (
                <option key={pair.slug} value={pair.slug} data-unit={pair.unit}>
                  {pair.name}
                </option>
              ))}
            </select>
            <Icon name="caret-down" size={16} />
          </span>
        </label>
        <label>
          {words.amount}
          <span className={css['field']}>
            <input
              type="text"
              name="amount"
              inputMode="decimal"
              autoComplete="off"
              maxLength={40}
              aria-required
              defaultValue={typed}
              aria-invalid={isWrong || undefined}
              aria-describedby={isWrong ? 'maker-wrong' : undefined}
            />
            <span className={css['unit']} hidden data-unit-of="pair" />
          </span>
        </label>
        {isWrong && (
          <p className={css['wrong']} id="maker-wrong">
            {wrong}
          </p>
        )}
        <Button type="submit" isWide>
          {words.make}
        </Button>
      </form>
      {link && (
        <CodeFigure
          name={words.result}
          copy={
            <Button look="secondary" size="tiny" icon="copy" hidden data-copy="" data-copied={words.copied}>
              {words.copy}
            </Button>
          }
        >
          {link}
        </CodeFigure>
      )}
      <p className="tiny mute">{words.note}</p>
    </section>
  );
}
