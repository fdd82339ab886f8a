// Links and HTML code that affiliates put on their own pages.

/** Reference of a link: the affiliate's code, and a campaign after a dot. */
export const referenceOf = (code: string, campaign: string): string => (campaign === '' ? code : `${code}.${campaign}`);

/** Link to the home page, which picks the visitor's language. */
export const linkOf = (url: string, code: string, campaign: string, sub = ''): string =>
  `${url}/?ref=${referenceOf(code, campaign)}${sub === '' ? '' : `&sub=${encodeURIComponent(sub)}`}`;

/** HTML code that embeds the calculator. */
export const widgetCode = (url: string, lang: 'en' | 'ru', reference: string): string =>
  `<script src="${url}/widget.js" async></script>\n<kurs-calculator lang="${lang}" ref="${reference}"></kurs-calculator>`;

/** HTML code that embeds a banner. */
export function bannerCode(
  url: string,
  link: string,
  { size, lang, name }: { size: string; lang: string; name: string },
): string {
  const [width, height] = size.split('x');
  return `<a href="${link}"><img src="${url}/brand/banner-${size}.${lang}.svg" width="${width}" height="${height}" alt="${name}"></a>`;
}
