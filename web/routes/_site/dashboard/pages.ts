// One part of the site's code: who comes to one of these pages comes to the others.

export { LaterPage } from './later.tsx';
export { OrdersPage } from './orders.tsx';
export { OverviewPage } from './overview.tsx';
