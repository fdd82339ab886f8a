import assert from 'node:assert/strict';
import { it } from 'node:test';
import { walletState } from './wallet.ts';
import { openDesk } from '../scenarios/world.testing.ts';

const PLACES = 1_200;

it('a wallet’s state names every address that may hold money, however many there are', async () => {
  const desk = await openDesk();
  try {
    await desk.open();
    await desk.db.run(
      `insert into receiving_address (rail, number, currency, to_text, to_key, may_hold)
       select 'bitcoin', number, 'BTC', 'm' || number, 'm' || number, true from generate_series(1000, 999 + $1::int) number`,
      [PLACES],
    );
    const { indexes } = await walletState(desk.db, 'bitcoin');
    const filled = Array.from({ length: PLACES }, (_, at) => 1_000 + at);
    assert.deepEqual(indexes, [0, ...filled], 'the desk’s own address, then those with money; not those that nobody has paid to');
  } finally {
    await desk.close();
  }
});

it('the next nonce is the lowest refused one above the last final nonce, else the one after the last', async () => {
  const desk = await openDesk({ id: 'evm' });
  try {
    await desk.open();
    await desk.db.run(`insert into rail_wallet (rail, token, leased_until) values ('evm', 1, now()) on conflict do nothing`);
    const next = async (...attempts: readonly (readonly [nonce: number, status: string])[]): Promise<number | undefined> => {
      await desk.db.run(
        `insert into payment_attempt (id, rail, purpose, reference, items, raw, spends, nonce, fee_currency, fee, fee_known, status, stored_at)
         select gen_random_uuid(), 'evm', 'payout', gen_random_uuid(), '{}', '', '{}', nonce, 'ETH', 1, 'mined', status, clock_now()
         from unnest($1::bigint[], $2::text[]) as given (nonce, status)`,
        [attempts.map(([nonce]) => nonce), attempts.map(([, status]) => status)],
      );
      return (await walletState(desk.db, 'evm')).nextNonce;
    };
    assert.equal(await next(), undefined);
    assert.equal(await next([0, 'final'], [1, 'final'], [2, 'refused'], [2, 'final']), 3);
    assert.equal(await next([3, 'sent'], [4, 'refused'], [5, 'refused'], [6, 'stored']), 4);
    assert.equal(await next([4, 'stored']), 5);
    assert.equal(await next([5, 'stored']), 7);
    assert.equal(await next([8, 'refused'], [9, 'final']), 10, 'the chain has had one with it by now');
  } finally {
    await desk.close();
  }
});
