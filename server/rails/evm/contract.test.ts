import { railContract } from '../rail.contract.ts';
import { evmWorld } from './world.testing.ts';

railContract('evm', () => evmWorld());
railContract('bsc', () => evmWorld({ of: 'bsc' }));
