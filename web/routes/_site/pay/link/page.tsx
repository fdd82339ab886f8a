import type { ReactNode } from 'react';
import { useActionData, useLoaderData } from 'react-router';
import type { LinkAnswer, LinkData, NoLink } from './link-data.ts';
import { LinkPage } from './link-page.tsx';

/** Page of a link as the server renders it. In the browser, `browser/pay.tsx` renders the same without the router. */
export default function RoutedLinkPage(): ReactNode {
  return <LinkPage given={useLoaderData<LinkData | NoLink>()} answered={useActionData<LinkAnswer>()} />;
}
