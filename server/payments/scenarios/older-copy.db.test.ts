import {
  SEED,
  bitcoinWorld,
  evmPublicKeys,
  evmRail,
  evmWorld,
  tronPublicKeys,
  tronRail,
  tronWorld,
} from '../../rails/testing.ts';
import { isFullRun } from '../../../tools/runner/full-run.ts';
import { openMemoryRail } from '../memory-rail.ts';
import { olderCopyContract } from './older-copy.contract.ts';
import type { CopyWorld } from './older-copy.testing.ts';

const ETHER = 10n ** 18n;

/** An EVM chain: `about` its coin or its token. */
async function ethereum(about: 'coin' | 'token', of: 'evm' | 'bsc' = 'evm'): Promise<CopyWorld> {
  const world = await evmWorld({ about, of });
  const isCoin = about === 'coin';
  const coin = of === 'bsc' ? 'BNB' : 'ETH';
  return {
    ...world,
    holds: isCoin
      ? [
          { currency: coin, place: 'hot', parts: 499n * ETHER },
          { currency: coin, place: 'fuel', parts: ETHER },
        ]
      : [
          { currency: world.currency, place: 'hot', parts: 100_000_000_000n },
          { currency: coin, place: 'fuel', parts: 5n * ETHER },
        ],
    open: () => evmRail(world.config, evmPublicKeys(SEED), world.signer),
  };
}

async function bitcoin(): Promise<CopyWorld> {
  const world = await bitcoinWorld('1');
  await world.blocks(6);
  return {
    ...world,
    holds: [{ currency: 'BTC', place: 'hot', parts: 100_000_000n }],
    open: () => world.railWith(world.signer),
  };
}

/** TRON: its coin or its token. */
async function tron(currency: 'TRX' | 'USDT_TRC20'): Promise<CopyWorld> {
  const world = await tronWorld({ currency });
  const fuel = currency === 'TRX' ? 500_000_000n : 100_000_000_000n;
  return {
    ...world,
    holds: [
      { currency: 'USDT_TRC20', place: 'hot', parts: 100_000_000_000n },
      { currency: 'TRX', place: 'fuel', parts: fuel },
      ...(currency === 'TRX' ? [{ currency, place: 'hot', parts: 100_000_000_000n - fuel } as const] : []),
    ],
    open: () => tronRail(world.config, tronPublicKeys(SEED), world.signer),
  };
}

/** A provider that lists its transfers with our reference, and repeats a repeated request. */
async function provider(): Promise<CopyWorld> {
  const options = { id: 'provider', provider: { hasDedupe: false }, hasSendList: true } as const;
  const { rail, world, receiver } = openMemoryRail(options);
  world.fund('BTC', 'hot', 10_000_000n);
  return {
    ...{ currency: 'BTC', unit: 'BTC', parts: 100_000n, finalBlocks: 1 },
    holds: [{ currency: 'BTC', place: 'hot', parts: 10_000_000n }],
    open: () => ({ ...rail }),
    blocks: async (count) => world.mine(count),
    receiver: async () => receiver(),
    received: async (to) => world.received(to['address'] ?? ''),
    close: async () => {},
  };
}

const some = { beside: isFullRun };
olderCopyContract('ETH', () => ethereum('coin'));
olderCopyContract('USDT on Ethereum', () => ethereum('token'), some);
olderCopyContract('bitcoin', bitcoin, some);
olderCopyContract('USDT on TRON', () => tron('USDT_TRC20'), some);
if (isFullRun) olderCopyContract('TRX', () => tron('TRX'));
if (isFullRun) olderCopyContract('BNB', () => ethereum('coin', 'bsc'));
olderCopyContract('a provider', provider);
