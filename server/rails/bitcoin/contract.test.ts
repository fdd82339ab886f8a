import { railContract } from '../rail.contract.ts';
import { bitcoinWorld } from './world.testing.ts';

railContract('bitcoin', () => bitcoinWorld());
