// One part of the site's code: who comes to one of these pages comes to the others.

export { DiscountPage } from './discount/discount.tsx';
export { NewOrderPage } from './new-order.tsx';
export { OwnOrderPage } from './order.tsx';
export { OrdersPage } from './orders.tsx';
export { OverviewPage } from './overview.tsx';
