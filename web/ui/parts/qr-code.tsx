import type { ReactNode } from 'react';
import css from './qr-code.module.css';
import { cx } from '../base/cx.ts';

/**
 * QR code, dark on white in both themes, since cameras need that contrast. `path` draws the code's modules in a square with sides
 * of `size`.
 */
export function QrCode(props: { qr: { size: number; path: string }; label: string; className?: string | undefined }): ReactNode {
  const { size, path } = props.qr;
  return (
    <div className={cx(css['box'], props.className)}>
      <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={props.label} shapeRendering="crispEdges">
        <path d={path} fill="#101616" />
      </svg>
    </div>
  );
}
