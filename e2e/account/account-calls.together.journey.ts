// Makes every required call for signing in, the account, wallets, limits and notices: once with valid input, once with each
// error, and once without a session. Inputs and responses must conform to the served document, and each response must have the
// required fields.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { authenticatorShows } from '../harness/authenticator.ts';
import { freshEmail } from '../customers/customer.ts';
import { type RequestOptions, type DocumentedApi, PIXEL, documentedApi } from '../looks/documented.ts';
import { codeFor } from '../harness/mailbox.ts';
import { sharedStage } from '../harness/stage.ts';
import { type System, until } from '../harness/system.ts';

let system: System;
let api: DocumentedApi;
before(async () => {
  ({ system } = await sharedStage());
  api = await documentedApi(system.url);
});

const GOOD = 'correct horse battery';
const NEXT = 'staple of another kind';
const email = freshEmail();

/** Values from responses that later calls need. */
const known = { token: '', handle: '', secret: '', recovery: [] as string[], place: '' };
const newCode = (): Promise<string> => codeFor(system, email);

type Fields = Readonly<Record<string, unknown>>;

/** Test case of one call. */
interface CallCase {
  readonly call: `${'GET' | 'POST'} /${string}`;
  /** True if the call requires a session. */
  readonly isOwn?: boolean;
  readonly good: () => Fields | Promise<Fields>;
  /** Invalid inputs by the field that the error must name, or by a colon and the problem's code. */
  readonly wrong?: Readonly<Record<string, Fields>>;
  /** Required fields of `data`. */
  readonly says?: readonly string[];
  readonly isList?: true;
  readonly status?: number;
  readonly bytes?: RequestOptions['bytes'];
  readonly learn?: (data: never) => unknown;
  /** Code of the problem with which a valid call of a new account is refused. */
  readonly refused?: string;
}

const SENT = ['expires_in', 'resend_in'];
const ENTERED = ['access_token', 'user'];
const USER = [
  'id',
  'email',
  'email_verified',
  'name',
  'avatar',
  'locale',
  'two_factor_enabled',
  'verification_level',
  'referral_code',
  'created_at',
];
const storeHandle = ({ handle }: { handle: string }): void => void (known.handle = handle);
const storeToken = ({ access_token }: { access_token: string }): void => void (known.token = access_token);
/** Filters of lists, and invalid values of each. */
const LISTED = { currency: ['USDT'], from: '2026-01-01', to: '2099-12-31', q: 'none', page: 1, per_page: 5 };
const BADLY_LISTED: Record<string, Fields> = {
  'status.0': { status: ['nonsense'] },
  'currency.0': { currency: ['no unit'] },
  from: { from: '01/02/2026' },
  to: { to: 'soon' },
  page: { page: 0 },
  per_page: { per_page: 101 },
};

