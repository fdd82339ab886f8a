import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { WalletState } from '../rail.ts';
import type { Esplora, Transaction, Unspent } from './client.ts';
import type { Account, Place } from './keys.ts';
import { openWallet } from './wallet.ts';

const id = (text: string): string => Buffer.from(text.padEnd(32)).toString('hex');
const at = (height: number) => ({ confirmed: true as const, block_height: height, block_hash: id(`${height}`), block_time: 0 });
const account = { place: (branch, index) => ({ branch, index, address: `${branch}/${index}` }) as Place } as Account;
const state = (change: Partial<WalletState> = {}): WalletState => ({
  spent: [],
  unconfirmed: [],
  indexes: [0],
  changeIndex: 2,
  ...change,
});

function chain(tip: number, coins: Record<string, Unspent[]>, histories: Record<string, number[]> = {}) {
  const asked: string[] = [];
  const esplora = {
    tipHeight: async () => tip,
    unspent: async (address: string) => (asked.push(address), coins[address] ?? []),
    history: async (address: string) => (histories[address] ?? []).map((height) => ({ status: at(height) }) as Transaction),
  } as Partial<Esplora> as Esplora;
  return { esplora, asked, move: (blocks: number) => void (tip += blocks) };
}

it('tells safe, shallow and waiting coins apart, and leaves others’ waiting coins alone', async () => {
  const coin = (name: string, status: Unspent['status']): Unspent => ({ txid: id(name), vout: 0, value: 10n, status });
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
  const wallet = openWallet(esplora, account);
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

it('asks no more about change that was used up long ago', async () => {
  const { esplora, asked, move } = chain(150, {}, { '1/0': [10, 60] });
  const wallet = openWallet(esplora, account);
  const look = async (): Promise<string[]> => {
    asked.length = 0;
    await wallet.spendable(state());
    return [...asked];
  };
  assert.deepEqual(await look(), ['0/0', '1/0', '1/1']);
  move(9);
  assert.deepEqual(await look(), ['0/0', '1/0', '1/1'], 'spent 99 blocks ago: a reorg might bring it back');
  move(1);
  assert.deepEqual(await look(), ['0/0', '1/0', '1/1']);
  assert.deepEqual(await look(), ['0/0', '1/1'], 'what was never paid is looked at for ever');
});
