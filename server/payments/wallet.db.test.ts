import assert from 'node:assert/strict';
import { it } from 'node:test';
import { walletState } from './wallet.ts';
import { openDesk } from './world.testing.ts';

const PLACES = 1_200;

it('a wallet is told of every place that may hold money, however many there are', async () => {
  const desk = await openDesk();
  try {
    await desk.open();
    await desk.db.run(
      `insert into place (rail, number, currency, to_text, to_key, may_hold)
       select 'bitcoin', number, 'BTC', 'm' || number, 'm' || number, true from generate_series(1000, 999 + $1::int) number`,
      [PLACES],
    );
    const { indexes } = await walletState(desk.db, 'bitcoin');
    const filled = Array.from({ length: PLACES }, (_, at) => 1_000 + at);
    assert.deepEqual(indexes, [0, ...filled], 'the desk’s own place, then the filled ones; not those that nobody has paid to');
  } finally {
    await desk.close();
  }
});
