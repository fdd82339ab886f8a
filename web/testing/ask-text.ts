import type { Site, SiteRequest } from '../site.ts';

/** Requests a URL of a site, by GET unless `request` names another method. Returns the status and the body as text. */
export async function askText(
  site: Site,
  url: string,
  request: Partial<SiteRequest> = {},
): Promise<{ status: number; body: string }> {
  const { status, body } = await site.handle({ method: 'GET', url, headers: {}, cookies: {}, ...request });
  return { status, body };
}

/** Returns the text of a page. Each tag becomes `between`, and each run of spaces of any kind becomes one space. */
export const textOf = (html: string, between = ' '): string =>
  html
    .replace(/<style>.*?<\/style>|<script.*?<\/script>/gs, '')
    .replace(/<[^>]+>/g, between)
    .replace(/\s+/g, ' ');
