import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowedBy, isOfDesk } from '../permissions.ts';
import type { Route } from '../route.ts';
import { routes } from '../routes/index.ts';
import { openapi, openapiOfDesk } from './openapi.ts';

type Document = {
  openapi: string;
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>;
  components: { schemas: Record<string, unknown> };
};

const described = { name: 'Kurs', url: 'http://127.0.0.1:3000', clients: ['web'], isSandbox: true };
const document = openapi({ ...described, webhooks: {} }) as Document;
const ofDesk = openapiOfDesk(described) as Document;

const callsIn = ({ paths }: Document): string[] =>
  Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
const namesOf = (isWanted: (route: Route) => boolean): string[] =>
  Object.entries<Route>(routes).flatMap(([name, route]) => (isWanted(route) ? [name] : []));

test('every route is documented once, under its name, and those of the desk apart', () => {
  assert.equal(document.openapi, '3.1.0');
  const names = callsIn(document);
  // Down- and uploads are no calls of the client.
  const others = [
    'orderExport',
    'transactionExport',
    'affiliateStatisticsExport',
    'storeEntryExport',
    'storeInvoiceExport',
    'storePaymentExport',
    'storeRefundExport',
    'accountExport',
    'avatarUpload',
    'avatar',
    'storeLinkPictureUpload',
    'storeLinkPicture',
    'storeMarkUpload',
    'storeMark',
    'ticketFile',
  ];
  const calls = names.filter((name) => !others.includes(name));
  assert.ok(others.every((name) => names.includes(name)));
  assert.deepEqual(calls.sort(), namesOf((route) => !isOfDesk(route)).sort());
  assert.deepEqual(callsIn(ofDesk).sort(), namesOf(isOfDesk).sort());
  assert.equal(new Set(names).size, names.length);
});

test('every reference points at a component', () => {
  for (const one of [document, ofDesk]) {
    const text = JSON.stringify(one);
    const used = new Set([...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1] as string));
    for (const name of used) assert.ok(one.components.schemas[name], `${name} is referred to and missing`);
    assert.ok(used.has('Order') && used.has('Problem'));
    assert.doesNotMatch(text, /\$defs/);
  }
});

test('what a call can answer is documented', () => {
  const codesOf = (path: string, method: string) => {
    const operation = document.paths[`/api/v1${path}`]?.[method];
    const responses = (operation?.responses ?? {}) as Record<string, { description: string }>;
    return new Set(
      Object.entries(responses).flatMap(([status, { description }]) =>
        [...description.matchAll(/`([a-z_]+)`/g)].map(([, code]) => `${status} ${code}`),
      ),
    );
  };
  const placing = codesOf('/calculation/process-order', 'post');
  for (const told of [
    '403 unknown_client',
    '405 method_not_allowed',
    '409 idempotency_in_flight',
    '413 payload_too_large',
    '415 unsupported_media_type',
    '422 idempotency_mismatch',
    '422 validation',
    '429 rate_limited',
    '409 calculation_used',
  ])
    assert.ok(placing.has(told), told);
  const looking = codesOf('/calculation', 'get');
  assert.ok(
    looking.has('403 unknown_client') && !looking.has('413 payload_too_large') && !looking.has('409 idempotency_in_flight'),
  );
  assert.ok(!codesOf('/sandbox/mine', 'post').has('403 unknown_client'));
  for (const [name, route] of Object.entries<Route>(routes))
    if (allowedBy(route).some((one) => one.startsWith('user: ') || one.startsWith('key: ')))
      assert.ok(codesOf(route.path.replace(/:([a-z_]+)/g, '{$1}'), route.method.toLowerCase()).has('403 forbidden'), name);
  const downloads = Object.keys(document.paths).filter((path) => path.startsWith('/api/v1/export/'));
  for (const path of downloads)
    assert.equal(codesOf(path.slice('/api/v1'.length), 'get').has('403 forbidden'), path.includes('/store-'), path);
});

test('every confirmation code documents its form, and the call and purpose that mail it', () => {
  type Schema = { $ref?: string; description?: string; properties?: Record<string, Schema> };
  const whole = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : ((document.components.schemas[schema.$ref.split('/').at(-1) as string] ?? {}) as Schema);
  const told = new Map<string, string>();
  for (const operations of Object.values(document.paths))
    for (const operation of Object.values(operations)) {
      const { operationId, requestBody } = operation as typeof operation & {
        requestBody?: { content: Record<string, { schema: Schema }> };
      };
      const properties = whole(requestBody?.content['application/json']?.schema ?? {}).properties ?? {};
      for (const name of ['otp', 'new_otp', 'two_factor_code'] as const) {
        const field = properties[name];
        if (field) told.set(`${operationId} ${name}`, field.description ?? whole(field).description ?? '');
      }
    }
  const paths = new Set<string>(Object.values(routes).map(({ path }) => path));
  for (const [field, description] of told) {
    assert.ok(description.length > 20, field);
    for (const [, path = ''] of description.matchAll(/`(\/[a-z/-]+)`/g)) assert.ok(paths.has(path), `${field}: ${path}`);
    if (field.endsWith('otp')) assert.match(description, /mailed by `\/[a-z/-]+get-otp`.*Valid once/, field);
  }
  for (const name of ['processOrder', 'walletWithdrawRequest', 'walletTransfer', 'walletWithdrawVoucher', 'walletAllowList'])
    assert.match(told.get(`${name} otp`) ?? '', /`purpose` `money_out` and as `about` (what|the)/, name);
});

test('live mode does not document the sandbox', () => {
  const live = openapi({ name: 'Kurs', url: 'https://kurs.example', clients: ['web'], isSandbox: false, webhooks: {} });
  assert.doesNotMatch(JSON.stringify(live), /api\/v1\/sandbox/);
});
