import type { Output, Routes } from '@kurs/contract';
import { say } from '@kurs/contract/words';
import { data, redirect } from 'react-router';
import type { AccountField } from '../../../features/account-input.tsx';
import { type Order, isOver, markOf } from '../../../features/order/order.ts';
import { m } from '../../../features/words.ts';
import type { Head } from '../../../server/document/document.ts';
import { failedWith, isCallError, notThere } from '../../../server/document/failure.ts';
import { type Qr, qrOf } from '../../../server/document/qr.ts';
import type { Visit } from '../../../server/routing/visit.ts';
import { pageUrl } from '../../pages.ts';
import { storeOrder, storedOrder } from './order-cookie.ts';

export interface OrderData {
  readonly head: Head;
  readonly now: string;
  readonly token: string;
  readonly order: Order;
  /** Events of the order as texts, the oldest first. */
  readonly history: readonly { readonly seq: number; readonly at: string; readonly words: string }[];
  /** Text with the reason for the order's current status. */
  readonly reason?: string;
  /** QR code of the receiving address or payment link. */
  readonly qr?: Qr;
  /** Fields of accounts that a choice may ask for, by currency. */
  readonly fields: Readonly<Record<string, readonly AccountField[]>>;
  readonly isSandbox: boolean;
  readonly chat: Output<Routes['orderChat']> & { readonly isOpen: boolean };
  /** Change token of the order when it was loaded. The event stream reports all changes after it. */
  readonly mark: string;
}

/** Result of a form of the order's page. */
export interface OrderAnswer {
  readonly head?: Partial<Head>;
  /**
   * Set if a code was mailed for a choice, and the form for the code is open. The code is valid only with this `handle`, which
   * the form sends along.
   */
  readonly code?: { readonly choice: string; readonly handle: string; readonly offer?: string; readonly isSecond?: true };
  readonly values?: Readonly<Record<string, string>>;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  readonly message?: string;
  readonly paid?: string;
  /** Chat message that could not be sent, as typed. */
  readonly said?: string;
  /** Fields of the bought voucher; only this answer contains them. `until` is the time until which the voucher can be shown. */
  readonly voucher?: { readonly fields: Readonly<Record<string, string>>; readonly until: string };
}

export interface Key {
  readonly id: string;
  readonly token: string;
}

function keyOf(visit: Visit): Key | undefined {
  const id = visit.url.searchParams.get('id');
  const token = visit.url.searchParams.get('token');
  return id && token ? { id, token } : undefined;
}

/** Interval at which the page reloads in browsers without JavaScript, in seconds. */
const REFRESH_SECONDS = 15;

export async function load(visit: Visit): Promise<OrderData | Response> {
  const key = keyOf(visit);
  return key ? orderData(visit, await orderOf(visit, key), key.token) : redirect(wholeUrl(visit));
}

/**
 * Returns the target for a URL without a token. It is the order's full URL if this browser has the order's cookie, otherwise the
 * page that finds an order.
 */
function wholeUrl(visit: Visit): string {
  const { id, ...more } = Object.fromEntries(visit.url.searchParams);
  if (id === undefined) return pageUrl(visit.locale, 'track');
  const stored = storedOrder(visit, id);
  return stored ? pageUrl(visit.locale, 'order', { ...stored, ...more }) : pageUrl(visit.locale, 'track', { id });
}

/** Loads the data of an order's page. */
export async function orderData(visit: Visit, order: Order, token: string): Promise<OrderData> {
  const { address, code } = order.pay ?? {};
  const qr = address === undefined || isOver(order) ? undefined : qrOf(code?.text ?? address);
  const chat = await visit.client.orderChat({ id: order.id, token });
  const isOpen = visit.url.searchParams.has('chat');
  // Payment systems redirect back with the order's number only, so this browser stores the token.
  if (order.pay?.kind === 'redirect') storeOrder(visit, { id: order.id, token });
  const reason = order.reason === undefined ? undefined : say(visit.locale, `reasons.${order.reason}`);
  return {
    head: {
      title: m.order_head({ id: order.id }),
      ...(isOver(order) || isOpen || order.needs_email || order.choices.length > 0 || order.pay?.kind === 'voucher'
        ? {}
        : { refresh: REFRESH_SECONDS }),
    },
    now: visit.now,
    token,
    order,
    history: order.timeline.flatMap(({ seq, at, event, params }) => {
      const words = say(visit.locale, `timeline.${event}`, params);
      return words === undefined ? [] : [{ seq, at, words }];
    }),
    ...(reason === undefined ? {} : { reason }),
    ...(qr ? { qr } : {}),
    fields: await fieldsOf(visit, order),
    isSandbox: visit.config.mode === 'sandbox',
    chat: { ...chat, isOpen },
    mark: markOf({ seq: order.seq, messages: chat.version, confirmations: order.confirmations }),
  };
}

