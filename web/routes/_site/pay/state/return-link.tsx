import type { ReactNode } from 'react';
import { m } from '../../../../features/words.ts';
import { ButtonLink } from '../../../../ui/fields/button.tsx';
import { usePay } from '../use-pay.ts';
import css from './return-link.module.css';

/** Link back to the shop, out of the shop's frame; absent if the invoice names no address. */
export function ReturnLink(): ReactNode {
  const { return_url: url } = usePay().data.invoice;
  if (url === undefined) return null;
  return (
    <div className={css['return']}>
      <ButtonLink size="large" isWide href={url} target="_top" rel="noreferrer">
        {m.checkout_return()}
      </ButtonLink>
    </div>
  );
}
