// Calls with an Idempotency-Key whose process dies after the commit: the repeated call gets the answer, and nothing is done twice.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { routes } from '@kurs/contract';
import { keepOpeners, newHolder } from '../../auth/testing.ts';
import { queuedLetters } from '../../deliveries/testing.ts';
import { accounts, balance } from '../../ledger/index.ts';
import { type Context, type Db, type StoredAnswer, type Tx, secretHash } from '../../platform/index.ts';
import { freely, openIdempotency, refusal, testSealer } from '../../platform/testing.ts';
import { APPLICATION } from '../businesses/businesses.testing.ts';
import { businessRoutes } from '../businesses/routes.ts';
import { invoiceRoutes } from '../invoice-routes.ts';
import { refundSecret } from '../refunds/refund-secret.ts';
import { keyRoutes } from '../keys/routes.ts';
import { linkRoutes } from '../link-routes.ts';
import { memberRoutes } from '../members/routes.ts';
import { refundRoutes } from '../refunds/routes.ts';
import { storeRoutes } from '../stores/routes.ts';
import { webhookRoutes } from '../webhooks/routes.ts';
import { type RefundWorld, openRefundWorld, usdt } from './refund-world.testing.ts';

let world: RefundWorld;
/** The database, of which nothing is read or written beside an open transaction: that would wait for a second connection. */
let db: Db;
let refunds: ReturnType<typeof refundRoutes>;
let invoices: ReturnType<typeof invoiceRoutes>;
before(async () => {
  world = await openRefundWorld();
  db = withoutSecond(world.db);
  refunds = refundRoutes({ db, sender: world.sender });
  invoices = invoiceRoutes({ db, sender: world.sender, sealer: testSealer });
});
after(() => world.close());

function withoutSecond(own: Db): Db {
  let isOpen = false;
  const apart =
    <A extends readonly unknown[], R>(work: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      assert.equal(isOpen, false, 'a transaction is open');
      return work(...given);
    };
  const tx = async (work: (tx: Tx) => Promise<unknown>, options?: never): Promise<unknown> => {
    isOpen = true;
    return own.tx(work, options).finally(() => {
      isOpen = false;
    });
  };
  const changed = { tx: apart(tx), rows: apart(own.rows), row: apart(own.row), run: apart(own.run), now: apart(own.now) };
  return Object.assign(Object.create(own) as Db, changed);
}

/** Session of the calls. */
const SESSION = '01a22d43-0000-7000-8000-000000000001';

/** Returns the context of a call by the store's owner, or by another account holder. */
const ownersContext = (storedAnswer?: (given: unknown) => StoredAnswer, id = world.store.holderId): Context =>
  ({
    ...{
      db: world.db,
      locale: 'en',
      ip: '203.0.113.9',
      deviceKey: 'd',
      user: { id, email: 'ann@example.org', sessionId: SESSION },
      ...freely,
    },
    ...{ principal: { kind: 'user', id, grants: [] }, ...(storedAnswer && { storedAnswer }) },
  }) as unknown as Context;

/** Makes a call in a process that dies before it answers, then repeats it in another process. Returns both answers. */
async function twice<A>(
  key: string,
  work: (context: Context) => Promise<A>,
  by = world.store.holderId,
): Promise<readonly [dead: A, repeated: A]> {
  const call = { scope: `user ${by}`, key, request: key };
  const dead = await new Promise<A>((resolve, reject) => {
    void openIdempotency(world.db, testSealer)(call, async (_repeated, stored) => {
      await work(ownersContext((given) => stored(JSON.stringify(given)), by)).then(resolve, reject);
      return new Promise(() => {});
    });
  });
  const again = openIdempotency(world.db, testSealer)(call, () => Promise.reject(new Error('it was done already')));
  return [dead, JSON.parse(await again) as A];
}

test('a refund whose answer is lost is made once, and takes its sum once', async () => {
  const before = await balance(world.db, accounts.merchant(world.store.id, 'USDT'));
  const [dead, repeated] = await twice('a refund', (context) =>
    refunds.refundMake({ store: world.store.id, amount: '50.00', currency: 'USDT' }, context),
  );
  assert.deepEqual(repeated, dead);
  assert.match(repeated.url ?? '', /token=/);
  assert.equal(before - (await balance(world.db, accounts.merchant(world.store.id, 'USDT'))), usdt('50'));
  assert.deepEqual(await world.prove(), []);
});

test('a part of a refund whose claim is not answered is claimed once', async () => {
  const refund = await world.refund({ amount: '40.00', currency: 'USDT' });
  const input = { id: refund.id, token: refundSecret(world.sender.tokens, refund.id), amount: '10.00', method: 'USDT_ERC20' };
  const to = world.rails.USDT_ERC20.receiver();
  const [dead, repeated] = await twice('a claim', (context) => refunds.refundClaim({ ...input, to }, context));
  assert.deepEqual(repeated, dead);
  const { refund: now, claims } = await world.look(refund);
  assert.deepEqual([claims.length, now.rests], [1, [{ unit: 'USDT', parts: usdt('30') }]]);
  assert.deepEqual(await world.prove(), []);
});

