// First module of the pages of an invoice and of a store's link. It renders them in the browser without the site's router.

import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import '../ui/theme/fonts.css';
import '../ui/theme/tokens.css';
import '../ui/theme/base.css';
import { SiteProvider } from '../features/site.ts';
import type { NoInvoice, PayAnswer, PayData } from '../routes/_site/pay/pay-data.ts';
import type { LinkAnswer, LinkData, NoLink } from '../routes/_site/pay/link/link-data.ts';
import { LinkPage } from '../routes/_site/pay/link/link-page.tsx';
import { PayPage } from '../routes/_site/pay/pay-page.tsx';
import { SkipLink } from '../routes/_site/skip-link.tsx';
import type { DocumentSite } from '../server/document/document-data.ts';
import { LocaleProvider } from '../ui/base/locale.ts';
import { CatchUp } from './catch-up.tsx';
import { siteOf } from './document-site.ts';
import { pageLocale } from './page-locale.ts';

/** Data of the document, as the server wrote it. */
interface PageState {
  readonly loaderData: {
    readonly site: DocumentSite;
    readonly pay?: PayData | NoInvoice;
    readonly payLink?: LinkData | NoLink;
  };
  readonly actionData?: { readonly pay?: PayAnswer; readonly payLink?: LinkAnswer };
}

/** Hydrates the page. */
function start(): void {
  const element = document.getElementById('app');
  const data = document.getElementById('data')?.textContent;
  if (!element || !data) return;
  const { loaderData, actionData } = JSON.parse(data) as PageState;
  startTransition(() => {
    hydrateRoot(
      element,
      <StrictMode>
        <LocaleProvider value={pageLocale(document, console.warn)}>
          <SiteProvider value={siteOf(loaderData.site)}>
            <SkipLink />
            {loaderData.pay && <PayPage given={loaderData.pay} answered={actionData?.pay} />}
            {loaderData.payLink && <LinkPage given={loaderData.payLink} answered={actionData?.payLink} />}
          </SiteProvider>
          <CatchUp />
        </LocaleProvider>
      </StrictMode>,
    );
  });
  // React now receives every click, and hydrates the clicked part first. `begin.ts` stops storing clicks.
  document.dispatchEvent(new Event('taken-over'));
}

setTimeout(start);
