import { type ReactNode, useEffect, useRef } from 'react';
import { useSite } from '../../../../features/site.ts';
import { m } from '../../../../features/words.ts';
import { Icon } from '../../../../ui/base/icon.tsx';
import { pageUrl } from '../../../pages.ts';
import css from './wallet.module.css';

/** Menu of one wallet. Escape or a click outside closes it. */
export function WalletMenu({ unit, name }: { unit: string; name: string }): ReactNode {
  const { locale, currencies } = useSite();
  const place = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event): void => {
      const menu = place.current;
      if (!menu?.open) return;
      if (event instanceof KeyboardEvent) {
        if (event.key !== 'Escape') return;
        menu.querySelector('summary')?.focus();
      } else if (menu.contains(event.target as Node)) return;
      menu.open = false;
    };
    addEventListener('keydown', close);
    addEventListener('pointerdown', close);
    return () => {
      removeEventListener('keydown', close);
      removeEventListener('pointerdown', close);
    };
  }, []);
  const from = currencies.find((currency) => currency.unit === unit)?.code;
  const items = [
    { icon: 'download-simple', href: pageUrl(locale, 'deposit', { currency: unit }), word: m.wallet_deposit() },
    { icon: 'upload-simple', href: pageUrl(locale, 'withdraw', { currency: unit }), word: m.withdraw_title() },
    {
      icon: 'arrows-left-right',
      href: pageUrl(locale, 'newOrder', from === undefined ? {} : { from }),
      word: m.wallet_exchange(),
    },
    { icon: 'receipt', href: pageUrl(locale, 'transactions', { currency: unit }), word: m.moves_title() },
  ] as const;
  return (
    <details ref={place} className={css['menu']} name="wallet-menu">
      <summary aria-label={m.wallet_menu({ name })}>
        <Icon name="dots-three" />
      </summary>
      <div className={css['acting']}>
        {items.map(({ icon, href, word }) => (
          <a key={icon} href={href}>
            <Icon name={icon} size={16} />
            {word}
          </a>
        ))}
      </div>
    </details>
  );
}