test('a webhook whose answer is lost is made once, and its secret is answered again', async () => {
  assert.equal(routes.storeWebhookMake.isIdempotent, true);
  const webhooks = webhookRoutes({ db, webhooks: testSealer, privateOrigin: '' });
  const input = { store: world.store.id, url: 'https://shop.example.com/hook', body: 'kurs' } as const;
  const [dead, repeated] = await twice('a webhook', (context) => webhooks.storeWebhookMake(input, context));
  assert.deepEqual(repeated, dead);
  assert.match(repeated.secret, /^whsec_/);
  assert.equal((await webhooks.storeWebhooks({ store: world.store.id }, ownersContext())).length, 1);
});

test('a key whose answer is lost is made once, and is answered again', async () => {
  // A session that is younger than ten minutes asks for no code.
  await world.db.run(
    `insert into session (id, holder_id, token_hash, device, ip, created_at, seen_at)
     values ($1, $2, $3, 'x', '127.0.0.1', clock_now(), clock_now())`,
    [SESSION, world.store.holderId, secretHash('session', SESSION)],
  );
  await keepOpeners(world.db);
  const keys = keyRoutes({ db, sender: world.sender, mode: 'sandbox' });
  const input = { store: world.store.id, name: 'shop', permissions: ['invoices.read' as const], networks: [], days: 30 };
  const [dead, repeated] = await twice('a key', (context) => keys.storeKeyMake(input, context));
  assert.deepEqual(repeated, dead);
  assert.match(repeated.key, /^kurs_/);
  const rows = await world.db.rows('select from api_key');
  assert.equal(rows.length, 1);
});

test('a link whose answer is lost is made once', async () => {
  const links = linkRoutes({ db, sender: world.sender });
  const input = { store: world.store.id, title: 'Ticket', currency: 'USD', amount: '20' };
  const [dead, repeated] = await twice('a link', (context) => links.storeLinkMake(input, context));
  assert.deepEqual(repeated, dead);
  assert.equal((await links.storeLinks({ store: world.store.id }, ownersContext())).length, 1);
});

test('a store whose answer is lost is made once', async () => {
  const stores = storeRoutes({ db });
  const input = { kind: 'test', name: 'Trial', invoice_currency: 'USD', settlement_currency: 'BTC' } as const;
  const [dead, repeated] = await twice('a store', (context) => stores.storeMake(input, context));
  assert.deepEqual([repeated, repeated.role], [dead, 'owner']);
  assert.equal((await world.db.rows('select from store where name = $1', ['Trial'])).length, 1);
});

test('an invitation whose answer is lost is sent once', async () => {
  const members = memberRoutes({ db, sender: world.sender });
  const input = { store: world.store.id, email: 'new@example.org', role: 'manager' } as const;
  const [dead, repeated] = await twice('an invitation', (context) => members.storeInvite(input, context));
  assert.deepEqual(repeated, dead);
  assert.equal((await queuedLetters(world.db, { to: 'new@example.org' })).length, 1);
});

test('an application whose answer is lost is stored once', async () => {
  const businesses = businessRoutes({ db, sender: world.sender });
  const by = await newHolder(world.db);
  const [dead, repeated] = await twice('an application', (context) => businesses.businessApply(APPLICATION, context), by);
  assert.deepEqual([repeated, repeated.state], [dead, 'applied']);
});

const listed = async (orderId: string): Promise<number> => {
  const rows = await world.db.rows('select from invoice where order_id = $1', [orderId]);
  return rows.length;
};
const wanted = (order_id: string, method?: string) => ({
  ...{ store: world.store.id, amount: '20.00', lines: [], metadata: {}, order_id },
  ...(method !== undefined && { method }),
});

test('an invoice whose answer is lost is made once, with the payment option that was wanted', async () => {
  const [dead, repeated] = await twice('an invoice', (context) => invoices.invoiceMake(wanted('A-1', 'BTC'), context));
  assert.deepEqual(repeated, dead);
  const { option } = repeated;
  assert.deepEqual([option?.method, typeof option?.address, typeof option?.amount], ['BTC', 'string', 'string']);
  assert.ok(option?.uri !== undefined && Date.parse(option.expires_at) > Date.parse(repeated.created_at));
  assert.deepEqual(
    repeated.events.map(({ event }) => event),
    ['created', 'option_chosen'],
  );
  assert.equal(await listed('A-1'), 1);
});

test('an invoice whose wanted method is closed is not made at all, and told to nobody', async () => {
  await world.change({ methods: ['USDT_ERC20', 'PAYEER_USD'] });
  assert.equal(await refusal(() => invoices.invoiceMake(wanted('A-2', 'BTC'), ownersContext())), 'method_closed');
  assert.equal(await refusal(() => invoices.invoiceMake(wanted('A-2', 'NOPE'), ownersContext())), 'method_closed');
  assert.equal(await listed('A-2'), 0);
  await world.change({ methods: undefined });
});
