import { currencyOf } from '../features/currency-rows.ts';
import type { SiteData } from '../routes/_site/site-data.ts';
import type { DocumentSite } from '../server/document/document-data.ts';

/**
 * Converts the site's data from a document to the form that pages read. Lists that the document leaves out become empty lists.
 */
export const siteOf = ({ currencies = [], directions = [], year = '', ...reported }: DocumentSite): SiteData => ({
  ...reported,
  directions,
  year,
  currencies: currencies.map(currencyOf),
});
