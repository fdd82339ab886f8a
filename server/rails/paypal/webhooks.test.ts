import assert from 'node:assert/strict';
import { X509Certificate, generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { crc32 } from 'node:zlib';
import fastify from 'fastify';
import { makeAuthority } from '../../../sandbox/paypal/certificate.ts';
import { openPaypal } from '../../../sandbox/paypal/index.ts';
import type { Webhook } from '../rail.ts';
import { type Beside, beside, preparedFor } from '../provider/beside.testing.ts';
import { messageOf } from '../provider/messages.testing.ts';
import { Unreachable } from '../provider/index.ts';
import { openBudget } from './budget.ts';
import { chainOf, openCertificates } from './certificates.ts';
import { provider } from './index.ts';
import { trick } from './trick.testing.ts';
import { isSigned } from './webhooks.ts';

const USD = 'PAYPAL_USD';
const vector = JSON.parse(readFileSync(new URL('fixtures/message.json', import.meta.url), 'utf8')) as Record<string, string> & {
  id: string;
  time: string;
  signature: string;
  webhook: string;
  raw: string;
  root: string;
  intermediate: string;
  leaf: string;
  issuedByLeaf: string;
};

describe('paypal: a signature made by another program', () => {
  const { publicKey } = new X509Certificate(vector.leaf);
  const message = { ...vector, raw: Buffer.from(vector.raw) };

  it('is valid for id, time, webhook and the unsigned checksum of the bytes', () => {
    assert.equal(String(crc32(vector.raw)), vector['crc32']);
    assert.ok(crc32(vector.raw) > 2 ** 31, 'a signed number would differ');
    assert.equal(isSigned(publicKey, vector.webhook, message), true);
  });

  it('is invalid for any other value', () => {
    const others = [
      ['webhook', isSigned(publicKey, 'WEBHOOKVECTOR0002', message)],
      ['id', isSigned(publicKey, vector.webhook, { ...message, id: message.id.replace('6', '7') })],
      ['time', isSigned(publicKey, vector.webhook, { ...message, time: '2026-11-22T12:00:01Z' })],
      ['body', isSigned(publicKey, vector.webhook, { ...message, raw: Buffer.from(`${vector.raw} `) })],
      [
        'body serialized again',
        isSigned(publicKey, vector.webhook, { ...message, raw: Buffer.from(JSON.stringify(JSON.parse(vector.raw))) }),
      ],
      ['key', isSigned(new X509Certificate(vector.root).publicKey, vector.webhook, message)],
      ['kind of key', isSigned(generateKeyPairSync('ed25519').publicKey, vector.webhook, message)],
    ] as const;
    for (const [what, holds] of others) assert.equal(holds, false, what);
  });
});

describe('paypal: queries about messages', () => {
  it('are limited per period, and allowed again in the next one', () => {
    let at = 0;
    const mayAsk = openBudget(2, 1_000, () => at);
    assert.deepEqual([mayAsk(), mayAsk(), mayAsk()], [true, true, false]);
    at = 999;
    assert.equal(mayAsk(), false);
    at = 1_000;
    assert.deepEqual([mayAsk(), mayAsk(), mayAsk()], [true, true, false]);
  });
});

describe('paypal: certificates', () => {
  const root = new X509Certificate(vector.root);
  const name = 'messages.vector.example';

  it('are trusted by a chain to a trusted authority', () => {
    assert.ok(chainOf(vector.leaf + vector.intermediate, name, [root]));
    assert.ok(chainOf(vector.leaf + vector.root + vector.intermediate, name, [root]));
  });

  it('are not trusted otherwise', () => {
    const own = makeAuthority(name);
    const cases: Record<string, X509Certificate | undefined> = {
      'no chain': chainOf(vector.leaf, name, [root]),
      'another name': chainOf(vector.leaf + vector.intermediate, 'messages.example', [root]),
      'another authority': chainOf(own.certificate, name, [root]),
      'its own authority in the same file': chainOf(own.certificate + own.root, name, [root]),
      'an issuer that may not issue': chainOf(vector.issuedByLeaf + vector.leaf + vector.intermediate, name, [root]),
      'no certificate': chainOf('hello', name, [root]),
    };
    for (const [why, found] of Object.entries(cases)) assert.equal(found, undefined, why);
    const fresh = new X509Certificate(own.root);
    assert.ok(chainOf(own.certificate, name, [fresh]));
    const expired = makeAuthority(name, Date.now() - 11 * 365 * 86_400_000);
    assert.equal(chainOf(expired.certificate, name, [new X509Certificate(expired.root)]), undefined, 'an expired certificate');
  });

  it('are fetched once, and trusted only by the configured authorities', async (t) => {
    let request = 0;
    const site = fastify({ forceCloseConnections: true });
    t.after(() => site.close());
    site.get('/certs/:name', async ({ params }, reply) => {
      request += 1;
      if ((params as { name: string }).name === 'none') return reply.code(404).send();
      return reply.send(vector.leaf + vector.intermediate);
    });
    await site.listen({ host: '127.0.0.1', port: 0 });
    const from = `http://127.0.0.1:${(site.server.address() as AddressInfo).port}/certs/`;
    const trusting = openCertificates({ from: [from], name, roots: [vector.root] });
    assert.equal((await trusting.keyAt(`${from}one`))?.fingerprint256, new X509Certificate(vector.leaf).fingerprint256);
    await trusting.keyAt(`${from}one`);
    assert.equal(request, 1);
    await assert.rejects(trusting.keyAt(`${from}none`), Unreachable);
    // Without configured authorities Node's are trusted, which don't include the test's root.
    assert.equal(await openCertificates({ from: [from], name }).keyAt(`${from}one`), undefined);
  });

  it('are fetched only from URLs of the settings, path included', () => {
    const { isPinned } = openCertificates({ from: ['https://api.paypal.com/v1/notifications/certs/'], name, roots: [] });
    assert.equal(isPinned('https://api.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594-1d93a270'), true);
    const others = [
      'http://api.paypal.com/v1/notifications/certs/CERT',
      'https://api.paypal.com.evil.example/v1/notifications/certs/CERT',
      'https://evil.example/https://api.paypal.com/v1/notifications/certs/CERT',
      'https://api.paypal.com@evil.example/v1/notifications/certs/CERT',
      'https://api.paypal.com:8443/v1/notifications/certs/CERT',
      'https://api.paypal.com/v1/notifications/certs/../../files/CERT',
      'https://user:pass@api.paypal.com/v1/notifications/certs/CERT',
      'https://api.paypal.com/v1/notifications/certs/CERT?redirect=https://evil.example',
      // Certificates of PayPal's own sandbox are not accepted here.
      'https://api.sandbox.paypal.com/v1/notifications/certs/CERT',
      'CERT',
      '',
    ];
    for (const address of others) assert.equal(isPinned(address), false, address);
  });
});

for (const proof of ['online', 'offline'] as const) {
  describe(`paypal: messages, ${proof}`, () => {
    let world: Beside;
    before(async () => {
      world = await beside(() => openPaypal({ payoutMs: 0 }), provider, { proof });
      await world.counterpart.fund({ currency: USD, to: '', amount: '1000.00' });
    });
    after(() => world?.close());
    const check = async (webhook: Webhook) => world.rail.payin.check?.(webhook);
    const ofKind = (kind: string) => messageOf(world.messages, ({ raw }) => Buffer.from(raw).includes(`"event_type": "${kind}"`));
    const make = async (input: Record<string, unknown>): Promise<Webhook> => {
      const made = trick<{ body: string; headers: Record<string, string> }>(world.counterpart, 'message', input);
      const { body, headers } = await made;
      return { raw: Buffer.from(body), headers };
    };

    it('name their payment by our reference and by PayPal’s order', async () => {
      const opening = await world.open(USD, 3_000n);
      const { to, id } = opening.reference;
      await world.pay(opening);
      assert.deepEqual((await ofKind('CHECKOUT.ORDER.APPROVED')).proof, { isProven: true, to, id });
      await world.rail.payin.observe([opening.reference]);
      assert.deepEqual((await ofKind('PAYMENT.CAPTURE.COMPLETED')).proof, { isProven: true, to, id });
      await world.trick('dispute', { to });
      assert.deepEqual((await ofKind('CUSTOMER.DISPUTE.CREATED')).proof, { isProven: true, to, id });
      await world.trick('withdraw', { to });
      assert.deepEqual((await ofKind('CUSTOMER.DISPUTE.RESOLVED')).proof, { isProven: true, to, id });
      const refund = await preparedFor(
        world,
        '0192f0c1-0000-7000-8000-00000000000a',
        USD,
        500n,
        await sourceOf(world, opening.reference),
      );
      await world.rail.payout.send(refund);
      assert.deepEqual((await ofKind('PAYMENT.CAPTURE.REFUNDED')).proof, { isProven: true, to, id, sent: refund.reference });
      await world.trick('chargeback', { to });
      assert.deepEqual((await ofKind('PAYMENT.CAPTURE.REVERSED')).proof, { isProven: true, to, id });
    });

    it('name their payout', async () => {
      const attempt = await preparedFor(world, '0192f0c1-0000-7000-8000-00000000000b', USD, 500n, { email: 'one@example.com' });
      await world.rail.payout.send(attempt);
      for (const kind of ['PAYMENT.PAYOUTSBATCH.PROCESSING', 'PAYMENT.PAYOUTS-ITEM.SUCCEEDED', 'PAYMENT.PAYOUTSBATCH.SUCCESS']) {
        assert.deepEqual((await ofKind(kind)).proof, { isProven: true, sent: attempt.reference }, kind);
      }
    });

    it('are proven when repeated or late, but not after days', async () => {
      const { webhookId: webhook } = world.settings;
      const kind = 'CHECKOUT.ORDER.APPROVED';
      const at = (ms: number): string => new Date(Date.now() + ms).toISOString();
      const good = await make({ kind, webhook });
      assert.equal((await check(good))?.isProven, true);
      assert.equal(
        (await check(good))?.isProven,
        true,
        'a repetition is isProven too: the code that stores messages recognizes it',
      );
      assert.equal((await check(await make({ kind, webhook, time: at(-3 * 86_400_000) })))?.isProven, true);
      assert.equal((await check(await make({ kind, webhook, time: at(-5 * 86_400_000) })))?.isProven, false);
      assert.equal((await check(await make({ kind, webhook, time: at(3_600_000) })))?.isProven, false);
      assert.equal((await check(await make({ kind, webhook, time: 'yesterday' })))?.isProven, false);
    });

    it('are not proven if they are for another webhook, or from PayPal’s simulator', async () => {
      const kind = 'CHECKOUT.ORDER.APPROVED';
      assert.equal((await check(await make({ kind, webhook: 'ANOTHERWEBHOOK001' })))?.isProven, false);
      // The simulator signs for its own webhook (PayPal-PHP-SDK#720), so its events are never proven.
      assert.equal((await check(await make({ kind, webhook: 'WEBHOOK_ID' })))?.isProven, false);
    });

    it('are neither proven nor refused while PayPal doesn’t answer', async (t) => {
      const fresh = await beside(
        async () => ({ ...world.counterpart, close: async () => {}, provider: () => world.settings, mount: () => {} }),
        provider,
        { proof },
      );
      t.after(() => fresh.close());
      const good = await make({ kind: 'CHECKOUT.ORDER.APPROVED', webhook: world.settings['webhookId'] });
      world.counterpart.faults.set({ errors: 1 });
      await assert.rejects(async () => fresh.rail.payin.check?.(good), Unreachable);
      world.counterpart.faults.set({});
      assert.equal((await fresh.rail.payin.check?.(good))?.isProven, true);
    });
  });
}

async function sourceOf(world: Beside, reference: Parameters<Beside['rail']['payin']['observe']>[0][number]) {
  const [observedPayment] = await world.rail.payin.observe([reference]);
  assert.ok(observedPayment?.source);
  return observedPayment.source.fields;
}
