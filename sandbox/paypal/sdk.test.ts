// Creates and captures orders by PayPal's own server SDK: an independent client.

import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { CheckoutPaymentIntent, Client, Environment, OrdersController, PaymentsController } from '@paypal/paypal-server-sdk';
import fastify from 'fastify';
import type { Counterpart } from '../counterpart.ts';
import { openPaypal } from './index.ts';

/** Request that the SDK's HTTP library passes to an adapter. */
interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly data?: string;
}

let paypal: Counterpart;
let client: Client;
const site = fastify({ forceCloseConnections: true });

before(async () => {
  paypal = await openPaypal();
  await site.register(async (scope) => paypal.mount(scope), { prefix: '/sandbox/paypal' });
  await site.listen({ host: '127.0.0.1', port: 0 });
  const base = `http://127.0.0.1:${(site.server.address() as AddressInfo).port}/sandbox/paypal`;
  const said = paypal.provider?.({ base, pages: base }) as { clientId: string; clientSecret: string };
  // The SDK has no setting for the address, so the adapter of its HTTP library redirects it.
  const adapter = async ({ url, method, headers, data }: Sent): Promise<unknown> => {
    const { pathname, search } = new URL(url);
    const sent = Object.fromEntries(
      Object.entries(headers).filter(([name]) => !/^(content-length|accept-encoding)$/i.test(name)),
    );
    const reply = await fetch(base + pathname + search, {
      method: method.toUpperCase(),
      headers: sent,
      ...(data !== undefined && { body: data }),
    });
    return {
      data: await reply.text(),
      status: reply.status,
      statusText: '',
      headers: Object.fromEntries(reply.headers),
      config: {},
      request: {},
    };
  };
  client = new Client({
    environment: Environment.Sandbox,
    clientCredentialsAuthCredentials: { oAuthClientId: said.clientId, oAuthClientSecret: said.clientSecret },
    unstable_httpClientOptions: { adapter },
  });
});
after(async () => {
  await paypal.close();
  await site.close();
  assert.deepEqual(await paypal.tricks?.['flaws']?.({}), []);
});

test('the official SDK creates an order, captures it after approval, reads the capture and refunds it', async () => {
  const orders = new OrdersController(client);
  const payments = new PaymentsController(client);
  const made = await orders.createOrder({
    paypalRequestId: 'sdk-1',
    prefer: 'return=representation',
    body: {
      intent: CheckoutPaymentIntent.Capture,
      purchaseUnits: [{ amount: { currencyCode: 'USD', value: '12.50' }, customId: 'SDK-ORDER' }],
      paymentSource: {
        paypal: { experienceContext: { returnUrl: 'https://example.com/done', cancelUrl: 'https://example.com/no' } },
      },
    },
  });
  const id = made.result.id ?? '';
  const link = made.result.links?.find(({ rel }) => rel === 'payer-action')?.href ?? '';
  assert.equal(made.statusCode, 201);
  await assert.rejects(orders.captureOrder({ id }), /./, 'not approved yet');

  await paypal.pay({
    currency: 'PAYPAL_USD',
    to: 'SDK-ORDER',
    way: { method: 'GET', url: link, fields: {} },
    amount: '12.50',
    fee: 'normal',
    isReplaceable: false,
  });
  assert.equal((await orders.getOrder({ id })).result.status, 'APPROVED');
  const captured = await orders.captureOrder({ id, prefer: 'return=representation', paypalRequestId: 'sdk-1-capture' });
  const capture = captured.result.purchaseUnits?.[0]?.payments?.captures?.[0];
  assert.deepEqual([capture?.status, capture?.amount?.value, capture?.customId], ['COMPLETED', '12.50', 'SDK-ORDER']);

  const read = await payments.getCapturedPayment({ captureId: capture?.id ?? '' });
  assert.equal(read.result.sellerReceivableBreakdown?.paypalFee?.value, '0.93');
  await paypal.fund({ currency: 'PAYPAL_USD', to: '', amount: '1.00' });
  const refunded = await payments.refundCapturedPayment({
    captureId: capture?.id ?? '',
    body: { amount: { currencyCode: 'USD', value: '2.00' } },
  });
  assert.equal(refunded.result.status, 'COMPLETED');
  assert.equal((await payments.getRefund({ refundId: refunded.result.id ?? '' })).result.amount?.value, '2.00');
  assert.equal(await paypal.balance('PAYPAL_USD', 'desk@business.example.com'), '10.57');
});
