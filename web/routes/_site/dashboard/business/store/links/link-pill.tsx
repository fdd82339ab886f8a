import type { ReactNode } from 'react';
import { m } from '../../../../../../features/words.ts';
import { Pill } from '../../../../../../ui/parts/pill.tsx';
import type { StoreLink } from './page.server.ts';

/** Shows if a link makes invoices: it is on, off, or its uses are spent. */
export function LinkPill({ link: { on, uses, max_uses: max } }: { link: StoreLink }): ReactNode {
  if (!on)
    return (
      <Pill tone="neutral" icon="prohibit">
        {m.links_off()}
      </Pill>
    );
  if (max !== undefined && uses >= max)
    return (
      <Pill tone="neutral" icon="check-circle">
        {m.links_spent()}
      </Pill>
    );
  return (
    <Pill tone="success" icon="check-circle">
      {m.links_on()}
    </Pill>
  );
}
