export { DealPage as default } from '../deal.tsx';
