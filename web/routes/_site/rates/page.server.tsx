import { m } from '../../../features/words.ts';
import { shownCurrencies } from '../../../server/document/currencies.ts';
import type { Head } from '../../../server/document/document.ts';
import { givePartsTo } from '../../../server/document/server-drawn-parts.ts';
import type { Visit } from '../../../server/routing/visit.ts';
import { matching, pageOf, readFilter } from './filter.ts';
import { RatesList } from './rates-list.tsx';

/** Data that the browser gets: the head only, since the server renders the whole page. */
export interface RatesData {
  readonly head: Head;
}

/** Loads the directions that match the filter in the URL, with their prices. */
export async function load(visit: Visit): Promise<RatesData> {
  const [rates, currencies] = await Promise.all([visit.client.directions({}), visit.client.currencies({})]);
  const shown = shownCurrencies(currencies);
  const filter = readFilter(visit.url.searchParams);
  const found = matching(rates.directions, filter, shown);
  const head: Head = {
    title: m.rates_head_title(),
    description: m.rates_head_description({ count: rates.directions.length }),
  };
  givePartsTo(head, {
    list: (
      <RatesList
        filter={filter}
        all={rates.directions}
        found={found.length}
        paged={pageOf(found, filter.page)}
        ratesAt={rates.rates_at}
        isSeeded={rates.rates_seeded}
      />
    ),
  });
  return { head };
}
