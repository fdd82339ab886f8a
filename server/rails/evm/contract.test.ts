import { railContract } from '../rail.contract.ts';
import { evmWorld } from './world.testing.ts';

railContract('evm', () => evmWorld());
railContract('bsc', () => evmWorld({ of: 'bsc' }));
railContract('ETH', () => evmWorld({ about: 'coin' }));
railContract('BNB', () => evmWorld({ of: 'bsc', about: 'coin' }));
