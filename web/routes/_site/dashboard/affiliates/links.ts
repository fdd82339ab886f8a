// Links and HTML code that affiliates put on their own pages.

/** Returns the reference in an affiliate's link: their code, followed by a dot and the campaign if there is one. */
export const referenceOf = (code: string, campaign: string): string => (campaign === '' ? code : `${code}.${campaign}`);

/** Returns an affiliate's link to the home page. The home page chooses the visitor's language. */
export const linkOf = (url: string, code: string, campaign: string, sub = ''): string =>
  `${url}/?ref=${referenceOf(code, campaign)}${sub === '' ? '' : `&sub=${encodeURIComponent(sub)}`}`;

/** Returns the HTML code that embeds the calculator for an affiliate. */
export const widgetCode = (url: string, lang: 'en' | 'ru', reference: string): string =>
  `<script src="${url}/widget.js" async></script>\n<kurs-calculator lang="${lang}" ref="${reference}"></kurs-calculator>`;

/** Returns the HTML code that embeds a banner with an affiliate's link. */
export function bannerCode(
  url: string,
  link: string,
  { size, lang, name }: { size: string; lang: string; name: string },
): string {
  const [width, height] = size.split('x');
  return `<a href="${link}"><img src="${url}/brand/banner-${size}.${lang}.svg" width="${width}" height="${height}" alt="${name}"></a>`;
}
