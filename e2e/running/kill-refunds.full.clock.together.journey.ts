// Kills each process between the claim of a refund and its payout. The claim is paid once, without help.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, test } from 'node:test';
import type { Output, Routes } from '@kurs/contract';
import { type Shop, openShop, sell, untilState } from '../customers/business.ts';
import { type Chains, openChains, partsOf } from '../customers/chains.ts';
import { BACK_MS, PROCESSES, die } from '../harness/die.ts';
import { sharedStage } from '../harness/stage.ts';
import { type System, isReady, until } from '../harness/system.ts';

type Refund = Output<Routes['storeRefund']>;
const COIN = 'USDT_ERC20';
const DONE_MS = 90_000;

let system: System;
let chains: Chains;
let shop: Shop;
before(async () => {
  ({ system } = await sharedStage());
  chains = await openChains(system);
  const { directions } = system.client();
  await until('the directions to open', 60_000, async () => (await directions({})).directions.every(isReady));
  shop = await openShop(system, COIN);
  await untilState(shop, await sell(shop, '120'), 'settled');
  await until('its money to be deep', DONE_MS, async () =>
    (await shop.client.storeBalance({ store: shop.store })).balances.some(({ movable }) => +movable >= 100),
  );
});

/** Makes a refund, and claims it to a fresh account. Returns its id and the account. */
async function claimed(): Promise<{ readonly id: string; readonly address: string }> {
  const { client, store } = shop;
  const { id, url = '' } = await client.refundMake({ store, amount: '12' }, { idempotencyKey: randomUUID() });
  const { address } = await client.sandboxAddress({ currency: COIN });
  const token = new URL(url).searchParams.get('token') ?? '';
  const visitor = system.client();
  await visitor.refundClaim({ id, token, method: COIN, to: { address } }, { idempotencyKey: randomUUID() });
  return { id, address };
}

const look = ({ client, store }: Shop, id: string): Promise<Refund> => client.storeRefund({ store, id });

describe('a claimed refund is paid once when', () => {
  for (const names of [...PROCESSES.map((name) => [name]), PROCESSES])
    test(`${names.join(', ')} is killed`, async () => {
      const { id, address } = await until('a refund to be claimed', BACK_MS, () => claimed().catch(() => undefined));
      assert.equal((await look(shop, id)).state, 'paying', 'its payout is not final yet');
      await die(system, names);
      await until('the refund to be paid', DONE_MS, async () => (await look(shop, id).catch(() => undefined))?.state === 'paid');
      const { claims } = await look(shop, id);
      assert.deepEqual(
        claims.map(({ status }) => status),
        ['done'],
      );
      assert.equal(
        await chains.arrived(COIN, address),
        partsOf(COIN, claims[0]?.receives.amount ?? ''),
        'paid once, and exactly',
      );
    });
});

test('the books are right', async () => {
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
});
