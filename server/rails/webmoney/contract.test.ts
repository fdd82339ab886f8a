import { providerContract } from '../provider.contract.ts';
import { webMoneyWorld } from './world.testing.ts';

providerContract('webmoney', () => webMoneyWorld());
