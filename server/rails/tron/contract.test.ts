import { railContract } from '../rail.contract.ts';
import { tronWorld } from './world.testing.ts';

railContract('tron, USDT', () => tronWorld());
railContract('tron, TRX', () => tronWorld({ currency: 'TRX' }));
