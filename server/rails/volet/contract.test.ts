import { providerContract } from '../provider.contract.ts';
import { voletWorld } from './world.testing.ts';

providerContract('volet', () => voletWorld());
