import type { ReactNode } from 'react';
import { useLoaderData } from 'react-router';
import blocks from '../../../features/blocks/blocks.module.css';
import { ServerPart } from '../../../features/server-part.tsx';
import { useSite } from '../../../features/site.ts';
import { useTitle } from '../../../ui/base/title.ts';
import { Main } from '../layout.tsx';
import type { BrandData } from './page.server.tsx';
import css from './brand.module.css';

/** Page about the use of the logo, the colours and the fonts. Rendered by the server and always loaded as a document. */
export default function BrandPage(): ReactNode {
  const { head } = useLoaderData<BrandData>();
  useTitle(head.title, useSite().name);
  return (
    <Main className={blocks['page']}>
      <ServerPart name="guidelines" className={css['guidelines']} />
    </Main>
  );
}
