import type { ReactNode } from 'react';
import { useActionData, useLoaderData } from 'react-router';
import type { NoInvoice, PayAnswer, PayData } from './pay-data.ts';
import { PayPage } from './pay-page.tsx';

/** Page of an invoice as the server renders it. In the browser, `browser/pay.tsx` renders the same without the router. */
export default function RoutedPayPage(): ReactNode {
  return <PayPage given={useLoaderData<PayData | NoInvoice>()} answered={useActionData<PayAnswer>()} />;
}
