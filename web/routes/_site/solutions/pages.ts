// Pages whose calculator begins with what the page is about, as one part of the code.
export { ServicePage } from '../service/service.tsx';
export { DealPage } from './deals/deal.tsx';
