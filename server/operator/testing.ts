// Helpers for tests of higher rooms: people of the desk, and coupons that they make.

export { newCoupons } from './actions/money/coupons.ts';
export { addPerson } from './people/person.testing.ts';
export { writeDeskMacs } from './people/store.ts';
