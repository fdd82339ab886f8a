import type { ReactNode } from 'react';
import { SCALES } from '../../../brand/colours.ts';
import { PNGS } from '../../../brand/pngs.ts';
import { Figures, Hero, Section } from '../../../features/blocks/blocks.tsx';
import { type Currency, coinOf, labelsOf } from '../../../features/currency.ts';
import { COLOURS } from '../../../server/document/brand.ts';
import { type Params, filled } from '../../../server/document/page-words.ts';
import { Rich } from '../../../server/document/rich-text.tsx';
import type { SiteLocale } from '../../../site.ts';
import { cx } from '../../../ui/base/cx.ts';
import { Coin, Icon } from '../../../ui/base/icon.tsx';
import type { BrandWords } from './brand-words.ts';
import css from './brand.module.css';

export interface BrandView {
  readonly locale: SiteLocale;
  readonly words: BrandWords;
  /** Name of the exchange desk. */
  readonly name: string;
  readonly currencies: readonly Currency[];
  /** True if the desk's name can be drawn as a wordmark. */
  readonly isNamed: boolean;
}

/** Body of the brand page. Rendered on the server only. */
export function Guidelines({ view }: { view: BrandView }): ReactNode {
  const { locale, words, name } = view;
  const fill = (text: string, params: Params = {}): string => filled(text, locale, { name, ...params });
  return (
    <>
      <Hero title={words.title} crumb={words.title} lead={fill(words.lead)} locale={locale} />
      <Marks view={view} fill={fill} />
      <Section id="colours" title={words.colours.title} lead={fill(words.colours.lead)} locale={locale}>
        <div className={css['scales']}>
          {SCALES.map((scale) => (
            <ScaleRow key={scale} name={words.colours.scales[scale]} steps={COLOURS[scale]} />
          ))}
        </div>
        <p className={cx('tiny mute', css['note'])}>{fill(words.colours.note)}</p>
      </Section>
      <Section id="type" title={words.type.title} lead={fill(words.type.lead)} locale={locale}>
        <ul className={css['faces']}>
          {words.type.faces.map(({ id, code: face, task, sample }) => (
            <li key={id} className="card pad">
              <p className={css[id]}>{sample.replaceAll('`', '')}</p>
              <h3 className="card-title">{face}</h3>
              <p className="soft small">{fill(task)}</p>
              <a className="link small" href={`/licences/${face.toLowerCase().replaceAll(' ', '-')}.txt`}>
                {words.type.licence}
              </a>
            </li>
          ))}
        </ul>
      </Section>
      <Section id="coins" title={words.coins.title} lead={fill(words.coins.lead)} locale={locale}>
        <Coins currencies={view.currencies} />
      </Section>
      <div className={cx('wrap', css['rules'])}>
        <Rules id="do" look="right" words={words.do} fill={fill} locale={locale} />
        <Rules id="dont" look="wrong" words={words.dont} fill={fill} locale={locale} />
      </div>
      <Section id="files" title={words.files.title} lead={fill(words.files.lead)} locale={locale}>
        <Figures
          isNamed
          head={[words.files.head.what, words.files.head.form, words.files.head.file]}
          rows={filesOf(view, fill).map(({ what, form, to }) => [
            what,
            form,
            <a key={to} className="link" href={to} download={to.split('/').at(-1)}>
              {to.split('/').at(-1)}
            </a>,
          ])}
        />
      </Section>
      <section className={cx('wrap', css['operator'])}>
        <h2 className="card-title">{words.operator.title}</h2>
        <p>
          <Rich text={fill(words.operator.text)} locale={locale} />
        </p>
      </section>
    </>
  );
}

type Fill = (text: string, params?: Params) => string;

