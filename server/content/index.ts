// Content: what pages show that is no calculation and no order.
//
// landing     the home page's data: directions, reserves, latest orders
// rules       what pages tell people of limits, waits and what leaving a wallet costs
// status      how the rails run and ran, and how long orders took
// latest      orders that were paid out lately, without anything that names a customer

export { contentRoutes } from './routes.ts';