const ROWS: readonly CallCase[] = [
  {
    call: 'POST /sign-up/get-otp',
    good: () => ({ email, bot_token: 'sandbox' }),
    wrong: {
      email: { email: 'nobody', bot_token: 'sandbox' },
      ':bot_check_required': { email },
      ':bot_check_failed': { email, bot_token: 'no' },
      role: { email, bot_token: 'sandbox', role: 'x' },
    },
    says: ['handle', ...SENT],
    learn: storeHandle,
  },
  {
    call: 'POST /sign-up/confirm',
    good: async () => ({ email, otp: await newCode(), handle: known.handle, password: GOOD }),
    wrong: {
      email: { email: '', otp: '123456', handle: 'x' },
      otp: { email, otp: '12345', handle: 'x' },
      handle: { email, otp: '123456' },
      password: { email, otp: '123456', handle: 'x', password: 'short' },
    },
    says: ENTERED,
    learn: storeToken,
  },
  { call: 'GET /user/info', isOwn: true, good: () => ({}), says: USER },
  { call: 'POST /user/email/get-otp', isOwn: true, good: () => ({}), wrong: { purpose: { purpose: 'order' } }, says: SENT },
  {
    call: 'POST /user/email/verify',
    isOwn: true,
    good: async () => ({ otp: await newCode() }),
    wrong: { otp: { otp: 123_456 }, ':code_wrong': { otp: '000000' } },
    says: ['email_verified'],
  },
  { call: 'GET /wallet/currency', isOwn: true, good: () => ({}) },
  {
    call: 'POST /wallet/store',
    isOwn: true,
    good: () => ({ currency: 'USDT', rail: 'evm' }),
    wrong: { currency: { currency: 'NOPE' }, rail: { currency: 'USDT', rail: 'bitcoin' } },
    says: ['currency', 'available', 'held', 'total', 'value_usd', 'deposit'],
    learn: ({ deposit }: { deposit: { kind: string; address: string } }) => {
      assert.equal(deposit.kind, 'address');
      known.place = deposit.address;
    },
  },
  { call: 'GET /wallet/user/currencies', isOwn: true, good: () => ({}), learn: (data) => assert.deepEqual(data, ['USDT']) },
  {
    call: 'GET /wallet',
    isOwn: true,
    good: () => ({}),
    learn: ([wallet]: [Fields]) =>
      assert.ok(
        ['available', 'held', 'total', 'value_usd'].every((field) => field in wallet),
        JSON.stringify(wallet),
      ),
  },
  {
    call: 'POST /wallet/withdraw-request',
    isOwn: true,
    good: withdrawal,
    wrong: {
      amount: { currency: 'USDT', rail: 'evm', amount: '-50', to: { address: `0x${'1'.repeat(40)}` }, otp: '123456' },
      currency: { currency: 'nope', rail: 'evm', amount: '50', to: {} },
      rail: { currency: 'USDT', rail: 'no rail', amount: '50', to: {} },
      'to.address': { currency: 'USDT', rail: 'evm', amount: '50', to: { address: '0x1' }, otp: '123456' },
      otp: { currency: 'USDT', rail: 'evm', amount: '50', to: {}, otp: '1' },
    },
    says: ['id', 'currency', 'rail', 'amount', 'to', 'status'],
  },
  {
    call: 'GET /wallet/list/withdraw-request',
    isOwn: true,
    isList: true,
    good: () => ({ ...LISTED, status: ['done'] }),
    wrong: BADLY_LISTED,
  },
  {
    call: 'GET /user/withdraw/filter',
    isOwn: true,
    isList: true,
    good: () => ({ ...LISTED, status: ['queued', 'sent'] }),
    wrong: BADLY_LISTED,
  },
  {
    call: 'POST /user/withdraw/store',
    isOwn: true,
    // A new account has no rewards.
    good: async () => ({ currency: 'USDT_ERC20', ...(await confirmed({ source: 'affiliate' })) }),
    wrong: {
      amount: { currency: 'USDT_ERC20', amount: '5e1', to: { address: `0x${'1'.repeat(40)}` }, otp: '123456' },
      currency: { currency: 'nope', amount: '50.00', to: {}, otp: '123456' },
    },
    refused: 'not_enough_money',
  },
  {
    call: 'GET /wallet/limits',
    isOwn: true,
    good: () => ({}),
    says: ['level', 'at_once', 'day', 'month', 'alone', 'alone_day', 'two_people'],
  },
  {
    call: 'GET /user/order/figures',
    isOwn: true,
    good: () => ({ days: 90 }),
    wrong: { days: { days: 31 } },
    says: ['total', 'open', 'exchanged', 'days'],
  },
  {
    call: 'GET /user/transaction/filter',
    isOwn: true,
    isList: true,
    good: () => ({ ...LISTED, status: ['done'] }),
    wrong: BADLY_LISTED,
  },
  {
    call: 'GET /user/order/filter',
    isOwn: true,
    isList: true,
    good: () => ({ ...LISTED, status: ['waiting', 'done'] }),
    wrong: BADLY_LISTED,
  },
  {
    call: 'GET /export/order-transactions',
    isOwn: true,
    good: () => ({ format: 'csv', from: '2026-01-01' }),
    wrong: { format: { format: 'pdf' } },
  },
  {
    call: 'POST /export/order-transactions/ticket',
    isOwn: true,
    good: () => ({ format: 'xlsx' }),
    wrong: { format: { format: 'pdf' }, 'status.0': { status: ['nonsense'] } },
    says: ['url', 'expires_in'],
  },
  {
    call: 'POST /user/profile/update',
    isOwn: true,
    good: () => ({ name: 'Анна', locale: 'ru', timezone: 'Europe/Belgrade', notifications: { order_progress: false } }),
    wrong: {
      locale: { locale: 'de' },
      timezone: { timezone: 'Mars/Olympus' },
      role: { role: 'operator' },
      email_verified: { email_verified: 1 },
    },
    says: USER,
  },
  { call: 'POST /user/profile/avatar', isOwn: true, good: () => ({}), bytes: PIXEL, says: USER },
  {
    call: 'POST /user/profile/change-password',
    isOwn: true,
    good: () => ({ current_password: GOOD, password: NEXT }),
    wrong: {
      current_password: { current_password: NEXT, password: NEXT },
      password: { current_password: GOOD, password: 'short' },
    },
    status: 204,
  },
  {
    call: 'GET /user/notices',
    isOwn: true,
    good: () => ({}),
    says: ['new', 'notices'],
    learn: ({ notices }: { notices: { kind: string }[] }) => assert.equal(notices[0]?.kind, 'password_changed'),
  },
  { call: 'POST /user/notices/seen', isOwn: true, good: () => ({}), status: 204 },
  {
    call: 'POST /user/profile/generate2fa',
    isOwn: true,
    good: () => ({}),
    says: ['secret', 'otpauth_url', 'qr'],
    learn: ({ secret }: { secret: string }) => (known.secret = secret),
  },
  {
    call: 'POST /user/profile/enable2fa',
    isOwn: true,
    good: () => ({ two_factor_code: authenticatorShows(known.secret) }),
    wrong: { two_factor_code: { two_factor_code: '12' }, ':two_factor_wrong': { two_factor_code: '0000-0000-0000-0000' } },
    says: ['recovery_codes'],
    learn: ({ recovery_codes }: { recovery_codes: string[] }) => {
      assert.equal(new Set(recovery_codes).size, 10);
      known.recovery = recovery_codes;
    },
  },
  {
    call: 'POST /login',
    good: () => ({ email, password: NEXT, two_factor_code: authenticatorShows(known.secret, 1) }),
    wrong: {
      email: { email: 'nobody', password: NEXT },
      password: { email },
      ':login_wrong': { email, password: GOOD },
      ':two_factor_required': { email, password: NEXT },
      ':two_factor_wrong': { email, password: NEXT, two_factor_code: '0000-0000-0000-0000' },
    },
    says: ENTERED,
    learn: storeToken,
  },
  {
    call: 'POST /user/profile/disable2fa',
    isOwn: true,
    good: () => ({ two_factor_code: known.recovery[0], password: NEXT }),
    wrong: { password: { two_factor_code: known.recovery[0] ?? '123456' }, two_factor_code: { password: NEXT } },
    status: 204,
  },
  {
    call: 'POST /forgot-password/get-otp',
    good: () => ({ email, bot_token: 'sandbox' }),
    wrong: { email: { email: '' }, ':bot_check_required': { email } },
    says: ['handle', ...SENT],
    learn: storeHandle,
  },
  {
    call: 'POST /forgot-password/confirm',
    good: async () => ({ email, otp: await newCode(), handle: known.handle, password: GOOD }),
    wrong: {
      password: { email, otp: '123456', handle: 'x', password: email },
      otp: { email, handle: 'x', password: GOOD },
      handle: { email, otp: '123456', password: GOOD },
    },
    says: ENTERED,
    learn: storeToken,
  },
  {
    call: 'POST /google/login',
    good: googleShows,
    wrong: { token_id: { two_factor_code: '' }, ':google_wrong': { token_id: 'a.b.c', two_factor_code: '' } },
    says: ['access_token'],
  },
  { call: 'GET /logout', isOwn: true, good: () => ({}), status: 204 },
];

