import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { WalletState } from '../rail.ts';
import type { Esplora, Transaction, Unspent } from './client.ts';
import type { Account, Place } from './keys.ts';
import { openWallet } from './wallet.ts';

const id = (text: string): string => Buffer.from(text.padEnd(32)).toString('hex');
const at = (height: number) => ({ confirmed: true as const, block_height: height, block_hash: id(`${height}`), block_time: 0 });
const POLL_MS = 10_000;
const derived: string[] = [];
const account = {
  place: (branch, index) => {
    const address = `${branch}/${index}`;
    derived.push(address);
    return { branch, index, address } as Place;
  },
} as Account;
const state = (change: Partial<WalletState> = {}): WalletState => ({
  spent: [],
  unconfirmed: [],
  indexes: [0],
  changeIndex: 2,
  ...change,
});

/** Returns a chain that records the addresses it is asked for. */
function chain(tip: number, coins: Record<string, Unspent[]>, histories: Record<string, number[]> = {}) {
  const requests: string[] = [];
  let forked = Infinity;
  const esplora = {
    within() {
      return this as Partial<Esplora> as Esplora;
    },
    tipHeight: async () => tip,
    blockHash: async (height: number) => id(height >= forked ? `fork ${height}` : `${height}`),
    unspent: async (address: string) => (requests.push(address), coins[address] ?? []),
    newest: async (address: string) => {
      const found = (histories[address] ?? []).map((height, index) => ({ txid: id(`${address} ${index}`), status: at(height) }));
      return { transactions: found as Transaction[], last: found.at(-1)?.txid };
    },
    mined: async () => ({ transactions: [] }),
    transaction: async (txid: string) => ({ txid, vin: [{ is_coinbase: txid === id('made') }] }) as unknown as Transaction,
  } as Partial<Esplora> as Esplora;
  return {
    esplora,
    requests,
    coins,
    move: (blocks: number) => void (tip += blocks),
    fork: (height: number) => void (forked = height),
  };
}

const coin = (name: string, status: Unspent['status']): Unspent => ({ txid: id(name), vout: 0, value: 10n, status });

it('sorts coins into safe, shallow and waiting ones, and leaves out others’ waiting coins', async () => {
  const { esplora } = chain(100, {
    '0/0': [coin('deep', at(95)), coin('shallow', at(96)), coin('foreign', { confirmed: false })],
    '1/0': [coin('mined change', at(100))],
    '1/1': [coin('our change', { confirmed: false }), coin('not ours', { confirmed: false })],
  });
  const open = state({
    unconfirmed: [
      { txid: id('our change'), raw: '' },
      { txid: id('foreign'), raw: '' },
    ],
  });
  const wallet = openWallet(esplora, account, POLL_MS);
  const tiers = (await wallet.spendable(open)).map(({ txid, tier }) => [Buffer.from(txid, 'hex').toString().trim(), tier]);
  assert.deepEqual(tiers, [
    ['deep', 0],
    ['shallow', 1],
    ['mined change', 0],
    ['our change', 2],
  ]);
  const taken = state({ ...open, spent: [`${id('deep')}:0`] });
  assert.deepEqual(await wallet.reserve(taken), [{ currency: 'BTC', place: 'hot', parts: 40n, payable: 30n }]);
  assert.equal((await wallet.spendable(taken)).length, 3);
});

it('reads no change address that was used up long ago', async () => {
  const { esplora, requests, move } = chain(150, {}, { '1/0': [10, 60] });
  const wallet = openWallet(esplora, account, POLL_MS);
  const poll = async (): Promise<string[]> => {
    requests.length = 0;
    await wallet.spendable(state());
    return [...requests];
  };
  assert.deepEqual(await poll(), ['0/0', '1/0', '1/1']);
  move(9);
  assert.deepEqual(await poll(), ['0/0', '1/0', '1/1'], 'spent 99 blocks ago: a reorg might bring it back');
  move(1);
  assert.deepEqual(await poll(), ['0/0', '1/0', '1/1']);
  derived.length = 0;
  assert.deepEqual(await poll(), ['0/0', '1/1'], 'an address that was never paid is always read');
  assert.deepEqual(derived, ['0/0', '1/1'], 'its key is not even derived');
});

