import type { ReactNode } from 'react';
import { type Part, partUrl } from './pay-data.ts';
import { usePay } from './use-pay.ts';

/** Link that opens a part of the page, or closes the open one. Without scripts it loads the page with that part. */
export function PartLink({ part, children }: { part: Part | undefined; children: ReactNode }): ReactNode {
  const { data, open } = usePay();
  return (
    <a
      className="link"
      href={partUrl(data, part)}
      onClick={(event) => {
        event.preventDefault();
        open(part);
      }}
    >
      {children}
    </a>
  );
}
