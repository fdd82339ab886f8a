import { m } from '../../../features/words.ts';
import { readText } from '../../../server/texts.ts';
import type { Head } from '../../../server/document.ts';
import type { Visit } from '../../../server/visit.ts';

export interface TextData {
  readonly head: Head;
}

const PAGES = {
  terms: { folder: 'terms-of-services', title: () => m.terms_title(), description: () => m.terms_description() },
  aml: { folder: 'aml-kyc-policy', title: () => m.aml_title(), description: () => m.aml_description() },
} as const;

/** The HTML of the text that a request shows: rendered on the server only, and not part of the page's data. */
const shown = new WeakMap<Head, string>();

export const htmlOf = (head: Head): string => shown.get(head) ?? '';

/** Loads a page of long text. */
export function loadText(page: keyof typeof PAGES): (visit: Visit) => Promise<TextData> {
  const { folder, title, description } = PAGES[page];
  return async (visit) => {
    const head: Head = { title: title(), description: description() };
    shown.set(
      head,
      readText(folder, visit.locale, {
        name: visit.config.name,
        entity: visit.config.legal?.entity ?? visit.config.name,
        url: visit.config.url,
      }),
    );
    return { head };
  };
}