/** Returns a desk with many addresses, each with a coin in its own block, all deep except the last one. */
function manyPlaces(count: number) {
  const coins = Object.fromEntries(Array.from({ length: count }, (_, index) => [`0/${index}`, [coin(`${index}`, at(index))]]));
  const world = chain(count + 3, coins);
  const indexes = Array.from({ length: count }, (_, index) => index);
  const wallet = openWallet(world.esplora, account, POLL_MS);
  const poll = async (change: Partial<WalletState> = {}): Promise<{ requested: number; parts: bigint | undefined }> => {
    world.requests.length = 0;
    const [balance] = await wallet.reserve(state({ indexes, changeIndex: 0, ...change }));
    return { requested: world.requests.length, parts: balance?.parts };
  };
  return { ...world, wallet, indexes, poll };
}

/** Number of cached listings that each reading reads again. */
const AGAIN = 32;

it('reads two thousand addresses once, and then only those that may have changed', async () => {
  const { poll, move, fork, coins, indexes } = manyPlaces(2_000);
  assert.deepEqual(await poll(), { requested: 2_000, parts: 20_000n });
  assert.deepEqual(await poll(), { requested: AGAIN + 1, parts: 20_000n }, 'the newest lies five blocks deep');
  move(1);
  assert.deepEqual(await poll(), { requested: AGAIN + 1, parts: 20_000n }, 'a block changes nothing of what lies deep');

  coins['0/2000'] = [coin('new', { confirmed: false })];
  const more = { indexes: [...indexes, 2_000] };
  assert.deepEqual(await poll(more), { requested: AGAIN + 1, parts: 20_000n }, 'what others sent and no block has is not ours');
  coins['0/2000'] = [coin('new', at(2_004))];
  assert.deepEqual(await poll(more), { requested: AGAIN + 1, parts: 20_010n });

  fork(1_980);
  const forked = await poll(more);
  assert.ok(forked.requested > 90 && forked.requested < 200, `a reorg rereads the coins in its reach: ${forked.requested}`);
});

it('sees its own spend at once, and an unexpected change within minutes', async () => {
  const { poll, coins } = manyPlaces(500);
  await poll();
  coins['0/400'] = [];
  assert.equal((await poll({ spent: [`${id('400')}:0`] })).parts, 4_990n, 'our own send');

  coins['0/450'] = [coin('450', at(450)), coin('second', at(490))];
  for (let polls = 0; polls < Math.ceil(500 / AGAIN); polls += 1) await poll();
  assert.equal((await poll()).parts, 5_000n, 'a second payment to an old place, once all were read again');
});

it('no longer offers a coin that was found missing', async () => {
  const { poll, coins, wallet, indexes } = manyPlaces(200);
  await poll();
  coins['0/150'] = [];
  const known = await wallet.spendable(state({ indexes, changeIndex: 0 }));
  const gone = known.filter(({ txid }) => txid === id('150'));
  assert.equal(gone.length, 1, 'not noticed yet');
  assert.equal(await wallet.areThere(known.slice(0, 3)), true);
  assert.equal(await wallet.areThere(gone), false);
  const after = await wallet.spendable(state({ indexes, changeIndex: 0 }));
  assert.ok(!after.some(({ txid }) => txid === id('150')));
});

it('holds a block reward, and spends it once it is a hundred blocks deep', async () => {
  const world = chain(150, { '0/0': [coin('made', at(52)), coin('paid', at(52))] });
  const wallet = openWallet(world.esplora, account, POLL_MS);
  const read = async () => {
    const [balance] = await wallet.reserve(state());
    return [balance?.parts, balance?.payable];
  };
  assert.deepEqual(await read(), [20n, 10n]);
  world.move(1);
  assert.deepEqual(await read(), [20n, 20n]);
});
