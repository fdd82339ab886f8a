import { crumbList } from '../../../features/blocks/crumbs.tsx';
import type { Head } from '../../../server/document/document.ts';
import { invalidRoute } from '../../../server/document/failure.ts';
import { givePartsTo } from '../../../server/document/server-drawn-parts.ts';
import { fillText, versionsOf } from '../../../server/document/texts.ts';
import type { Visit } from '../../../server/routing/visit.ts';
import { TEXTS, TEXT_WORDS, type TextName } from './text-words.ts';
import { Written } from './written.tsx';

/** Data that the browser gets: the head only, since the server renders the whole page. */
export interface TextData {
  readonly head: Head;
}

/** Loads a page of long text: the version in force, or the version that the query names. */
export async function load(visit: Visit, page: TextName): Promise<TextData> {
  const { locale, config, url } = visit;
  const words = TEXT_WORDS[locale];
  const versions = versionsOf(TEXTS[page], locale);
  const request = url.searchParams.get('version');
  const found = request === null ? versions[0] : versions.find(({ version }) => String(version) === request);
  if (!found) return invalidRoute(visit);
  const email = config.contacts?.email;
  const text = fillText(found, locale, {
    name: config.name,
    entity: config.legal?.entity ?? config.name,
    url: config.url,
    contact: email === undefined ? words.contact_form : `[${email}](mailto:${email})`,
  });
  const { title, description } = words[page];
  const head: Head = { title, description, jsonLd: { '@context': 'https://schema.org', ...crumbList(visit, text.title) } };
  // An operator who has not configured their own name has probably not read the template of the text either.
  const isNoted = config.mode === 'sandbox' || config.legal === undefined;
  givePartsTo(head, { text: <Written view={{ page, locale, words, text, versions, isNoted }} /> });
  return { head };
}