/**
 * Loads the order that a link names. If the number or the token is wrong, throws a failure with its own text, because the link
 * may have been cut off.
 */
async function orderOf(visit: Visit, key: Key): Promise<Order> {
  try {
    return (await visit.client.trackOrder(key)) as Order;
  } catch (error) {
    if (failedWith(error, 'order_not_found', 'validation')) notThere(visit, m.order_missing_title(), m.order_missing_lead());
    throw error;
  }
}

async function fieldsOf(visit: Visit, order: Order): Promise<OrderData['fields']> {
  const requests = new Set(
    order.choices.flatMap(({ account, currencies = [] }) => (account ? [account.currency, ...currencies] : currencies)),
  );
  if (requests.size === 0) return {};
  const currencies = await visit.client.currencies({});
  return Object.fromEntries(currencies.filter(({ code }) => requests.has(code)).map(({ code, fields }) => [code, fields]));
}

/** Handles the forms of the order's page, if the URL has the order's key. */
export async function submit(visit: Visit, form: URLSearchParams): Promise<unknown> {
  const key = keyOf(visit);
  return key ? actOn(visit, key, form) : redirect(pageUrl(visit.locale, 'track'), 303);
}

/**
 * Runs the action of a form: cancel, pay in the sandbox, give an address, redeem a voucher, send a chat message, choose, name a
 * currency to get, or have a code mailed.
 */
export async function actOn(visit: Visit, key: Key, form: URLSearchParams): Promise<unknown> {
  const here = redirect(visit.url.pathname + visit.url.search, 303);
  try {
    switch (form.get('intent')) {
      case 'cancel':
        await visit.client.expire(key, { idempotencyKey: `${key.id} cancel` });
        return here;
      case 'pay': {
        // The idempotency key contains the number of the order's newest event, so pressing twice or reloading pays only once.
        const { txid } = await visit.client.sandboxPay(
          { order_id: key.id, token: key.token },
          { idempotencyKey: `${key.id} pay ${form.get('seq') ?? ''}` },
        );
        return { paid: txid } satisfies OrderAnswer;
      }
      case 'redeem': {
        const fields = fieldsIn(form, 'fields.');
        // Entering a voucher pays. The idempotency key contains the number of the order's newest event, so a reload does not
        // redeem the voucher twice.
        await visit.client.orderRedeem({ ...key, fields }, { idempotencyKey: `${key.id} redeem ${form.get('seq') ?? ''}` });
        return here;
      }
      case 'say':
        await visit.client.orderSay({ ...key, text: form.get('text') ?? '' }, sayKey(form));
        return redirect(chatUrl(visit), 303);
      case 'email':
        await visit.client.orderEmail({ ...key, email: (form.get('email') ?? '').trim() });
        return here;
      case 'direction':
        return { values: Object.fromEntries(form) } satisfies OrderAnswer;
      case 'voucher_code':
        return { code: { choice: 'voucher', handle: await mailCode(visit, key, form) } } satisfies OrderAnswer;
      case 'voucher':
        return await showGoods(visit, key, form);
      case 'code':
        return { ...codeOf(form, await mailCode(visit, key, form)), values: Object.fromEntries(form) } satisfies OrderAnswer;
      default:
        await visit.client.orderChoose(choiceOf(key, form));
        return here;
    }
  } catch (error) {
    if (!isCallError(error) || error.status >= 500 || error.code === 'order_not_found') throw error;
    const keepsForm = form.get('intent') === 'choose' && form.has('otp');
    const answer: OrderAnswer = {
      message: error.message,
      errors: error.errors,
      values: Object.fromEntries(form),
      ...(keepsForm ? codeOf(form, form.get('handle') ?? '', asksForSecond(form, error.code)) : {}),
      ...(form.get('intent') === 'voucher' ? { code: { choice: 'voucher', handle: form.get('handle') ?? '' } } : {}),
      ...(form.get('intent') === 'say' ? { said: form.get('text') ?? '' } : {}),
    };
    return data(answer, { status: error.status });
  }
}

