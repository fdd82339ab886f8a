// No value in any field of any call makes the server answer that it failed.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PERMISSIONS, Problem, type Route, isFor, routes } from '@kurs/contract';
import { z } from 'zod';
import { writeHolderMacs } from '../../auth/testing.ts';
import { OWNERS } from '../../assembly/index.ts';
import { watchOwners } from '../../collecting/index.ts';
import { type World, openWorld } from '../../exchange/testing.ts';
import { type Context, type Server, buildServer, newId } from '../../platform/index.ts';
import { freely, testSealer } from '../../platform/testing.ts';
import { watchChats } from '../../support/index.ts';
import { watchAccounts } from '../../accounts/index.ts';
import { mountRooms } from './mount-rooms.ts';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

const EMAIL = 'ann@example.org';
const HOLDER = { id: newId(), email: EMAIL, isEmailVerified: true, sessionId: newId() };
/** People of the desk, used in turn. */
const PEOPLE = (['operator', 'compliance'] as const).map((role) => ({ id: newId(), name: role, role, permissions: PERMISSIONS }));
let world: World;
let server: Server;
let close: () => Promise<void>;
/** Existing rows: values of a valid call, by the name of the field. */
let known: Record<string, string[]>;
let request = 0;

before(async () => {
  world = await openWorld();
  const { db, deps } = world;
  await db.run(
    `insert into account_holder (id, email, email_key, email_verified_at, locale, created_at) values ($1, $2, $2, clock_now(), 'en', clock_now())`,
    [HOLDER.id, EMAIL],
  );
  await writeHolderMacs(db);
  const placed = await world.place({ email: EMAIL });
  const calculation = await world.calculate();
  known = {
    id: [placed.number, calculation.id],
    order_id: [placed.number],
    token: [world.token(placed), calculation.token],
    address: [String(world.rails.BTC.receiver()['address']), String(world.rails.USDT_ERC20.receiver()['address'])],
    to: ['USDT_ERC20'],
    from: ['BTC', '0'],
    slug: ['btc-usdt-erc20'],
    rail: ['bitcoin'],
    place: [placed.payTo ?? ''],
  };
  const watches = { owners: watchOwners(db, OWNERS), accounts: watchAccounts(db, OWNERS), chats: watchChats(db) };
  server = buildServer({
    config: { KURS_MODE: 'sandbox', KURS_CLIENTS: ['web'], KURS_STRICT_LIMITS: false, TRUST_PROXY: [] },
    db,
    sealer: testSealer,
    authenticate: { user: async () => HOLDER, operator: async () => PEOPLE[request % PEOPLE.length] },
  });
  mountRooms(server, {
    ...{ db, mode: 'sandbox', build: 'x', sender: deps.sender, receipts: deps.receipts, owners: OWNERS, watches },
    ...{ vouchers: testSealer, factors: testSealer, webhooks: testSealer, privateWebhooks: '', google: undefined },
  });
  for (const { id, name, role } of PEOPLE)
    await db.run(
      `insert into operator (id, name, role, key_hash, created_at, key_since) values ($1, $2, $3, $4, clock_now(), clock_now())`,
      [id, name, role, Buffer.from(name)],
    );
  await server.call(routes.walletStore, { currency: 'BTC' }, contextOf());
  close = async () => {
    await server.close();
    await Promise.all([...watches.owners.values(), watches.accounts, watches.chats].map((watch) => watch.stop()));
    await world.close();
  };
});
after(() => close());

/** Texts of each kind that some program interprets as something else. */
const TEXTS = [
  ...[
    '',
    ' ',
    "'",
    '"',
    '\\',
    '%',
    '%00',
    "';--",
    '\u0000',
    '\uD800',
    '\u202E',
    '😀',
    'ﬀ',
    'İ',
    '\n',
    '../../..',
    '${7*7}',
    '{{7}}',
  ],
  ...['0', '-1', '1', '1e309', '1e-7', '0x10', 'NaN', 'Infinity', '1.0000000000000000001', '9'.repeat(18), '9'.repeat(38)],
  ...[`${'9'.repeat(38)}.${'9'.repeat(18)}`, '0.000000000000000001', '2147483648', '9223372036854775808', '99.9999', '99'],
  ...['null', 'true', '[]', '{}', '__proto__', 'constructor', 'toString', 'infinity', 'now', 'epoch', '\\x00'],
  ...[
    '0000-01-01',
    '0001-01-01',
    '2026-02-30',
    '9999-12-31',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
    '2026-12-31T23:59:60Z',
  ],
  ...[
    '00000000-0000-0000-0000-000000000000',
    'KX-0000-0000',
    'TK-0000-0000',
    'A'.repeat(43),
    'BTC',
    'XXX',
    'WALLET',
    'x'.repeat(70_000),
  ],
  ...['a@b.co', `${'a'.repeat(64)}@${'b'.repeat(180)}.org`, `bitcoin:${'x'.repeat(1_900)}`, '1'.repeat(1_999)],
];
const OTHERS: Json[] = [
  null,
  true,
  false,
  0,
  -1,
  1,
  1.5,
  1e21,
  2 ** 53,
  1e308,
  [],
  [null],
  ['x'],
  [[]],
  {},
  { x: 1 },
  { toString: 'x' },
];
/** Codes for an unavailable external service. */
const OF_OTHERS: ReadonlySet<string> = new Set(['rates_unavailable', 'google_unavailable', 'bot_check_unavailable']);

