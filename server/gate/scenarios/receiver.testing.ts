// A shop that receives webhooks of a store, for tests. It verifies both signatures by programs that are not ours.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { type IncomingHttpHeaders, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { openDeliveries, openPost } from '../../deliveries/index.ts';
import type { Db } from '../../platform/index.ts';
import { testSealer } from '../../platform/testing.ts';
import { storeChannels } from '../webhooks/kinds.ts';

/** A received webhook. */
export interface Received {
  readonly path: string;
  readonly type: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Receiver {
  readonly origin: string;
  readonly received: Received[];
  /** Status that is answered to a webhook; 0 hangs. By default 200. */
  answer: (received: Received) => number | Promise<number>;
  /** Makes the due deliveries to this receiver. */
  deliver(db: Db): Promise<void>;
  close(): Promise<void>;
}

/** Starts a receiver on a port of its own. */
export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const whole = await text(request);
    const body = JSON.parse(whole) as Record<string, unknown>;
    const one = { path: request.url ?? '', type: String(body['type']), headers: request.headers, text: whole, body };
    received.push(one);
    const status = await receiver.answer(one);
    if (status !== 0) response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const receiver: Receiver = {
    ...{ origin, received },
    answer: () => 200,
    async deliver(db) {
      const poster = openPost({ privateOrigin: origin });
      const deliveries = openDeliveries({ db, channels: storeChannels({ db, sealer: testSealer, poster }) });
      await deliveries.deliver();
      await deliveries.stop();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

/** Throws unless the package `standardwebhooks` accepts a webhook. `isRaw`: the secret is the shop's own. */
export function verifyStandard({ headers, text: body }: Received, secret: string, isRaw = false): void {
  new Webhook(secret, isRaw ? { format: 'raw' } : undefined).verify(body, headers as Record<string, string>);
}

/** Throws unless `BTCPay-Sig` is what openssl computes. */
export function verifyBtcpay({ headers, text: body }: Received, secret: string): void {
  const printed = execFileSync('openssl', ['dgst', '-sha256', '-hmac', secret], { input: body }).toString();
  assert.equal(headers['btcpay-sig'], `sha256=${printed.trim().split(' ').at(-1)}`);
}
