// The door for tests of rooms above: a desk of one memory rail over a fresh database.

export { weighPlaces } from './payins/growth.ts';
export { savePayins } from './payins/payin-store.ts';
export { type Desk, openDesk } from './scenarios/world.testing.ts';
