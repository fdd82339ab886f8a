import type { Output, Routes } from '@kurs/contract';
import { readTyped } from '@kurs/money';
import { data, redirect } from 'react-router';
import { unreadable } from '../../../features/unreadable.ts';
import { m } from '../../../features/words.ts';
import type { Head } from '../../../server/document/document.ts';
import { failedWith, isCallError, notThere } from '../../../server/document/failure.ts';
import type { Visit } from '../../../server/routing/visit.ts';
import { pageUrl } from '../../pages.ts';
import { isUnderWay, markOfPage } from './refund-state.ts';

export type ClaimPage = Output<Routes['refundPage']>;
export type ClaimMethod = ClaimPage['methods'][number];

/** The sum and the currency that the URL names. `amount`: as typed. */
export interface Wanted {
  readonly unit: string;
  readonly amount: string;
  readonly method: string;
}

export interface RefundData {
  readonly head: Head;
  readonly now: string;
  readonly token: string;
  readonly refund: ClaimPage;
  readonly wanted: Wanted;
  /** Change token of the refund when it was loaded. The event stream reports all changes after it. */
  readonly mark: string;
  /** Error of the typed amount. The methods are then those of all that is left. */
  readonly amountError?: string;
}

/** Result of a form of the page. */
export interface RefundAnswer {
  readonly values: Readonly<Record<string, string>>;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  readonly message?: string;
  /** Handle of the code that was mailed; a claim needs both. */
  readonly handle?: string;
}

interface Key {
  readonly id: string;
  readonly token: string;
}

/** Interval at which a page without fields reloads in browsers without JavaScript, in seconds. */
const REFRESH_SECONDS = 15;

const textOf = (query: URLSearchParams, name: string): string => (query.get(name) ?? '').trim().slice(0, 120);
const keyOf = ({ url }: Visit): Key => ({ id: textOf(url.searchParams, 'id'), token: url.searchParams.get('token') ?? '' });

/** Loads the refund that the link opens, with what arrives of the wanted sum in each currency. */
export async function load(visit: Visit): Promise<RefundData> {
  const query = visit.url.searchParams;
  const wanted = { unit: textOf(query, 'unit'), amount: textOf(query, 'amount'), method: textOf(query, 'method') };
  const { refund, amountError } = await read(visit, wanted);
  return {
    head: {
      title: m.refund_head({ store: refund.store.name }),
      ...(refund.left.length === 0 && isUnderWay(refund) && { refresh: REFRESH_SECONDS }),
    },
    ...{ now: visit.now, token: keyOf(visit).token, refund, wanted, mark: markOfPage(refund) },
    ...(amountError !== undefined && { amountError }),
  };
}

async function read(visit: Visit, wanted: Wanted): Promise<Pick<RefundData, 'refund' | 'amountError'>> {
  const key = keyOf(visit);
  const unit = wanted.unit === '' ? {} : { unit: wanted.unit };
  const amount = wanted.amount === '' ? undefined : readTyped(wanted.amount, visit.locale, 18);
  if (wanted.amount !== '' && (amount === undefined || amount === ''))
    return { refund: await visit.client.refundPage({ ...key, ...unit }), amountError: unreadable(wanted.amount) };
  try {
    return { refund: await visit.client.refundPage({ ...key, ...unit, ...(amount !== undefined && { amount }) }) };
  } catch (error) {
    const wrong = isCallError(error) ? error.errors?.['amount']?.[0] : undefined;
    if (wrong !== undefined) return { refund: await visit.client.refundPage({ ...key, ...unit }), amountError: wrong };
    if (failedWith(error, 'refund_over') && wanted.unit !== '') return read(visit, { ...wanted, unit: '', amount: '' });
    if (failedWith(error, 'refund_unknown', 'validation')) notThere(visit, m.refund_missing_title(), m.refund_missing_lead());
    throw error;
  }
}

/** Has a code mailed, or claims the refund. */
export async function submit(visit: Visit, form: URLSearchParams): Promise<unknown> {
  const key = keyOf(visit);
  const values = Object.fromEntries(form);
  const handle = form.get('handle') ?? '';
  const known = handle === '' ? {} : { handle };
  try {
    if (form.get('intent') === 'code') {
      const mailed = await visit.client.refundGetOtp({ ...key, ...known });
      return { values, handle: mailed.handle } satisfies RefundAnswer;
    }
    await visit.client.refundClaim(
      { ...key, ...claimIn(form), ...known },
      { idempotencyKey: `${key.id} ${form.get('version')}` },
    );
    return redirect(pageUrl(visit.locale, 'refund', { ...key, done: '1' }), 303);
  } catch (error) {
    if (!isCallError(error) || error.status >= 500 || error.code === 'refund_unknown') throw error;
    const refused: RefundAnswer = { values, message: error.message, ...(error.errors && { errors: error.errors }), ...known };
    return data(refused, { status: error.status });
  }
}

function claimIn(form: URLSearchParams) {
  const text = (name: string): string => (form.get(name) ?? '').trim();
  const to = Object.fromEntries([...form].flatMap(([name, value]) => (name.startsWith('to.') ? [[name.slice(3), value]] : [])));
  const otp = text('otp').replace(/\s/g, '');
  return {
    ...{ method: text('method'), to },
    ...(text('unit') !== '' && { unit: text('unit') }),
    ...(text('amount') !== '' && { amount: text('amount') }),
    ...(text('receive') !== '' && { receive: text('receive') }),
    ...(otp !== '' && { otp }),
  };
}
