import { providerContract } from '../provider.contract.ts';
import { moneyGoWorld } from './world.testing.ts';

providerContract('moneygo', () => moneyGoWorld());