/**
 * Returns the bought voucher. A browser that did not place the order needs a mailed code, even the first time; this function then
 * has the code mailed.
 */
async function showGoods(visit: Visit, key: Key, form: URLSearchParams): Promise<OrderAnswer> {
  const otp = (form.get('otp') ?? '').replace(/\s/g, '');
  try {
    return { voucher: await visit.client.orderVoucher({ ...key, ...(otp === '' ? {} : { otp, ...handleIn(form) }) }) };
  } catch (error) {
    if (otp !== '' || form.has('handle') || !failedWith(error, 'code_required')) throw error;
    return { code: { choice: 'voucher', handle: await mailCode(visit, key, form) } };
  }
}

/** Returns the handle that a form contains. It proves that the code was requested by this browser. */
function handleIn(form: URLSearchParams): { handle?: string } {
  const handle = form.get('handle') ?? '';
  return handle === '' ? {} : { handle };
}

/** Has a code mailed, which replaces the last code for the same form. Returns the handle with which the new code is valid. */
async function mailCode({ client }: Visit, key: Key, form: URLSearchParams): Promise<string> {
  return (await client.orderGetOtp({ ...key, ...handleIn(form) })).handle;
}

function codeOf(form: URLSearchParams, handle: string, second = false): { code: NonNullable<OrderAnswer['code']> } {
  const offer = form.get('offer');
  return {
    code: {
      choice: form.get('choice') ?? '',
      handle,
      ...(offer === null ? {} : { offer }),
      ...(second && { isSecond: true as const }),
    },
  };
}

/** True if the form must also ask for the second factor, without which no money from a wallet goes to another account. */
const asksForSecond = (form: URLSearchParams, code: string): boolean =>
  code.startsWith('two_factor_') || form.has('two_factor_code');

/** Returns the URL of the page with its chat open. */
function chatUrl({ url }: Visit): string {
  const query = new URLSearchParams(url.search);
  query.set('chat', '1');
  return `${url.pathname}?${query}`;
}

/**
 * Returns the idempotency key of a chat message, so that a form sent twice adds one message; undefined if it is not well-formed.
 */
function sayKey(form: URLSearchParams): { idempotencyKey: string } | undefined {
  const key = form.get('key') ?? '';
  return /^[\w-]{16,64}$/.test(key) ? { idempotencyKey: key } : undefined;
}

/** Returns the fields of a form whose names have a common prefix, by the rest of their names. */
function fieldsIn(form: URLSearchParams, prefix: string): Record<string, string> {
  const own = [...form].filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(own.map(([name, value]) => [name.slice(prefix.length), value.trim()]));
}

type ChooseInput = Parameters<Visit['client']['orderChoose']>[0];

function choiceOf(key: Key, form: URLSearchParams): ChooseInput {
  const account = fieldsIn(form, 'account.');
  const [offer, to] = [form.get('offer'), form.get('to') ?? ''];
  const digitsOf = (name: string): string => (form.get(name) ?? '').replace(/\s/g, '');
  const [otp, second] = [digitsOf('otp'), digitsOf('two_factor_code')];
  return {
    ...key,
    choice: form.get('choice') as ChooseInput['choice'],
    ...(otp === '' ? {} : { otp, ...handleIn(form) }),
    ...(second === '' ? {} : { two_factor_code: second }),
    ...(offer !== null && /^[0-9]{1,9}$/.test(offer) ? { offer: Math.trunc(+offer) } : {}),
    ...(to === '' ? {} : { to }),
    ...(Object.keys(account).length === 0 ? {} : { account }),
  };
}
