import { providerContract } from '../provider.contract.ts';
import { payeerWorld } from './world.testing.ts';

providerContract('payeer', () => payeerWorld());
