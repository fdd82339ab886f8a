import { providerContract } from '../provider.contract.ts';
import { paypalWorld } from './world.testing.ts';

providerContract('paypal', () => paypalWorld('online'));
providerContract('paypal, messages proved here', () => paypalWorld('offline'));
