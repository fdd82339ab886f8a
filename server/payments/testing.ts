// The door for tests of rooms above: a desk of one memory rail over a fresh database.

export { weighPlaces } from './growth.ts';
export { savePayins } from './payin-store.ts';
export { type Desk, openDesk } from './world.testing.ts';
