import { railContract } from '../../rails/rail.contract.ts';
import type { Attempt, WalletState } from '../../rails/rail.ts';
import { type MemoryOptions, openMemoryRail } from '../memory-rail.ts';

function contractOf(name: string, options: MemoryOptions): void {
  railContract(name, async () => {
    const { rail, world, receiver } = openMemoryRail(options);
    const currency = world.currency;
    const open: Attempt[] = [];
    let index = 1;
    world.fund(currency, 'hot', 100_000_000n);
    if (options.fuel) world.fund(options.fuel, 'fuel', 1_000_000n);
    return {
      rail,
      currency,
      unit: rail.currencies[0]?.unit ?? '',
      parts: 1_000_000n,
      finalBlocks: 8,
      badAccounts: [
        { fields: { address: ' ' }, problem: 'empty' },
        { fields: { address: 'nonsense' }, problem: 'bad_format' },
        { fields: { address: `t${'0'.repeat(24)}` }, problem: 'wrong_network' },
        { fields: { address: `m${'0'.repeat(24)}` }, problem: 'bad_checksum' },
      ],
      nextIndex: () => index++,
      pay: async (to, parts) => void world.pay(to, parts),
      blocks: async (count) => world.mine(count),
      reorg: async (depth, drop) => void world.reorg(depth, drop),
      receiver: async () => receiver(),
      received: async (to) => world.received(to['address'] ?? ''),
      state: () => stateOf(open),
      note: (attempt, done) => void (done ? open.splice(open.indexOf(attempt), 1) : open.push(attempt)),
      close: () => rail.close(),
    };
  });
}

function stateOf(open: readonly Attempt[]): WalletState {
  return {
    spent: open.flatMap(({ spends }) => spends),
    unconfirmed: open.map(({ reference, raw }) => ({ txid: reference, raw })),
    indexes: [0],
    changeIndex: 0,
  };
}

contractOf('memory, coins', { hasSendList: true });
contractOf('memory, accounts', { currencies: [{ code: 'USDT_MEM', unit: 'USDT' }], batch: 1, fuel: 'ETH', hasSendList: true });