test('refuses a body that has a field twice, in any spelling', async () => {
  const send = (payload: string) =>
    server.app.inject({
      method: 'POST',
      url: '/api/v1/calculation/step1',
      headers: { 'content-type': 'application/json' },
      payload,
    });
  for (const duplicate of ['"amount":"1","amount":"2"', '"amount":"1","\\u0061mount":"2"', '"receive":{"a":"1","a":"2"}']) {
    const refused = await send(`{"from":"BTC","to":"USDT_ERC20",${duplicate}}`);
    assert.equal(refused.statusCode, 422, duplicate);
    assert.match((refused.json() as { errors: { body: string[] } }).errors.body[0] ?? '', /twice/, duplicate);
  }
  assert.equal((await send('{"from":"BTC","to":"USDT_ERC20","amount":"0.01"}')).statusCode, 200);
});

test('every call refuses a body nested deeper than 64 levels, with and without an Idempotency-Key', async () => {
  const deep = '['.repeat(5_000) + ']'.repeat(5_000);
  const calls = (Object.values(routes) as Route[]).filter(({ method }) => method !== 'GET');
  for (const { method, path } of calls)
    for (const keyed of [{}, { 'idempotency-key': newId() }]) {
      const headers = { 'client-id': 'web', authorization: 'Bearer shown', 'content-type': 'application/json', ...keyed };
      const url = `/api/v1${path}`;
      const refused = await server.app.inject({ method, url, headers, payload: `{"from":"BTC","x":${deep}}` });
      assert.equal(refused.statusCode, 422, path);
      assert.match((refused.json() as { errors: { body: string[] } }).errors.body[0] ?? '', /64 levels/, path);
    }
});

test('a HEAD request changes no table', async () => {
  const ticket = await unconfirmedTicket();
  const before = await rowsOfAll();
  await server.app.inject({ method: 'HEAD', url: `/api/v1/support/ticket?${new URLSearchParams(ticket).toString()}` });
  const heads = (Object.values(routes) as Route[]).filter(({ method, hasEffect }) => method === 'GET' && !hasEffect);
  for (const route of heads.filter((one) => !isFor(one, 'sandbox'))) {
    const sample = sampleOf(route.input) as Record<string, string>;
    // Each call is tried without optional fields, and once with each of them.
    for (const [field] of [[], ...pathsOf(route.input)]) {
      const input = { ...sample, ...(field !== undefined && { [field]: String(sampleOf(fieldOf(route.input, field), field)) }) };
      const url = `/api/v1${route.path}?${new URLSearchParams(input).toString()}`;
      await server.app.inject({ method: 'HEAD', url, headers: { 'client-id': 'web', authorization: 'Bearer shown' } });
    }
  }
  const after = await rowsOfAll();
  assert.deepEqual(
    Object.keys(after).filter((table) => after[table] !== before[table]),
    [],
  );
});

/** Opens a ticket that still has to be confirmed; returns its link. */
async function unconfirmedTicket(): Promise<{ id: string; token: string }> {
  const input = { ...(sampleOf(routes.ticketOpen.input) as object), email: EMAIL };
  const { id } = (await server.call(routes.ticketOpen, input, { ...contextOf(), bearer: undefined })) as { id: string };
  const row = await world.db.row<{ id: string; status: string }>('select id, status from support_thread where number = $1', [id]);
  assert.equal(row?.status, 'unconfirmed');
  return { id, token: world.deps.sender.tokens.make('ticket', row.id, 1) };
}

/** Returns a digest of each table's rows. */
async function rowsOfAll(): Promise<Record<string, string>> {
  const tables = await world.db.rows<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  const digests = tables.map(
    ({ name }) =>
      `select '${name}' as name, md5(coalesce(string_agg(t::text, '' order by t::text), '')) as rows from "${name}" t`,
  );
  const found = await world.db.rows<{ name: string; rows: string }>(digests.join(' union all '));
  return Object.fromEntries(found.map(({ name, rows }) => [name, rows]));
}

test('no value in any field makes a call fail on our side', async () => {
  const failures: string[] = [];
  for (const [name, route] of Object.entries(routes) as [string, Route][]) {
    if (isFor(route, 'sandbox')) continue;
    for (const path of pathsOf(route.input)) {
      for (const value of requestedOf(name, route, path)) {
        const failure = await failureOf(route, inputWith(route.input, path, value));
        request += 1;
        if (failure) failures.push(`${name} ${path.join('.')} ${JSON.stringify(value).slice(0, 60)}: ${failure}`);
      }
    }
  }
  assert.ok(request > 4_000, String(request));
  assert.deepEqual(failures, []);
});

