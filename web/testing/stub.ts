/**
 * Stub of the API, for tests of pages and for people who look at pages. Its answers follow the contract: terms are fixed, and
 * amounts are computed by the product's own arithmetic. Orders are samples (`scenes.ts`), chosen by their number.
 */
import type { Output, RouteName, Routes } from '@kurs/contract';
import { createHash } from 'node:crypto';
import { CallError, type Client, type Transport, createClient } from '@kurs/contract/client';
import { TICKET_TOPICS } from '@kurs/contract/support';
import { payAnswers } from './gate/invoices.ts';
import { linkAnswers as payLinkAnswers } from './gate/links.ts';
import { historyOf } from './history.ts';
import { RECEIPT_KEYS, stubReceipt } from './receipts.ts';
import { stubEarn, stubRules } from './rules.ts';
import { sceneOf } from './scenes.ts';
import { soon, status } from './status.ts';
import { CURRENCIES, DIRECTIONS, quoteOf } from './stub-terms.ts';
import { HANDLE, vouchersOf } from './vouchers.ts';
import { NEEDS_ACCOUNT, signInNeeded } from './needs-account.ts';

const BOT_SALT = 'salt?expires=1&';
const BOT_NUMBER = 4321;
const hashOf = (number: number): string => createHash('sha256').update(`${BOT_SALT}${number}`).digest('hex');

function isSolved(token: string): boolean {
  const solved = JSON.parse(Buffer.from(token, 'base64').toString('utf8')) as { number: number };
  return hashOf(solved.number) === hashOf(BOT_NUMBER);
}

