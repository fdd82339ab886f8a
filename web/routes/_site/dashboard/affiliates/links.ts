// What an affiliate puts onto their own pages.

/** The reference of a link: a code, with a campaign behind a dot. */
export const referenceOf = (code: string, campaign: string): string => (campaign === '' ? code : `${code}.${campaign}`);

/** A link to our home page, which the language of its visitor is chosen for. */
export const linkOf = (url: string, code: string, campaign: string, sub = ''): string =>
  `${url}/?ref=${referenceOf(code, campaign)}${sub === '' ? '' : `&sub=${encodeURIComponent(sub)}`}`;

/** What puts our calculator into a page. */
export const widgetCode = (url: string, lang: 'en' | 'ru', reference: string): string =>
  `<script src="${url}/widget.js" async></script>\n<kurs-calculator lang="${lang}" ref="${reference}"></kurs-calculator>`;

/** What puts a banner into a page. */
export function bannerCode(
  url: string,
  link: string,
  { size, lang, name }: { size: string; lang: string; name: string },
): string {
  const [width, height] = size.split('x');
  return `<a href="${link}"><img src="${url}/brand/banner-${size}.${lang}.svg" width="${width}" height="${height}" alt="${name}"></a>`;
}
