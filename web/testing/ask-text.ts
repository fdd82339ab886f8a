import type { Site, SiteRequest } from '../site.ts';

/** Asks a site for an address, by GET unless the request says else; gives the status and the body as text. */
export async function askText(
  site: Site,
  url: string,
  request: Partial<SiteRequest> = {},
): Promise<{ status: number; body: string }> {
  const { status, body } = await site.handle({ method: 'GET', url, headers: {}, cookies: {}, ...request });
  return { status, body: Buffer.concat(body).toString() };
}
