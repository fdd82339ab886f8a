/**
 * Answers of the API about businesses and stores, for tests of pages. The samples are an account's business, stores in each role
 * and of each kind, members and keys.
 */
import type { Output, RouteName, Routes } from '@kurs/contract';
import { CallError, type Transport } from '@kurs/contract/client';
import { STORE_ROLES, type StoreRole } from '../../../contract/permissions.ts';
import { soon } from '../status.ts';
import { stubTransport } from '../stub.ts';

type Business = NonNullable<Output<Routes['business']>['business']>;
type OwnStore = Output<Routes['stores']>['stores'][number];
type Members = Output<Routes['storeMembers']>;
type StoreKeys = Output<Routes['storeKeys']>;

const DAY_SECONDS = 86_400;
const idOf = (number: number): string => `0199a7d2-7a3e-7c10-9f00-${String(number).padStart(12, '0')}`;

/** Returns the sample business in a state. A refused one has a note of the desk. */
export const businessIn = (state: Business['state'], now: Date): Business => ({
  id: idOf(1),
  state,
  since: soon(now, -2 * DAY_SECONDS),
  created_at: soon(now, -5 * DAY_SECONDS),
  ...(state === 'refused' && { note: 'The register shows another name.\nSend the extract of this year.' }),
  legal_name: 'Tea and Books d.o.o.',
  registration_number: '21 345 678',
  country: 'RS',
  address: 'Knez Mihailova 1\n11000 Belgrade',
  web_sites: ['https://tea.example.com', 'https://books.example.com'],
  goods: 'Tea in packets and printed books',
  turnover_usd: 25_000,
  owners: [{ name: 'Ann Petrovic', percent: 60 }],
});

/** Returns a sample store of a kind in which the account holder has a role. */
export function storeAs(kind: OwnStore['kind'], role: StoreRole, now: Date): OwnStore {
  const at = 10 + ['business', 'personal', 'test'].indexOf(kind) * 10 + Object.keys(STORE_ROLES).indexOf(role);
  return {
    id: idOf(at),
    kind,
    name: { business: 'Tea shop', personal: 'Ann’s lessons', test: 'Tea shop, trial' }[kind],
    timezone: 'Europe/Belgrade',
    invoice_currency: 'USDT',
    settlement_currency: 'USDT_ERC20',
    ...{ tolerance: '0.5', life_minutes: 1_440, costs_bearer: 'buyer', short_preset: 'give_back', letters: false },
    sites: kind === 'business' ? sitesOf(now) : [],
    takes_reversible: kind === 'test',
    created_at: soon(now, -3 * DAY_SECONDS),
    ...(kind === 'business' && { business_state: 'approved' as const }),
    test: kind === 'test',
    role,
    permissions: [...STORE_ROLES[role]],
  };
}

const sitesOf = (now: Date): OwnStore['sites'] => [
  { site: 'https://tea.example.com', added_at: soon(now, -3 * DAY_SECONDS), struck: false },
  { site: 'https://tea-sale.example.org', added_at: soon(now, -DAY_SECONDS), struck: true },
];

const keyAs = (name: string, hint: string, now: Date): StoreKeys['keys'][number] => ({
  id: idOf(100 + name.length),
  name,
  hint,
  networks: ['203.0.113.0/24'],
  created_at: soon(now, -DAY_SECONDS),
  expires_at: soon(now, 89 * DAY_SECONDS),
  used_at: soon(now, -600),
  permissions: ['invoices.read', 'invoices.create'],
  made_by: 'boris@example.org',
  test: false,
});

const membersOf = (now: Date): Members => ({
  members: [
    { id: idOf(201), email: 'ann@example.org', name: 'Ann Petrovic', role: 'owner', since: soon(now, -DAY_SECONDS), keys: [] },
    {
      ...{ id: idOf(202), email: 'boris@example.org', name: '', role: 'developer', since: soon(now, -DAY_SECONDS) },
      keys: [{ id: idOf(105), name: 'shop', hint: 'kurs_live_9f3A' }],
    },
    { id: idOf(203), email: 'vera@example.org', name: 'Vera', role: 'accountant', since: soon(now, -DAY_SECONDS), keys: [] },
  ],
  invitations: [
    {
      ...{ id: idOf(301), email: 'gleb@example.org', role: 'manager' },
      ...{ invited_at: soon(now, -DAY_SECONDS), expires_at: soon(now, 6 * DAY_SECONDS) },
    },
  ],
  roles: Object.entries(STORE_ROLES).map(([role, permissions]) => ({ role: role as StoreRole, permissions: [...permissions] })),
});

