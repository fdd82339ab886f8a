// The stream of a refund's page: it follows a claim until its money has arrived, and needs the link's secret.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, test } from 'node:test';
import { routes } from '@kurs/contract';
import type { VersionWatch } from '../../platform/index.ts';
import { freely, refusal } from '../../platform/testing.ts';
import type { Refund } from '../refunds/machine/refund.ts';
import { refundSecret } from '../refunds/refund-secret.ts';
import { refundRoutes } from '../refunds/routes.ts';
import { openRefundStream, watchRefunds } from '../refunds/views/refund-stream.ts';
import { CLAIMANT, type RefundWorld, openRefundWorld } from './refund-world.testing.ts';

let world: RefundWorld;
let watch: VersionWatch;
let streamOf: ReturnType<typeof openRefundStream>;
before(async () => {
  world = await openRefundWorld();
  watch = watchRefunds(world.db);
  streamOf = openRefundStream({ db: world.db, sender: world.sender, watch });
});
after(async () => {
  await watch.stop();
  await world.close();
});

const keyOf = ({ id }: Refund) => ({ id, token: refundSecret(world.sender.tokens, id) });

test('the page of a refund hears of a claim, of its transaction and of its arrival, and a returning reader only of what is new', async () => {
  const bound = refundRoutes({ db: world.db, sender: world.sender });
  const refund = await world.refund({ amount: '50.00' });
  const [sent, gone] = [[] as { id: string; data: unknown }[], new AbortController()];
  const stream = {
    ...{ lastEventId: undefined, signal: gone.signal, end: () => assert.fail('the stream ended') },
    send: (event: object) => void sent.push(event as (typeof sent)[number]),
  };
  await (await streamOf(keyOf(refund))).report(stream);
  assert.equal(sent.length, 1, 'the present state');
  const hears = async (state: string, count: number): Promise<void> => {
    const is = (): boolean => {
      const { data } = sent.at(-1) as { data: { state: string; sent: number } };
      return data.state === state && data.sent === count;
    };
    for (let poll = 0; poll < 100 && !is(); poll += 1) await sleep(50);
    assert.ok(is(), `${state} ${count}: ${JSON.stringify(sent)}`);
  };
  await world.claim(refund);
  await hears('paying', 0);
  await world.turn();
  await hears('paying', 1);
  await world.send();
  await hears('paid', 1);
  const status = await bound.refundStatus(keyOf(refund), { ...CLAIMANT, ...freely } as never);
  assert.deepEqual(routes.refundStatus.output.parse(status), status);
  assert.equal(sent.at(-1)?.id, `${status.version}+${status.sent}`);
  const resumed: unknown[] = [];
  const again = { ...stream, lastEventId: sent.at(-1)?.id, send: (event: object) => void resumed.push(event) };
  await (await streamOf(keyOf(refund))).report(again);
  assert.deepEqual(resumed, []);
  gone.abort();
});

test('the stream of a refund needs the secret of its link', async () => {
  const refund = await world.refund({ amount: '5.00' });
  assert.equal(await refusal(() => streamOf({ id: refund.id, token: 'x'.repeat(43) })), 'refund_unknown');
});