function Marks({ view: { locale, words, name, isNamed }, fill }: { view: BrandView; fill: Fill }): ReactNode {
  const file = (kind: 'light' | 'dark'): string => {
    const dark = kind === 'dark' ? '-dark' : '';
    return isNamed ? `/brand/wordmark${dark}.svg` : `/brand/mark${dark}.svg`;
  };
  const { mark } = words;
  return (
    <Section id="mark" title={mark.title} lead={fill(mark.lead)} locale={locale}>
      <div className={css['marks']}>
        {(['light', 'dark'] as const).map((kind) => (
          <figure key={kind} className={css[kind]}>
            <img src={file(kind)} alt={name} height={64} />
            <figcaption>{mark[kind]}</figcaption>
          </figure>
        ))}
        <figure className={css['light']}>
          <img src="/brand/mark-one-colour.svg" alt="" width={64} height={64} />
          <figcaption>{mark.one}</figcaption>
        </figure>
        <figure className={css['light']}>
          <img src="/brand/mark-small.svg" alt="" width={20} height={20} />
          <figcaption>{mark.small}</figcaption>
        </figure>
      </div>
      <ul className={css['list']}>
        {Object.entries(mark.rules).map(([rule, text]) => (
          <li key={rule}>
            <Rich text={fill(text)} locale={locale} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

/**
 * Shows a colour scale. The colours are SVG attributes, because the content security policy forbids inline styles. Their values
 * follow as text.
 */
function ScaleRow({ name, steps }: { name: string; steps: Readonly<Record<string, string>> }): ReactNode {
  const entries = Object.entries(steps);
  return (
    <section>
      <h3 className="card-title">{name}</h3>
      <ul>
        {entries.map(([step, value]) => (
          <li key={step}>
            <svg viewBox="0 0 10 10" preserveAspectRatio="none" aria-hidden="true">
              <path d="M0 0h10v10H0z" fill={value} />
            </svg>
            <b>{step}</b>
            <span>{value.toUpperCase()}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Shows a coin icon for each currency name. */
function Coins({ currencies }: { currencies: readonly Currency[] }): ReactNode {
  const shown = new Map(currencies.map((currency) => [labelsOf(currency).title, currency]));
  return (
    <ul className={css['coins']}>
      {[...shown].map(([title, { code }]) => (
        <li key={title}>
          <Coin {...coinOf(code)} size={52} />
          {title}
        </li>
      ))}
    </ul>
  );
}

function Rules({
  id,
  look,
  words,
  fill,
  locale,
}: {
  id: string;
  look: 'right' | 'wrong';
  words: BrandWords['do'];
  fill: Fill;
  locale: SiteLocale;
}): ReactNode {
  return (
    <section id={id} className={cx('card pad', css[look])} aria-labelledby={`${id}-title`}>
      <h2 className="card-title" id={`${id}-title`}>
        <Icon name={look === 'right' ? 'check-circle-fill' : 'x-circle'} size={24} />
        {words.title}
      </h2>
      <ul className={css['list']}>
        {words.items.map((item) => (
          <li key={item}>
            <Rich text={fill(item)} locale={locale} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface File {
  readonly what: string;
  readonly form: string;
  readonly to: string;
}

function filesOf({ words: { files }, isNamed }: BrandView, fill: Fill): File[] {
  const { names, drawing } = files;
  const svg = (what: string, file: string): File => ({ what, form: drawing, to: `/brand/${file}.svg` });
  return [
    ...(isNamed ? [svg(names.wordmark, 'wordmark'), svg(names.wordmark_dark, 'wordmark-dark')] : []),
    svg(names.mark, 'mark'),
    svg(names.mark_dark, 'mark-dark'),
    svg(names.one, 'mark-one-colour'),
    svg(names.small, 'mark-small'),
    ...PNGS.map(({ name, of, side }) => ({
      what: of.includes('dark') ? names.mark_dark : names.mark,
      form: fill(files.side, { side }),
      to: `/brand/${name}`,
    })),
    { what: names.colours, form: files.tokens, to: '/brand/colours.json' },
    { what: names.colours, form: files.styles, to: '/brand/colours.css' },
  ];
}
