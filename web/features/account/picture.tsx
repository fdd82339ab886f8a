import type { ReactNode } from 'react';
import { apiBase } from '../api/address.ts';

/** The picture of who is signed in, so many pixels wide. Asked for as a page's own: no page of others may show it. */
export function Picture({ src, size }: { src: string; size: number }): ReactNode {
  return <img src={apiBase() + src} crossOrigin="anonymous" alt="" width={size} height={size} />;
}