/** Slow calls (a password is hashed), of which only every n-th value is tried. */
const EACH: Readonly<Record<string, number>> = { login: 6 };
/** Number of values refused by the schema that are tried: the refusal is the same for all. */
const REFUSED = 3;

/** Returns the values to try in a field: all that its schema accepts, and a few that it refuses. */
function requestedOf(name: string, { method, input }: Route, path: readonly string[]): Json[] {
  const values: Json[] = method === 'GET' ? [...TEXTS, ['x', 'y'], ["'"]] : [...TEXTS, ...OTHERS];
  const isTaken = (value: Json): boolean => input.safeParse(inputWith(input, path, value)).success;
  const taken = values.filter(isTaken);
  const refused = values.filter((value) => !taken.includes(value));
  const each = EACH[name] ?? 1;
  return [...taken.filter((_value, at) => at % each === 0), ...refused.slice(0, REFUSED)];
}

/** Returns the internal failure of a call; undefined if it answers, or refuses with a problem. */
async function failureOf(route: Route, input: Json): Promise<string | undefined> {
  try {
    await server.call(route, input, contextOf());
  } catch (error) {
    if (!(error instanceof Problem)) return error instanceof Error ? `${error.name} ${error.message}` : String(error);
    if (error.status >= 500 && !OF_OTHERS.has(error.code)) return `${error.code} ${String(error.details.cause ?? '')}`;
  }
  return undefined;
}

const contextOf = (): Context => ({
  ...{ db: world.db, locale: 'en', clientId: 'web', ip: '203.0.113.9', deviceKey: 'd', userAgent: '', bearer: 'shown' },
  ...freely,
});

/** Definition of a schema of any kind. */
interface Def {
  readonly type: string;
  readonly shape: Readonly<Record<string, z.ZodType>>;
  readonly innerType?: z.ZodType;
  readonly element: z.ZodType;
  readonly valueType: z.ZodType;
  readonly options: readonly [z.ZodType];
  readonly in: z.ZodType;
  readonly entries: Readonly<Record<string, string>>;
  readonly values: readonly Json[];
}
const defOf = (schema: z.ZodType): Def => schema._zod.def as unknown as Def;

/** Returns the inner schema of an optional, a default, a union or a pipe. */
function bare(schema: z.ZodType): z.ZodType {
  const { type, innerType, options, in: from } = defOf(schema);
  const inner = type === 'union' ? options[0] : type === 'pipe' ? from : innerType;
  return inner ? bare(inner) : schema;
}

/** Returns the paths of all values of an input. */
function pathsOf(given: z.ZodType, path: readonly string[] = []): string[][] {
  const { type, shape, element, valueType } = defOf(bare(given));
  if (type === 'object') return Object.entries(shape).flatMap(([name, part]) => pathsOf(part, [...path, name]));
  if (type === 'array') return [[...path], ...pathsOf(element, [...path, '0'])];
  if (type === 'record') return [[...path], ...pathsOf(valueType, [...path, 'address'])];
  return [[...path]];
}

const fieldOf = (schema: z.ZodType, field: string): z.ZodType => defOf(bare(schema)).shape[field] as z.ZodType;

/** Returns a valid input with one value replaced. The objects around that value exist even if they are optional. */
function inputWith(given: z.ZodType, [first, ...rest]: readonly string[], value: Json): Json {
  if (first === undefined) return value;
  const schema = bare(given);
  const { type, shape, element, valueType } = defOf(schema);
  if (type === 'array') return [inputWith(element, rest, value)];
  if (type === 'record') return { [first]: inputWith(valueType, rest, value) };
  return { ...(sampleOf(schema) as { [name: string]: Json }), [first]: inputWith(shape[first] as z.ZodType, rest, value) };
}

/** Returns a value that the schema accepts. */
function sampleOf(given: z.ZodType, name = ''): Json {
  const schema = bare(given);
  const { type, shape, element, entries, values } = defOf(schema);
  switch (type) {
    case 'object': {
      const needed = Object.entries(shape).filter(([, part]) => !part.safeParse(undefined).success);
      return Object.fromEntries(needed.map(([field, part]) => [field, sampleOf(part, field)]));
    }
    case 'array':
      return [sampleOf(element, name)];
    case 'record':
      return { address: known['address']?.[0] ?? '' };
    case 'enum':
      return Object.values(entries)[0] ?? null;
    case 'literal':
      return values[0] ?? null;
    case 'boolean':
      return true;
    case 'string':
      return [...(known[name] ?? []), ...RIGHT].find((text) => schema.safeParse(text).success) ?? '';
    default:
      return 1;
  }
}
const RIGHT = [
  ...[
    'BTC',
    '1',
    '0.01',
    EMAIL,
    '123456',
    '2026-01-01',
    '2026-01-01T00:00:00Z',
    'bitcoin',
    'a right password of Ann',
    'KX-7F3Q-2M8C',
  ],
  ...['TK-7F3Q-2M8C', newId(), 'A'.repeat(43), 'a'.repeat(64), 'some words of mine'],
];
