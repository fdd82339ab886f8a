import type { IconName } from '../../../../ui/base/icons.ts';
import { pageUrl } from '../../../pages.ts';
import type { AccountAnchor } from '../account/section.tsx';
import type { AccountNotices } from '../account-news.ts';

type Notice = Pick<AccountNotices['notices'][number], 'kind' | 'id' | 'txid' | 'money'>;
type Kind = Notice['kind'];

/** Anchors on the account page, by the first word of an event's kind. */
const ANCHORS = { password: 'password', google: 'google', two: 'two-factor', recovery: 'two-factor', email: 'email' } as const;

/** Returns the icon for an event of the account. */
export function iconOf({ kind }: Pick<Notice, 'kind'>): IconName {
  if (kind.startsWith('order_')) return 'receipt';
  if (kind.startsWith('deposit_')) return 'download-simple';
  if (kind.startsWith('withdrawal_')) return 'upload-simple';
  return kind === 'transfer_received' ? 'users-three' : 'lock-simple';
}

/** Returns the URL of the page about an event: an order, a withdrawal, a list of operations, or a section of the account page. */
export function linkOf({ kind, id, txid, money }: Notice, locale: 'en' | 'ru'): string {
  if (kind.startsWith('order_')) return pageUrl(locale, 'ownOrder', { id });
  if (kind.startsWith('withdrawal_')) return pageUrl(locale, 'withdraw', { id });
  if (kind.startsWith('deposit_')) return pageUrl(locale, 'transactions', { q: txid ?? '' });
  if (kind === 'transfer_received') return pageUrl(locale, 'transactions', { kind: 'transfer', currency: money?.currency ?? '' });
  return `${pageUrl(locale, 'account')}#${anchorOf(kind)}`;
}

function anchorOf(kind: Kind): AccountAnchor {
  if (kind === 'new_device') return 'sessions';
  const [about = ''] = kind.split('_');
  return about in ANCHORS ? ANCHORS[about as keyof typeof ANCHORS] : 'close';
}