const ID = '0199a7d2-7a3e-7c10-9f00-3f1c5e2b7a10';
const TOKEN = 'c3R1Yi10b2tlbi1mb3ItdGVzdHMtb25seS0wMDAx';
function byLink<T>(token: string, answer: T): T {
  if (token === TOKEN) return answer;
  throw new CallError(404, { code: 'not_found', message: 'There is nothing at this address.' });
}
const offBy = ({ token }: Record<'token', string>) => byLink(token, {});
const ACCOUNTS = {
  receive: { currency: 'USDT_ERC20', network: 'ERC-20', fields: { address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F' } },
  refund: { currency: 'BTC', network: 'Bitcoin', fields: { address: 'rb1q5m3k0h2tqz8x7w6v5u4t3s2r1p0n9m8l7k6j5h4' } },
};

type StubAnswers = { [N in RouteName]?: (input: never) => unknown };

/** Returns a transport that answers each call by its name. It stores one calculation, as if all calls came from one visitor. */
export function stubTransport(clock: () => Date): Transport {
  const answers: StubAnswers = {
    ...deskAnswers(clock),
    ...calculationAnswers(clock),
    ...orderAnswers(clock),
    ...linkAnswers(),
    ...vouchersOf(clock),
    ...payAnswers(clock),
    ...payLinkAnswers(),
  };
  return async ({ name, input }) => {
    const answer = answers[name as RouteName] as ((input: unknown) => unknown) | undefined;
    if (!answer) throw new CallError(404, { code: 'not_found', message: `${name} is not stubbed` });
    return answer(input);
  };
}

/** Answers about the desk: currencies, rates, rules, tickets and the bot check. */
const deskAnswers = (clock: () => Date): StubAnswers => ({
  currencies: () => CURRENCIES,
  directions: () => ({ directions: DIRECTIONS, rates_at: soon(clock(), -3), rates_seeded: true }),
  gateways: ({ currency }: { currency: string }) => [gatewayOf(currency)],
  rateHistory: () => historyOf(clock()),
  landing: () => landing(clock()),
  rules: () => stubRules(CURRENCIES),
  supportDetails: () => ({ topics: [...TICKET_TOPICS], median_minutes: 14 }),
  ticketRead: () => ticketOf(clock()),
  ticketReply: () => ticketOf(clock()),
  ticketOpen: openTicket,
  status: () => status(clock()),
  earnRules: () => stubEarn(clock()),
  receiptKeys: () => ({ keys: RECEIPT_KEYS }),
  botChallenge: () => ({
    algorithm: 'SHA-256',
    challenge: hashOf(BOT_NUMBER),
    maxnumber: 5000,
    salt: BOT_SALT,
    signature: 'signed',
    provider: null,
  }),
});

/** Answers of the calculator's three steps. */
function calculationAnswers(clock: () => Date): StubAnswers {
  let draft = { from: 'BTC', to: 'USDT_ERC20', amount: '0.01', side: 'give' as 'give' | 'get' };
  let details: object = {};
  let checked = false;
  const calculation = (): Output<Routes['calculation']> => ({
    id: ID,
    step: 1,
    quote: quoteOf(draft, clock()),
    expires_at: soon(clock(), 1800),
    ...details,
  });
  return {
    calculate: (input: typeof draft) => quoteOf(input, clock()),
    step1: (input: typeof draft) => {
      if (input.amount === NEEDS_ACCOUNT) throw signInNeeded();
      draft = { ...input, side: input.side ?? 'give' };
      details = {};
      return { ...calculation(), token: TOKEN };
    },
    calculation: ({ token }: { token?: string }) => {
      if (token !== TOKEN)
        throw new CallError(404, {
          code: 'calculation_not_found',
          message: 'This calculation does not exist, or it belongs to someone else. Start again from the calculator.',
        });
      return calculation();
    },
    step2: (input: StepTwo) => {
      requireDetails(input);
      if (input.email.startsWith('level')) throw signInNeeded();
      details = {
        ...ACCOUNTS,
        receive: { ...ACCOUNTS.receive, fields: input.receive },
        refund: { ...ACCOUNTS.refund, fields: input.refund },
        email: input.email,
        step: 2,
      };
      return calculation();
    },
    step3: ({ bot_token: token }: { bot_token?: string }) => {
      checked ||= token === 'sandbox' || (token !== undefined && isSolved(token));
      if (!checked) throw new CallError(403, { code: 'bot_check_required', message: 'Finish the robot check and try again.' });
      return reviewOf(calculation(), clock());
    },
  };
}

type StepTwo = { receive: { address?: string }; refund: { address?: string }; email: string; terms_accepted: boolean };

/** Throws the API's 422 if a field of the second step is empty or wrong. */
function requireDetails(input: StepTwo): void {
  const errors: Record<string, string[]> = {};
  if (!input.receive.address) errors['receive.address'] = ['Enter the address'];
  if (input.refund.address?.startsWith('T'))
    errors['refund.address'] = ['This is an address on TRON. Enter your address on Bitcoin'];
  if (!input.refund.address) errors['refund.address'] = ['Enter the address'];
  if (!input.email.includes('@')) errors['email'] = ['Enter an e-mail address like name@example.org'];
  if (!input.terms_accepted) errors['terms_accepted'] = ['Accept the terms to continue'];
  if (Object.keys(errors).length > 0)
    throw new CallError(422, { code: 'validation', message: 'One or more fields need fixing.', errors });
}

/** The third step's answer: the calculation with its terms and their signed receipt. */
function reviewOf(calculation: Output<Routes['calculation']>, now: Date): object {
  const { give, get, rate, fees, exchanged } = calculation.quote;
  return {
    ...calculation,
    lock_minutes: 15,
    held: true,
    waits_for_approval: false,
    promised_minutes: 12,
    mails_discounts: true,
    refund_costs: { amount: '0.00000911', currency: 'BTC' },
    smallest_refund: { amount: '0.00003', currency: 'BTC' },
    confirmations: '2',
    receipt: stubReceipt({
      ...{ kind: 'review', id: ID, quote_expires_at: soon(now, 180), lock_minutes: 15 },
      ...{ give, get, rate, fees, exchanged },
    }),
  };
}

/** Answers about orders, which are the samples of `scenes.ts`, and about their chats. */
function orderAnswers(clock: () => Date): StubAnswers {
  const chat = ({ id }: { id: string }): Output<Routes['orderChat']> => chatOf(id, clock());
  return {
    ...{ orderChat: chat, orderSay: chat, orderChatSeen: chat },
    processOrder: () => ({ ...sceneOf('KX-WAIT-NG00', clock()), token: TOKEN }),
    trackOrder: (input: { id: string; token?: string; email?: string }) => {
      const order = sceneOf(input.id, clock());
      if (!order)
        throw new CallError(404, {
          code: 'order_not_found',
          message: 'There is no order with this number and secret. Open the link from the e-mail about it.',
        });
      return input.token ? order : { id: order.id, status: order.status, updated_at: order.updated_at, link_mailed: true };
    },
    orderStatus: ({ id }: { id: string }) => ({
      status: 'waiting',
      updated_at: clock().toISOString(),
      seq: sceneOf(id, clock())?.seq ?? 1,
      ...(chatOf(id, clock()).version > 0 && { messages: chatOf(id, clock()).version }),
    }),
    orderGetOtp: () => ({ handle: HANDLE, expires_in: 600, resend_in: 60 }),
    orderChoose: (input: { id: string; otp?: string; handle?: string; two_factor_code?: string }) => {
      requireCode(input);
      return sceneOf(input.id, clock());
    },
    expire: ({ id }: { id: string }) => ({ id, status: 'cancelled' }),
    sandboxPay: () => ({
      txid: '9f2c4b7ae1d05c3388a1f6e4d2b9075c61e8f3a4b5d6c7089a1b2c3d4e5f6071',
      from: 'rb1qx',
      paid: { amount: '0.01', currency: 'BTC' },
    }),
  };
}

/**
 * Throws like the API if the mailed code is wrong, or if the second factor is missing. The code 222222 makes the stub require a
 * second factor.
 */
function requireCode({ otp, handle, two_factor_code }: { otp?: string; handle?: string; two_factor_code?: string }): void {
  if (otp === '222222' && two_factor_code === undefined)
    throw new CallError(401, { code: 'two_factor_required', message: 'Enter the code of your authenticator.' });
  if (otp === '000000' || (otp !== undefined && handle !== HANDLE))
    throw new CallError(422, {
      code: 'code_wrong',
      message: 'This code does not match. Tries left: 4.',
      errors: { otp: ['This code does not match. Tries left: 4.'] },
    });
}

/** Answers to calls from pages behind links in letters: confirming a discount, and switching off letters. */
const linkAnswers = (): StubAnswers => ({
  confirmDiscount: ({ token }: Record<'token', string>) => byLink(token, { percent: 10 }),
  ...{ lettersOff: offBy, affiliateLettersOff: offBy },
});

function gatewayOf(currency: string): Output<Routes['gateways']>[number] {
  const { name, network, rail } =
    CURRENCIES.find(({ code }) => code === currency) ?? (CURRENCIES[0] as (typeof CURRENCIES)[number]);
  const confirmations = currency === 'BTC' ? '1–6' : '12–64';
  return { id: rail, currency, name, network, kind: 'address', min: '1', max: '2', confirmations, fees: [], open: true };
}

function openTicket({ text, bot_token: token }: { text: string; bot_token?: string }): Output<Routes['ticketOpen']> {
  if (text === '')
    throw new CallError(422, {
      code: 'validation',
      message: 'One or more fields need fixing.',
      errors: { text: ['Write your message'], email: ['Enter an e-mail address like name@example.org'] },
    });
  return { id: 'TK-7F3Q-2M8C', ...(token !== undefined && { token: TOKEN }) };
}

/** Returns the chat of an order. Only one sample order has messages, one of them unread. */
function chatOf(id: string, now: Date): Output<Routes['orderChat']> {
  if (!id.includes('CONF')) return { messages: [], unread: 0, version: 0 };
  const [first, second] = ticketOf(now).messages.map(({ files: _files, ...said }) => said);
  return { messages: [first, second].filter((one) => one !== undefined), unread: 1, version: 3 };
}

function ticketOf(now: Date): Output<Routes['ticketRead']> {
  const said = (seq: number, by: 'customer' | 'desk', text: string): Output<Routes['ticketRead']>['messages'][number] => {
    const files = seq === 1 ? [{ n: 1, name: 'receipt.png', type: 'image/png' as const, bytes: 81_234 }] : [];
    return { seq, by, text, at: soon(now, -4_000 + seq * 900), files };
  };
  return {
    id: 'TK-7F3Q-2M8C',
    topic: 'payment',
    order: 'KX-7F3Q-2M8C',
    email: 'ann@example.org',
    status: 'answered',
    created_at: soon(now, -4_000),
    messages: [
      said(1, 'customer', 'I sent 0.01 BTC an hour ago, and the page still waits.\n\nThe transaction is in the picture.'),
      said(2, 'desk', 'Your payment has one confirmation of two. The page goes on by itself with the next block.'),
    ],
  };
}

function landing(now: Date): Output<Routes['landing']> {
  return {
    hero: { from: 'BTC', to: 'USDT_ERC20', amount: '0.01' },
    directions: DIRECTIONS,
    reserves: [],
    latest_orders: [
      {
        from: { amount: '0.01000000', currency: 'BTC' },
        to: { amount: '908.37', currency: 'USDT_ERC20' },
        status: 'done',
        at: soon(now, -620),
      },
      {
        from: { amount: '500.00', currency: 'USDT_ERC20' },
        to: { amount: '0.00542548', currency: 'BTC' },
        status: 'paying',
        at: soon(now, -1900),
      },
    ],
    reviews: [],
    figures: {},
    lock_minutes: 15,
    quote_minutes: 3,
    rates_at: soon(now, -3),
    rates_seeded: true,
  };
}

export const stubClient = (clock: () => Date): Client => createClient(stubTransport(clock));

/** Returns a client of a desk that offers nothing yet. */
export function emptyClient(clock: () => Date): Client {
  const transport = stubTransport(clock);
  return createClient(async (call) => {
    if (call.name === 'currencies') return [];
    if (call.name === 'directions') return { directions: [], rates_seeded: false };
    return transport(call);
  });
}
