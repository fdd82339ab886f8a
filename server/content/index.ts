// Content: data of pages beyond calculations and orders.
//
// landing     the home page's data: directions, reserves, latest orders
// rules       figures of limits, waits and costs of leaving a wallet, for pages
// status      health of the rails now and in the past, and durations of orders
// latest      recently paid out orders, without anything that names a customer

export { contentRoutes } from './routes.ts';
