// Worlds of providers with their sandbox counterparts, for tests.

export type { Beside } from './provider/beside.testing.ts';
export type { ProviderWorld } from './provider.contract.ts';
export { moneyGoWorld } from './moneygo/world.testing.ts';
export { payeerWorld } from './payeer/world.testing.ts';
export { paypalWorld } from './paypal/world.testing.ts';
export { perfectMoneyWorld } from './perfectmoney/world.testing.ts';
export { voletWorld } from './volet/world.testing.ts';
export { webMoneyWorld } from './webmoney/world.testing.ts';
