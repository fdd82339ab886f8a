// Helpers that money-out offers to tests of other rooms.

export { addAddress, setList } from './store.ts';
