import type { Output, Routes } from '@kurs/contract';
import { labelsOf } from '../../../features/currency.ts';
import { shownCurrencies } from '../../../server/document/currencies.ts';
import type { Head } from '../../../server/document/document.ts';
import { failedWith } from '../../../server/document/failure.ts';
import { givePartsTo } from '../../../server/document/server-drawn-parts.ts';
import type { Visit } from '../../../server/routing/visit.ts';
import { STATUS_WORDS } from './status-words.ts';
import { type ShownRail, StatusUnread, StatusView } from './status-view.tsx';

/** Data that the browser gets: the head only, since the server renders the whole page. */
export interface StatusData {
  readonly head: Head;
}

type ApiCurrency = Output<Routes['currencies']>[number];

/** Loads the current and past status of the rails, and the usual duration of exchanges. */
export async function load(visit: Visit): Promise<StatusData> {
  const [status, currencies] = await Promise.all([readStatus(visit), visit.client.currencies({})]);
  const head: Head = STATUS_WORDS[visit.locale].head;
  if (!status) {
    givePartsTo(head, { status: <StatusUnread locale={visit.locale} /> });
    return { head };
  }
  const rails = status.rails.flatMap((rail): ShownRail[] => {
    const name = nameOf(rail.rail, currencies);
    return name === undefined ? [] : [{ ...rail, name }];
  });
  givePartsTo(head, { status: <StatusView status={status} rails={rails} locale={visit.locale} /> });
  return { head };
}

/** Returns the status of the rails; undefined if the server has read none since its start. */
const readStatus = (visit: Visit): Promise<Output<Routes['status']> | undefined> =>
  visit.client.status({}).catch((error: unknown) => {
    if (failedWith(error, 'unavailable')) return undefined;
    throw error;
  });

/** Returns the name of a rail's network or payment system. Returns undefined if the rail has no currency. */
function nameOf(rail: string, currencies: readonly ApiCurrency[]): string | undefined {
  const own = currencies.filter((one) => one.rail === rail);
  const names = shownCurrencies(own).map((one) =>
    one.kind === 'ewallet' ? labelsOf(one).title : (one.network.split(' · ')[0] ?? one.network),
  );
  return names.length === 0 ? undefined : [...new Set(names)].join(', ');
}
