import type { Output, Routes } from '@kurs/contract';
import { CallError } from '@kurs/contract/client';
import { useEffect, useState } from 'react';
import type { Wrong } from '../../../../../features/account/sign-in/wrong.ts';
import { wrongOf } from '../../../../../features/account/sign-in/wrong.ts';
import { moneyCalls } from '../../confirm/money-calls.ts';

export type Quote = Output<Routes['walletWithdrawQuote']>;

/** Withdrawal for which a quote is requested. `to` is absent while the fields of the receiving account are incomplete. */
export interface Wanted {
  readonly currency: string;
  readonly rail: string;
  readonly amount: string;
  readonly to?: Readonly<Record<string, string>>;
}

interface QuoteAnswer {
  readonly key: string;
  readonly quote?: Quote;
  readonly wrong: Wrong;
}

const PAUSE_MS = 300;

/**
 * Returns the quote of a withdrawal, and requests it again shortly after each change. Ignores answers to earlier inputs. `fields`
 * are the names of the fields that can show errors. If only the receiving account is wrong, the amounts are quoted without an
 * account.
 */
export function useQuote(
  wanted: Wanted | undefined,
  fields: readonly string[],
): { quote: Quote | undefined; wrong: Wrong; isBusy: boolean; again: () => void } {
  const [round, setRound] = useState(0);
  const key = wanted ? `${round} ${JSON.stringify(wanted)}` : '';
  const [answer, setAnswer] = useState<QuoteAnswer>({ key: '', wrong: {} });
  const [shown, setShown] = useState<{ readonly sum: string; readonly quote: Quote }>();
  useEffect(() => {
    if (key === '') return;
    const request = JSON.parse(key.slice(key.indexOf(' '))) as Wanted;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      ask(request, fields, stop.signal).then(
        (got) => {
          if (stop.signal.aborted) return;
          setAnswer({ key, ...got });
          setShown(got.quote && { sum: sumOf(request), quote: got.quote });
        },
        (error: unknown) => {
          if (!stop.signal.aborted) throw error;
        },
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
    // `fields` depends only on the network, which is part of `key`.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [key]);
  const isNow = answer.key === key;
  // The last amounts stay visible while the next quote is requested. Their confirmation is left out, because it is valid for the
  // earlier inputs only.
  const last = wanted && shown?.sum === sumOf(wanted) ? { ...shown.quote, confirmation: undefined } : undefined;
  return {
    quote: isNow ? answer.quote : (last as Quote | undefined),
    wrong: isNow ? answer.wrong : {},
    isBusy: wanted !== undefined && !isNow,
    again: () => setRound((rounds) => rounds + 1),
  };
}

const sumOf = ({ currency, rail, amount }: Wanted): string => [currency, rail, amount].join(' ');

async function ask(wanted: Wanted, fields: readonly string[], signal: AbortSignal): Promise<Omit<QuoteAnswer, 'key'>> {
  const { to, ...sum } = wanted;
  try {
    return { quote: await moneyCalls.walletWithdrawQuote({ ...sum, ...(to && { to: { ...to } }) }, { signal }), wrong: {} };
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    const wrong = wrongOf(error, fields);
    const isAccount = Object.keys(wrong.at ?? {}).some((name) => name === 'to' || name.startsWith('to.'));
    if (!to || !isAccount) return { wrong };
    try {
      return { wrong, quote: await moneyCalls.walletWithdrawQuote(sum, { signal }) };
    } catch (other) {
      // Shows the errors of both calls together, so that the customer can correct them in one step.
      if (!(other instanceof CallError)) throw other;
      return { wrong: { ...wrong, at: { ...wrongOf(other, fields).at, ...wrong.at } } };
    }
  }
}
