// What tests of other rooms need of this one.

export { addAddress, setList } from './store.ts';
