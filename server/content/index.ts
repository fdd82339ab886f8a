// Content: what pages show that is no calculation and no order.
//
// landing     the home page's data: directions, reserves, latest orders
// latest      orders that were paid out lately, without anything that names a customer

export { type ContentOptions, type LatestOrder, contentRoutes } from './routes.ts';