/** Required calls of these areas. */
const TABLE = `/sign-up/get-otp /sign-up/confirm /forgot-password/get-otp /forgot-password/confirm /google/login /login /logout
/user/profile/generate2fa /user/profile/enable2fa /user/profile/disable2fa /user/order/filter /user/profile/change-password
/user/profile/avatar /user/profile/update /user/transaction/filter /user/withdraw/filter /user/withdraw/store /user/info /user/email/get-otp
/user/email/verify /wallet/currency /wallet/user/currencies /wallet /wallet/store /wallet/withdraw-request
/wallet/list/withdraw-request /export/order-transactions`.split(/\s+/);

/** Pays into the wallet, and returns the input of a withdrawal with the code that was mailed for it. */
async function withdrawal(): Promise<Fields> {
  const client = system.client();
  await client.sandboxPay({ currency: 'USDT_ERC20', to: known.place, amount: '80' });
  const { address } = await client.sandboxAddress({ currency: 'USDT_ERC20' });
  await until('the money to be in the wallet', 60_000, async () => {
    const { data } = await api.ask('GET', '/wallet', {}, known);
    return (data as { available: string }[]).some(({ available }) => available.startsWith('80'));
  });
  return { currency: 'USDT', rail: 'evm', ...(await confirmed({}, address)) };
}

