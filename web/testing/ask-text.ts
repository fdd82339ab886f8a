import type { Site, SiteRequest } from '../site.ts';

/** Asks a site for an address, by GET unless the request says else; gives the status and the body as text. */
export async function askText(
  site: Site,
  url: string,
  request: Partial<SiteRequest> = {},
): Promise<{ status: number; body: string }> {
  const { status, body } = await site.handle({ method: 'GET', url, headers: {}, cookies: {}, ...request });
  return { status, body };
}

/** What stands on a page, without its tags: each becomes `between`, and a run of spaces of any kind is one. */
export const textOf = (html: string, between = ' '): string =>
  html
    .replace(/<style>.*?<\/style>|<script.*?<\/script>/gs, '')
    .replace(/<[^>]+>/g, between)
    .replace(/\s+/g, ' ');