/** Answers of calls by their names. Each gets the call's input. */
export type Answers = { readonly [N in RouteName]?: (input: never) => unknown };

/** Returns the answers of an account of level 1 without a business, with no store and no invitation. */
export function newcomer(now: Date): Answers {
  return {
    business: (): Output<Routes['business']> => ({
      level: 1,
      level_needed: 2,
      countries_refused: ['KP', 'IR'],
      goods_refused: ['Weapons', 'Prescription drugs'],
    }),
    stores: (): Output<Routes['stores']> => ({
      stores: [],
      invitations: [],
      makeable: ['personal', 'test'],
      invoice_currencies: ['USDT', 'BTC', 'ETH'],
      settlement_currencies: ['USDT_ERC20', 'BTC'],
      methods: ['USDT_ERC20', 'BTC', 'PAYPAL_USD'],
      reversible_methods: ['PAYPAL_USD'],
      life_minutes: { least: 15, most: 10_080 },
    }),
    businessApply: () => businessIn('applied', now),
    storeMake: () => storeAs('test', 'owner', now),
    storesOverview: () => overviewAt(now),
    storeMembers: () => membersOf(now),
    storeKeys: (): StoreKeys => ({
      keys: [keyAs('shop', 'kurs_live_9f3A', now)],
      givable: ['invoices.read', 'reports.read', 'invoices.create', 'invoices.manage', 'webhooks.manage'],
    }),
    ...accountOf(now),
  };
}

/** Returns the answers of an account with an approved business, stores of all kinds and roles, and an invitation. */
export function merchant(now: Date): Answers {
  const usual = newcomer(now) as Required<Answers>;
  const roles = ['owner', 'manager', 'developer', 'accountant'] as const;
  return {
    ...usual,
    business: () => ({ ...(usual.business(undefined as never) as object), business: businessIn('approved', now), level: 2 }),
    stores: () => ({
      ...(usual.stores(undefined as never) as object),
      stores: [
        ...roles.map((role) => storeAs('business', role, now)),
        storeAs('personal', 'owner', now),
        storeAs('test', 'owner', now),
      ],
      invitations: [
        { id: idOf(401), store: 'Flowers', role: 'manager', by: 'dora@example.org', expires_at: soon(now, 6 * DAY_SECONDS) },
      ],
      makeable: ['business', 'test'],
    }),
  };
}

/** Returns the sample overview of an account's stores. */
const overviewAt = (now: Date): Output<Routes['storesOverview']> => {
  const days = Array.from({ length: 30 }, (_, at) => ({
    day: soon(now, (at - 29) * DAY_SECONDS).slice(0, 10),
    sum: { amount: at % 4 === 0 ? `${100 + at * 7}.50` : '0.00', currency: 'USD' },
    invoices: at % 4 === 0 ? 2 : 0,
  }));
  const store = storeAs('business', 'owner', now).id;
  return {
    balances: [
      { amount: '1204.15', currency: 'USDT' },
      { amount: '0.01200000', currency: 'BTC' },
    ],
    reserves: [{ amount: '310.45', currency: 'USDT' }],
    waiting: [
      { store, state: 'open', count: 3 },
      { store, state: 'short', count: 1 },
    ],
    sales: { sum: { amount: '1594.00', currency: 'USD' }, invoices: 16, days },
  };
};

/** Answers about the account itself, which the dashboard's frame requests. */
const accountOf = (now: Date): Answers => ({
  userInfo: () => ({ id: idOf(2), email: 'ann@example.org', name: 'Ann', avatar: null, locale: 'en', timezone: 'UTC' }),
  userChanges: () => ({ mark: 'a-mark' }),
  userOrders: () => ({ data: [], meta: { current_page: 1, per_page: 1, last_page: 1, total: 0 } }),
  userNotices: () => ({ notices: [], new: 0, at: now.toISOString() }),
});

/** Returns the stub's transport with these answers. */
export function withAnswers(clock: () => Date, answers: Answers): Transport {
  const stub = stubTransport(clock);
  return async (call) => {
    const answer = answers[call.name as RouteName] as ((input: unknown) => unknown) | undefined;
    return answer ? answer(call.input) : stub(call);
  };
}

/** Returns the API's refusal of a call's fields. */
export const refusal = (errors: Readonly<Record<string, string[]>>): CallError =>
  new CallError(422, { code: 'validation', message: 'One or more fields need fixing.', errors });
