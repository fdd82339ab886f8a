import { providerContract } from '../provider.contract.ts';
import { perfectMoneyWorld } from './world.testing.ts';

providerContract('perfectmoney', () => perfectMoneyWorld());
