import type { Output, Routes } from '@kurs/contract';
import { labelsOf } from '../../../features/currency.ts';
import { shownCurrencies } from '../../../server/currencies.ts';
import type { Head } from '../../../server/document.ts';
import { givePartsTo } from '../../../server/parts.ts';
import type { Visit } from '../../../server/visit.ts';
import { STATUS_WORDS } from './status-words.ts';
import { type ShownRail, StatusView } from './status-view.tsx';

/** What the browser knows of the page: nothing but its name. */
export interface StatusData {
  readonly head: Head;
}

type ApiCurrency = Output<Routes['currencies']>[number];

/** How the rails run and ran, and how long exchanges took. */
export async function loadStatus(visit: Visit): Promise<StatusData> {
  const [status, currencies] = await Promise.all([visit.client.status({}), visit.client.currencies({})]);
  const rails = status.rails.flatMap((rail): ShownRail[] => {
    const name = nameOf(rail.rail, currencies);
    return name === undefined ? [] : [{ ...rail, name }];
  });
  const head: Head = STATUS_WORDS[visit.locale].head;
  givePartsTo(head, { status: <StatusView status={status} rails={rails} locale={visit.locale} /> });
  return { head };
}

/** A rail as people know it: its network, or the name of the payment system. Undefined where nothing is offered on it. */
function nameOf(rail: string, currencies: readonly ApiCurrency[]): string | undefined {
  const own = currencies.filter((one) => one.rail === rail);
  const names = shownCurrencies(own).map((one) =>
    one.kind === 'ewallet' ? labelsOf(one).title : (one.network.split(' · ')[0] ?? one.network),
  );
  return names.length === 0 ? undefined : [...new Set(names)].join(', ');
}