/** Returns the input of a withdrawal of 50 USDT with the code that was mailed for it. */
async function confirmed(from: Fields, address = `0x${'1'.repeat(40)}`): Promise<Fields> {
  const request = { amount: '50.00', to: { address } };
  const quote = { currency: 'USDT', rail: 'evm', ...request, ...from };
  const { data } = await api.ask('POST', '/wallet/withdraw-quote', quote, { ...known, isGood: true });
  const about = (data as { confirmation: string }).confirmation;
  await api.ask('POST', '/user/email/get-otp', { purpose: 'money_out', about }, { ...known, isGood: true });
  return { ...request, otp: await newCode() };
}

/** Returns an ID token of the sandbox's Google for a new person. */
async function googleShows(): Promise<Fields> {
  const { data } = await api.ask('POST', '/google/nonce', {}, { isGood: true });
  const { nonce, nonce_key } = data as { nonce: string; nonce_key: string };
  const answer = await fetch(`${system.url}/sandbox/google/select`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'kurs-sandbox.apps.example', origin: system.url, nonce, email: freshEmail() }),
  });
  return { token_id: /"credential":"([^"]+)"/.exec(await answer.text())?.[1] ?? '', nonce_key, two_factor_code: '' };
}

for (const { call, isOwn = false, good, wrong = {}, says = [], isList, status = 200, bytes, learn, refused } of ROWS)
  test(call, async () => {
    const [method, path] = call.split(' ') as ['GET' | 'POST', string];
    const as = isOwn ? { token: known.token } : {};
    if (isOwn) {
      const stranger = await api.ask(method, path, {}, bytes ? { bytes } : {});
      assert.deepEqual([stranger.status, stranger.code], [401, 'unauthorised']);
    }
    for (const [what, input] of Object.entries(wrong)) {
      const answer = await api.ask(method, path, input, as);
      if (what.startsWith(':')) assert.equal(answer.code, what.slice(1), answer.text);
      else assert.deepEqual([answer.status, Object.keys(answer.errors)], [422, [what]], answer.text);
    }
    const answer = await api.ask(method, path, await good(), { ...as, isGood: true, ...(bytes && { bytes }) });
    if (refused !== undefined) return assert.equal(answer.code, refused, answer.text);
    assert.equal(answer.status, status, answer.text);
    for (const field of says) assert.ok(field in (answer.data as object), `${field} is missing: ${answer.text}`);
    if (isList) {
      assert.deepEqual(Object.keys(answer.meta as object).toSorted(), ['current_page', 'last_page', 'per_page', 'total']);
      assert.ok(Array.isArray(answer.data));
    }
    learn?.(answer.data as never);
  });

test('the whole table was called, and after sign-out the session opens nothing', async () => {
  const walked = new Set(ROWS.map(({ call }) => call.split(' ')[1]));
  assert.deepEqual(
    TABLE.filter((path) => !walked.has(path)),
    [],
  );
  assert.equal((await api.ask('GET', '/user/info', {}, known)).status, 401);
});
