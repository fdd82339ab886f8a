// One part of the site's code: who comes to one of these pages comes to the others.

export { DiscountPage } from './discount/discount.tsx';
export { NewOrderPage } from './new-order/new-order.tsx';
export { OwnOrderPage } from './orders/order.tsx';
export { OrdersPage } from './orders/orders.tsx';
export { OverviewPage } from './overview/overview.tsx';
