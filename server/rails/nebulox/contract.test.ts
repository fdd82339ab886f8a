import { providerContract } from '../provider.contract.ts';
import { nebuloxWorld } from './world.testing.ts';

providerContract('nebulox', () => nebuloxWorld());
