// The door for tests of rooms above: a desk of one memory rail over a fresh database.

export { type Desk, openDesk } from './world.testing.ts';
