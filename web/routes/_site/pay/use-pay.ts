import { type FormEvent, createContext, useCallback, useContext, useEffect, useState } from 'react';
import { clientOf } from '@kurs/contract/client';
import { paymentInvoiceStatus } from '@kurs/contract/paths';
import { useAccessToken } from '../../../features/account/access-token.ts';
import { pageTransport } from '../../../features/api/client.ts';
import { askPage } from '../../../features/api/page-data.ts';
import { useStream } from '../../../features/live/use-stream.ts';
import { m } from '../../../features/words.ts';
import { useServerNow } from '../../../ui/base/clock.ts';
import { type NoInvoice, type Part, type PayAnswer, type PayData, partUrl, payMarkOf } from './pay-data.ts';

/** State of the page, and what its parts can do with it. */
export interface Pay {
  readonly data: PayData;
  readonly answer: PayAnswer | undefined;
  readonly now: number;
  /** Part of the page that is open. */
  readonly part: Part | undefined;
  readonly open: (part: Part | undefined) => void;
  /** Form that is being sent; undefined if none is. */
  readonly sent: URLSearchParams | undefined;
  /** Sends a form of the page without loading a document. */
  readonly submit: (event: FormEvent<HTMLFormElement>) => void;
  /** Loads the page's data again. */
  readonly refresh: () => Promise<void>;
  /** False while the connection to the event stream is lost. */
  readonly isConnected: boolean;
}

const PayContext = createContext<Pay | undefined>(undefined);

export const PayProvider = PayContext.Provider;

/** Returns the state of the page, for its parts. */
export function usePay(): Pay {
  const pay = useContext(PayContext);
  if (!pay) throw new Error('This component stands inside the page of an invoice');
  return pay;
}

/** Returns the state of a page that was rendered with `given` and `answered`. `onMissing` is called if the invoice is gone. */
export function usePayState(given: PayData, answered: PayAnswer | undefined, onMissing: (page: NoInvoice) => void): Pay {
  const [data, setData] = useState(given);
  const [answer, setAnswer] = useState(answered);
  const [part, setPart] = useState(given.part);
  const [sent, setSent] = useState<URLSearchParams>();
  const refresh = useCallback(async () => {
    const got = await askPage(location.origin + given.path, {});
    if (!('data' in got)) return;
    const loaded = got.data as PayData | NoInvoice;
    if (loaded.invoice) setData(loaded);
    else onMissing(loaded);
  }, [given.path, onMissing]);
  const turnTo = (next: Part | undefined): void => {
    setPart(next);
    history.replaceState(null, '', partUrl(given, next));
  };
  const open = (next: Part | undefined): void => {
    turnTo(next);
    setAnswer(undefined);
    if (next !== 'email' && part !== 'email') showBeginning();
  };
  const send = async (form: URLSearchParams): Promise<void> => {
    setSent(form);
    const outcome = await outcomeOf(given.path, form);
    await refresh();
    setAnswer(outcome);
    setSent(undefined);
    if (!outcome) turnTo(undefined);
    if (form.get('intent') === 'method' && (!outcome || outcome.asks)) showBeginning();
    else if (!outcome) focusContent();
  };
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    const form = new FormData(event.currentTarget, submitter);
    if (!sent) void send(new URLSearchParams([...form].map(([name, value]) => [name, String(value)])));
  };
  useOwnWallets(refresh);
  usePreparation(data, refresh);
  const isConnected = useNews(data, refresh);
  return { data, answer, now: useServerNow(data.now), part, open, sent, submit, refresh, isConnected };
}

/** Sends a form. Returns the page's answer; undefined if the form took effect and the page shows it. */
async function outcomeOf(path: string, form: URLSearchParams): Promise<PayAnswer | undefined> {
  const got = await askPage(location.origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  });
  if ('redirect' in got) return undefined;
  if ('data' in got) return got.data as PayAnswer;
  const message = got.failure.message ?? m.error_browser_lead();
  return { intent: form.get('intent') ?? '', message, values: Object.fromEntries(form) };
}

/** Moves the focus to the page's content after the form that had the focus was removed. Returns the content. */
function focusContent(): HTMLElement | null {
  const main = document.getElementById('main');
  main?.focus({ preventScroll: true });
  return main;
}

/** Moves the focus to the page's content after it was replaced, and scrolls to its beginning if that is out of sight. */
function showBeginning(): void {
  const main = focusContent();
  if (main && main.getBoundingClientRect().top < 0) main.scrollIntoView();
}

/** Loads the page with the holder's wallets: after hydration, since documents are requested without a session, and after a sign-in. */
function useOwnWallets(refresh: () => Promise<void>): void {
  const token = useAccessToken();
  useEffect(() => {
    if (token !== null) void refresh();
  }, [token, refresh]);
}

/** Interval at which the page asks for a payment that is being prepared, in ms. */
const PREPARED_MS = 2000;

/** Loads the page again while a payment system prepares a payment, which no event of the invoice reports. */
function usePreparation({ invoice }: PayData, refresh: () => Promise<void>): void {
  const isPreparing = invoice.option?.status === 'preparing';
  useEffect(() => {
    if (!isPreparing) return;
    const timer = setInterval(() => document.hidden || void refresh(), PREPARED_MS);
    return () => clearInterval(timer);
  }, [isPreparing, refresh]);
}

const client = clientOf(pageTransport(), { paymentInvoiceStatus });

/** Loads the page's data again after each change of the invoice. Returns false while the connection is lost. */
function useNews({ invoice, mark }: PayData, refresh: () => Promise<void>): boolean {
  const { id } = invoice;
  const ask = useCallback(async (signal: AbortSignal) => payMarkOf(await client.paymentInvoiceStatus({ id }, { signal })), [id]);
  const onNews = useCallback(() => void refresh(), [refresh]);
  return useStream({ path: `payment/invoice/status?${new URLSearchParams({ id })}`, ask, mark }, onNews);
}
