import { type ReactNode, useState } from 'react';
import { useSite } from '../../../../features/site.ts';
import { m } from '../../../../features/words.ts';
import { cx } from '../../../../ui/base/cx.ts';
import { Select } from '../../../../ui/fields/select.tsx';
import { Copyable } from '../../../../ui/parts/copyable.tsx';
import { BANNER_SIZES } from '../../../../brand/banner-sizes.ts';
import type { AffiliatesData } from './page.server.ts';
import css from './affiliates.module.css';
import { bannerCode, linkOf, referenceOf, widgetCode } from './links.ts';

/** Section with HTML code for the affiliate's own pages: the calculator and banners. */
export function Materials({ data: { url, code, campaign, hasBanners } }: { data: AffiliatesData }): ReactNode {
  const { locale } = useSite();
  const [lang, setLang] = useState(locale);
  const reference = referenceOf(code, campaign);
  const words = { copy: m.copy(), copied: m.copied() };
  const widget = widgetCode(url, lang, reference);
  return (
    <section className="card" aria-labelledby="materials-title">
      <div className={css['head']}>
        <h2 className="card-title" id="materials-title">
          {m.affiliates_materials()}
        </h2>
        <div className={css['lang']}>
          <Select
            name="lang"
            label={m.affiliates_language()}
            value={lang}
            onChange={(event) => setLang(event.currentTarget.value === 'ru' ? 'ru' : 'en')}
          >
            <option value="en" lang="en">
              English
            </option>
            <option value="ru" lang="ru">
              Русский
            </option>
          </Select>
        </div>
      </div>
      <div className={cx('pad', css['materials'])}>
        <Copyable label={m.affiliates_widget()} value={widget} words={words} hint={m.affiliates_widget_hint()} isStacked>
          <pre className={css['code']}>{widget}</pre>
        </Copyable>
        {hasBanners && <Banner url={url} link={linkOf(url, code, campaign)} lang={lang} />}
      </div>
    </section>
  );
}

/** Shows a preview of a banner in the chosen size, and its HTML code. */
function Banner({ url, link, lang }: { url: string; link: string; lang: 'en' | 'ru' }): ReactNode {
  const { name } = useSite();
  const [size, setSize] = useState<string>(BANNER_SIZES[0]);
  const [width = 0, height = 0] = size.split('x').map(Number);
  const code = bannerCode(url, link, { size, lang, name });
  return (
    <>
      <div className={css['size']}>
        <Select
          name="size"
          label={m.affiliates_banner_size()}
          value={size}
          onChange={(event) => setSize(event.currentTarget.value)}
        >
          {BANNER_SIZES.map((one) => (
            <option key={one} value={one}>
              {one.replace('x', ' × ')}
            </option>
          ))}
        </Select>
      </div>
      <img
        className={css['banner']}
        src={`/brand/banner-${size}.${lang}.svg`}
        width={width}
        height={height}
        alt={m.affiliates_banner_picture({ size })}
        loading="lazy"
      />
      <Copyable label={m.affiliates_banner()} value={code} words={{ copy: m.copy(), copied: m.copied() }} isStacked>
        <pre className={css['code']}>{code}</pre>
      </Copyable>
    </>
  );
}
